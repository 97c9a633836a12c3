import { Closed, type Stage } from '../../../dialog/stage.ts'
import { type ContinueInWindowProps, continueInWindow } from './continue-in-window.tsx'
import type { Windows } from './opener.ts'
import { waitingForWindow } from './waiting-for-window.tsx'

export { createWindows } from './opener.ts'

/**
 * Lends `work` the stage of a window that the person opens with a press in the frame. Throws `Closed` if they don't, or close it.
 */
export async function inWindow<T>(
  stage: Stage,
  windows: Windows,
  why: ContinueInWindowProps['why'],
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  let blocked = false
  for (;;) {
    const answer = await stage.ask(continueInWindow, { why, blocked })
    if (answer === 'cancel') throw new Closed('The person cancelled')
    const opened = stage.takeWindow()
    blocked = !opened
    if (!opened) continue
    const came = await stage.askDuring(waitingForWindow, {}, (signal) => windows.drawIn(opened, work, signal))
    if ('done' in came) return came.done
    throw new Closed('The person cancelled')
  }
}
