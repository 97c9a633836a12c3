import { KitError } from '../errors/kit-error.ts'
import type { Clock } from '../lib/clock.ts'
import { createStore, type Readable } from '../lib/store.ts'
import { exitOf } from './intent.ts'
import { dialogLimits } from './limits.ts'
import type { QueuePosition } from './screen.ts'
import { Closed, createStage, type Stage, type StageControl } from './stage.ts'
import type { Run, RunEnd, Surface } from './surface.ts'

/** Runs flows on surfaces, one at a time. */
export interface Runs {
  /** Whether a dialog is on the page. */
  readonly isOpen: Readable<boolean>
  /** What the app's analytics call the first screen of the dialog that is on the page, or was the last one on it. */
  readonly initialScreen: string
  /** Whether a run is on the page. A dialog that stays open for the next request of its queue has none meanwhile. */
  readonly isBusy: Readable<boolean>
  readonly trace: Readable<readonly string[]>
  attach(surface: Surface): () => void
  /**
   * Runs a flow on a surface. Throws what `exitOf` makes of its failure, or `flow_in_progress` while another
   * one is on the page.
   */
  run<T>(
    intent: Run['intent'],
    options: RunOptions,
    flow: (stage: Stage, surface: Surface) => Promise<T>,
  ): Promise<T>
  /** Where runs may appear now. */
  readonly surfaces: Readable<readonly Surface[]>
  /** Closes what is on the page, as a person would. */
  close(): void
  /**
   * Closes what is on the page if it has one of these intents, for a reason that is not the person's: its run throws
   * `why`. Resolves with where it was once it is gone, or with `undefined` if there was nothing to end.
   * @param completed whether what it was opened for has happened elsewhere, which its surface then reports
   */
  end(why: KitError, intents: readonly Run['intent'][], completed?: boolean): Promise<EndedRun | undefined>
  /**
   * Closes what is on the page because the request that it was opened for is refused: its run throws `why`, whatever its flow makes of
   * being closed. A run that was not opened for any request ({@link RunOptions.outlivesRefusals}) stays open.
   */
  refuse(why: KitError): void
  /**
   * Asks something in the middle of the run that is on the page, or in a run of its own. Meanwhile closing means `closed`, and so
   * does everything else that waits for the same run; without it, closing means what the run's own intent says.
   */
  interpose<T>(
    intent: Run['intent'],
    closed: KitError | undefined,
    options: RunOptions,
    flow: (stage: Stage) => Promise<T>,
  ): Promise<T>
  /** From now on, closing makes the run throw `why` in place of what its intent says. */
  closingMeans(why: KitError | undefined): void
}
/** A run that is over, and where it was shown. */
export interface EndedRun {
  readonly intent: Run['intent']
  readonly surface: Surface
}
export interface RunOptions {
  surface?: Surface | undefined
  signal?: AbortSignal | undefined
  /** It was opened for no request in particular: one that is refused meanwhile doesn't close it. */
  outlivesRefusals?: boolean
  /** The queue of its request: the dialog stays open as long as others wait. */
  queue?: RunQueue | undefined
  /** The run appears with its first screen, and not at all if it has none. */
  isHidden?: boolean | undefined
  /** What the app's analytics call its first screen; by default what the run is for. */
  initialScreen?: string
}

/** Requests that the user is asked one after the other, in one dialog. */
export interface RunQueue {
  /** The place of the run's request, which its screens say. */
  readonly position: Readable<QueuePosition>
  /** Whether another request of the queue waits or has its turn. */
  readonly hasNext: Readable<boolean>
  /** Whether whoever made the run's request knows its outcome already: the run only displays it, and gives way to the next one. */
  isTold?(): boolean
}

interface ActiveRun {
  readonly run: Run
  readonly queue: RunQueue | undefined
  end(why: KitError, completed: boolean): Promise<EndedRun> | undefined
  refuse(why: KitError): void
}

/** A dialog whose run is over, and which stays open for the next request of the queue. */
interface OpenDialog {
  readonly run: Run
  readonly surface: Surface
  readonly stop: () => void
  /** Takes it off the page. */
  readonly dismiss: () => void
  /** The user has closed it before the next request was displayed. */
  isClosed: boolean
}

