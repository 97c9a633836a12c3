import type { Examples } from '../../../dialog/screen.ts'
import type { SavePasswordProps, savePassword } from './save-password.tsx'

const rest: SavePasswordProps = { password: 'harbor-lantern-copper-tide' }

export const examples = {
  rest: { props: rest },
  going: { props: rest, busy: 'continue' },
  'going back': { props: rest, busy: 'back' },
  'in the automatic flow': { props: { ...rest, cancellable: false } },
} satisfies Examples<typeof savePassword>
