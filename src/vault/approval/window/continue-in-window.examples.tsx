import type { Examples } from '../../../dialog/screen.ts'
import { abouts } from './about.examples.ts'
import { type WindowPurpose, windowPurposes } from './about.ts'
import type { ContinueInWindowProps, continueInWindow } from './continue-in-window.tsx'

const rest: ContinueInWindowProps = { ...abouts.transaction, again: false }
const byPurpose = Object.fromEntries(
  windowPurposes.map((purpose) => [purpose, { props: { ...abouts[purpose], again: false } }]),
) as Record<WindowPurpose, { props: ContinueInWindowProps }>

export const examples = {
  ...byPurpose,
  'no app and no stake': { props: { ...rest, appName: '', stake: undefined } },
  "a browser that can't tell": { props: { ...rest, because: 'browser' } },
  'no room': { props: { ...rest, because: 'room' } },
  'from a list': { props: { ...abouts.password, again: false, canGoBack: true } },
  opening: { props: rest, busy: 'open' },
  blocked: { props: { ...rest, problem: 'blocked' } },
  closed: { props: { ...rest, again: true, problem: 'closed' } },
  'not loaded': { props: { ...rest, again: true, problem: 'late' } },
} satisfies Examples<typeof continueInWindow>
