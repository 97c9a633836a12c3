import type { Examples } from '../../../dialog/screen.ts'
import type { SetPasswordProps, setPassword } from './set-password.tsx'

const rest: SetPasswordProps = {
  reset: false,
  canGoBack: false,
  cancellable: true,
}

export const examples = {
  empty: { props: rest },
  reset: { props: { ...rest, reset: true, canGoBack: true } },
  'too short': { props: { ...rest, value: 'tide' } },
  weak: { props: { ...rest, value: 'copper7' } },
  medium: { props: { ...rest, value: 'Copper-lantern7' } },
  strong: { props: { ...rest, value: 'Copper-lantern-7-harbor-tide' } },
  'invalid characters': { props: { ...rest, value: 'kupfer laterne ä' } },
  'in the automatic flow': { props: { ...rest, cancellable: false } },
  going: { props: { ...rest, value: 'Copper-lantern7' }, busy: { password: 'Copper-lantern7' } },
  'going back': { props: { ...rest, canGoBack: true, value: 'Copper-lantern7' }, busy: 'back' },
} satisfies Examples<typeof setPassword>
