import { addWords } from '../../../copy/copy.ts'
import { approvalWindow } from '../../../copy/en/approval-window.ts'
import { Closed, type Stage } from '../../../dialog/stage.ts'
import { type ContinueInWindowProps, continueInWindow } from './continue-in-window.tsx'
import type { Windows } from './opener.ts'
import { waitingForWindow } from './waiting-for-window.tsx'

export { createWindows } from './opener.ts'

addWords(approvalWindow)

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
    if (opened) return whileOpen(stage, windows, opened, work)
  }
}

/** The person may have the window shown again, which lies behind others after a press elsewhere. */
async function whileOpen<T>(
  stage: Stage,
  windows: Windows,
  opened: Window,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const left = new AbortController()
  const drawn = windows.drawIn(opened, work, AbortSignal.any([stage.signal, left.signal]))
  try {
    for (;;) {
      const came = await stage.askDuring(waitingForWindow, {}, () => drawn)
      if ('done' in came) return came.done
      if (came.answer === 'cancel') throw new Closed('The person cancelled')
      opened.focus()
    }
  } finally {
    left.abort()
  }
}