export function createRuns(cx: {
  clock: Clock
  makeSurface: () => Surface
  openWindow: () => Window | null
}): Runs {
  const isOpen = createStore(false)
  const isBusy = createStore(false)
  const trace = createStore<readonly string[]>([])
  const surfaces = createStore<readonly Surface[]>([])
  let made: Surface | undefined
  let active: ActiveRun | undefined
  let open: OpenDialog | undefined
  /** Runs that have nothing to display so far. */
  const hidden = new Set<ActiveRun>()
  let closing: KitError | undefined
  let initialScreen = ''

  function pageSurface(): Surface {
    made ??= cx.makeSurface()
    return made
  }

  /**
   * A flow that does not end when it is closed is left behind; its late results reach nobody. One whose work is done by then has
   * longer to say so.
   */
  async function untilClosed<T>(work: Promise<T>, stage: StageControl): Promise<T> {
    const { signal } = stage
    const left = new Promise<never>((_, reject) => {
      const leave = () => {
        const wait = stage.isCommitted
          ? dialogLimits.committedAfterClose
          : dialogLimits.authFlowClearedAfterClose
        void cx.clock.sleep(wait).then(() => reject(signal.reason))
      }
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    })
    return Promise.race([work, left])
  }

  /** Leaves the dialog of a run that is over open, until the next request takes it or the queue is empty. */
  function keepOpen(run: Run, surface: Surface, queue: RunQueue, end: RunEnd): void {
    const dismiss = () => {
      surface.dismiss(run, end)
      isOpen.set(false)
    }
    const onClose = () => {
      own.isClosed = true
      dismiss()
    }
    run.stage.signal.addEventListener('abort', onClose, { once: true })
    const unsubscribe = queue.hasNext.subscribe(() => queue.hasNext.get() || closeOpen())
    const stop = () => {
      unsubscribe()
      run.stage.signal.removeEventListener('abort', onClose)
    }
    const own: OpenDialog = { run, surface, stop, dismiss, isClosed: false }
    open = own
  }
  function closeOpen(): void {
    const left = open
    open = undefined
    left?.stop()
    if (!left || left.isClosed) return
    left.run.stage.close()
    left.dismiss()
  }
  /** Shows a run in the dialog that was left open. Returns false if there is none, or the run belongs elsewhere. */
  function continueOpen(next: Run, surface: Surface, queue: RunQueue | undefined): boolean {
    const left = open
    if (!left || !queue || left.surface !== surface || !surface.replace?.(left.run, next)) return false
    open = undefined
    left.stop()
    left.run.stage.close()
    return true
  }

  const runs: Runs = {
    isOpen,
    isBusy,
    get initialScreen() {
      return initialScreen
    },
    trace,
    surfaces,
    attach(surface) {
      surfaces.set([...surfaces.get(), surface])
      let here = true
      return () => {
        if (here) surfaces.set(surfaces.get().filter((each) => each !== surface))
        here = false
      }
    },
    close: () => (active ?? open)?.run.stage.close(),
    async end(why, intents, completed = false) {
      for (const each of hidden) if (intents.includes(each.run.intent)) void each.end(why, completed)
      if (open && intents.includes(open.run.intent)) closeOpen()
      return active && intents.includes(active.run.intent) ? active.end(why, completed) : undefined
    },
    refuse(why) {
      for (const each of hidden) each.refuse(why)
      active?.refuse(why)
    },
    closingMeans(why) {
      closing = why
    },
    async interpose(intent, closed, options, flow) {
      const asking = async (stage: Stage) => {
        closing = closed
        try {
          return await flow(stage)
        } finally {
          closing = undefined
        }
      }
      if (!active) return runs.run(intent, options, asking)
      const { stage } = active.run
      return stage.aside(() => asking(stage))
    },

    async run(intent, options, flow) {
      const { surface: asked, signal, outlivesRefusals, queue, isHidden = false } = options
      signal?.throwIfAborted()
      if (active?.queue?.isTold?.() && !isHidden)
        await active.end(exitOf(active.run.intent, new Closed('Another dialog took its place')), true)
      if (active && !isHidden) throw new KitError('flow_in_progress', 'Another dialog of this app is open')
      const stage = createStage({ openWindow: cx.openWindow, clock: cx.clock })
      const run: Run = { intent, stage }
      const surface = asked ?? surfaces.get().at(-1) ?? pageSurface()
      const close = () => stage.close()
      const stops = [stage.trace.subscribe(() => trace.set(stage.trace.get()))]
      if (queue) {
        const { position } = queue
        const update = () => stage.setPosition(position.get())
        update()
        stops.push(position.subscribe(update))
      }
      signal?.addEventListener('abort', close, { once: true })

      let ended: KitError | undefined
      let completedElsewhere = false
      /** Whatever the flow makes of being closed, its caller is told this. */
      let refused: KitError | undefined
      stage.signal.addEventListener('abort', () => {
        refused ??= closing
        closing = undefined
      })
      let leave = (_: EndedRun) => {}
      const own: ActiveRun = {
        run,
        queue,
        refuse(why) {
          if (outlivesRefusals || stage.signal.aborted) return
          refused = why
          stage.close()
        },
        end(why, completed) {
          if (stage.signal.aborted) return undefined
          ended = why
          completedElsewhere = completed
          const gone = new Promise<EndedRun>((resolve) => {
            leave = resolve
          })
          stage.close()
          return gone
        },
      }
      let end: RunEnd = { completed: true }
      let unseen: unknown
      function appear(): void {
        hidden.delete(own)
        active = own
        const isShown = continueOpen(run, surface, queue)
        closeOpen()
        isBusy.set(true)
        if (!isOpen.get()) initialScreen = options.initialScreen ?? intent
        isOpen.set(true)
        if (isShown) return
        surface.present(run).catch((cause: unknown) => {
          unseen = cause
          stage.close()
        })
      }
      /** With its first screen, once no other run is on the page. */
      function appearLater(): void {
        const update = () => {
          if (!hidden.has(own) || active || !stage.scene.get()) return
          appear()
        }
        hidden.add(own)
        stops.push(stage.scene.subscribe(update), isBusy.subscribe(update))
      }
      if (queue && open?.isClosed) {
        // The user has closed the dialog while it was open for this request.
        closeOpen()
        stage.close()
      } else if (isHidden) {
        closeOpen()
        appearLater()
      } else appear()
      try {
        const result = await untilClosed(flow(stage, surface), stage).catch((cause: unknown) => {
          throw unseen && cause instanceof Closed ? unseen : cause
        })
        if (refused) throw refused
        return result
      } catch (cause) {
        const error = refused ?? ended ?? exitOf(intent, cause)
        end =
          completedElsewhere && error === ended ? { completed: true } : { completed: false, code: error.code }
        throw error
      } finally {
        signal?.removeEventListener('abort', close)
        for (const each of stops) each()
        hidden.delete(own)
        const staysOpen = active === own && queue?.hasNext.get() === true && !stage.signal.aborted
        if (!staysOpen) stage.close()
        if (active === own) {
          active = undefined
          if (staysOpen) keepOpen(run, surface, queue, end)
          else {
            surface.dismiss(run, end)
            isOpen.set(false)
          }
          isBusy.set(active !== undefined)
        }
        leave({ intent, surface })
      }
    },
  }
  return runs
}
