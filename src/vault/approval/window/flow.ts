import { addWords } from '../../../copy/copy.ts'
import { approvalWindow } from '../../../copy/en/approval-window.ts'
import { Closed, createStage, type Stage } from '../../../dialog/stage.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Readable } from '../../../lib/store.ts'
import { vaultLimits } from '../../limits.ts'
import type { Progress } from '../outcome.ts'
import { TurnedBack } from '../turned-back.ts'
import type { WindowAbout } from './about.ts'
import { type ContinueInWindowProps, continueInWindow } from './continue-in-window.tsx'
import { endOf, type Over } from './messages.ts'
import type { DrawingWindow, WindowState, Windows } from './opener.ts'
import { type WaitingForWindowProps, waitingForWindow } from './waiting-for-window.tsx'
import { windowDone } from './window-done.tsx'

export { createWindows } from './opener.ts'

addWords(approvalWindow)

export interface InWindow {
  readonly stage: Stage
  readonly windows: Windows
  readonly clock: Clock
  readonly about: WindowAbout
  readonly progress: Readable<Progress>
  /** Why the window is told that it is over, when the stage of the frame is closed. */
  readonly endsWith: () => Over
}

/**
 * Lends `work` a stage that a window of the vault draws, which the user opens with a press in the frame.
 *
 * The frame is the one that knows: it offers the window, waits for it, and hears how the work ends. The window only draws. So a window
 * that is closed has answered nothing, and another one goes on where it was; and once the work is `done`, closing either ends its display
 * alone. Throws `Closed` if the user cancels in the frame, `TurnedBack` if they go back to the list that they came from, and what
 * `work` throws.
 */
export async function inWindow<T>(cx: InWindow, work: (stage: Stage) => Promise<T>): Promise<T> {
  const { stage, windows, about, clock, progress } = cx
  const there = createStage({ clock })
  let running: Promise<T> | undefined
  let drawing: DrawingWindow | undefined
  const end = (why: Over) => {
    drawing?.end(endOf(progress.get() === 'done', why))
    drawing = undefined
  }
  const onAbort = () => {
    end(cx.endsWith())
    there.close()
  }
  stage.signal.addEventListener('abort', onAbort, { once: true })
  /** Starts with the first window that connects: without one, nothing of it should happen. */
  const run = () => {
    running ??= work(there)
    running.catch(() => {})
    return running
  }
  let problem: ContinueInWindowProps['problem']
  let opened: Window | null | undefined
  try {
    for (;;) {
      if (!opened) {
        const again = running !== undefined || problem === 'late'
        const came = await stage.askDuring(
          continueInWindow,
          { ...about, problem, again },
          () => running ?? never<T>(),
        )
        if ('done' in came) return came.done
        if (came.answer === 'back') throw new TurnedBack()
        if (came.answer === 'cancel') throw new Closed('The user cancelled')
        opened = stage.takeWindow()
      }
      problem = 'blocked'
      if (!opened) continue
      end('moved')
      drawing = windows.draw(opened, there, about)
      opened = undefined
      const left = await whileOpen(cx, drawing, run, () => there.close())
      if (typeof left === 'object') return left.result
      if (left === 'again') opened = stage.takeWindow()
      else problem = left
    }
  } finally {
    stage.signal.removeEventListener('abort', onAbort)
    end('over')
    there.close()
  }
}

/** Waits for the work of a window that is open, or for the window to go. */
async function whileOpen<T>(
  { stage, windows, about, clock, progress }: InWindow,
  drawing: DrawingWindow,
  run: () => Promise<T>,
  endDisplay: () => void,
): Promise<{ readonly result: T } | 'closed' | 'late' | 'again'> {
  let behind = false
  let told = false
  for (;;) {
    const state = drawing.state.get()
    const at = progress.get()
    const result = state === 'opening' || state === 'late' ? undefined : run()
    if (at === 'done' && !told) drawing.settle()
    told = at === 'done'
    const gone = state === 'closed' || state === 'late'
    if (gone && at === 'open') return state
    if (gone && at === 'done') endDisplay()
    const next = (signal: AbortSignal) =>
      Promise.race([
        result ? result.then((done) => ({ result: done })) : never<never>(),
        changeOf([drawing.state, progress], signal),
      ])
    const came =
      at === 'done'
        ? await stage.askDuring(windowDone, about, next)
        : await stage.askDuring(waitingForWindow, { ...about, state: shownState(state, at, behind) }, next)
    if ('done' in came) {
      if (came.done) return came.done
      continue
    }
    switch (came.answer) {
      case 'cancel':
        throw new Closed('The user cancelled')
      case 'again':
        return 'again'
      case 'continue':
        endDisplay()
        continue
      case 'show':
        drawing.show()
        // A browser that shows it takes the focus from here.
        await clock.sleep(vaultLimits.windowCheck, stage.signal)
        behind = windows.hasFocus()
    }
  }
}

function shownState(state: WindowState, at: Progress, behind: boolean): WaitingForWindowProps['state'] {
  if (at === 'finishing') return 'finishing'
  if (state === 'opening') return state
  return behind ? 'behind' : 'open'
}

/** Resolves once one of these has changed. */
const changeOf = (stores: readonly Readable<unknown>[], signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    const stops = stores.map((store) => store.subscribe(() => resolve(undefined)))
    signal.addEventListener('abort', () => stops.forEach((stop) => void stop()), { once: true })
  })

const never = <T>() => new Promise<T>(() => {})
