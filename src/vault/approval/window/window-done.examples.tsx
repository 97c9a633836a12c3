import type { Examples } from '../../../dialog/screen.ts'
import { abouts } from './about.examples.ts'
import { type WindowAbout, type WindowPurpose, windowPurposes } from './about.ts'
import type { windowDone } from './window-done.tsx'

export const examples = {
  ...(Object.fromEntries(windowPurposes.map((purpose) => [purpose, { props: abouts[purpose] }])) as Record<
    WindowPurpose,
    { props: WindowAbout }
  >),
  continuing: { props: abouts.password, busy: 'continue' },
} satisfies Examples<typeof windowDone>
