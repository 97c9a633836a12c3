import { type Clock, systemClock } from '../lib/clock.ts'
import { createStore, type Readable } from '../lib/store.ts'
import type { QueuePosition, Screen } from './screen.ts'

/** Thrown into the waiting flow when the person closes the dialog. */
export class Closed extends Error {
  override name = 'Closed'
}

/** Whether a flow ended because the user turned back or closed the dialog, also where that was made an error for the host. */
export const isTurnedBack = (cause: unknown): boolean =>
  cause instanceof Closed || (cause instanceof Error && cause.cause instanceof Closed)

/** Where a flow meets a person. One stage per run, never reused. */
export interface Stage {
  /** Shows a screen and waits for its answer; the screen stays up, busy, until the next call. */
  ask<P extends object, A>(screen: Screen<P, A>, props: P): Promise<A>
  /** Shows a screen while `work` runs. Closing aborts the signal and rejects at once with {@link Closed}. */
  during<P extends object, A, T>(
    screen: Screen<P, A>,
    props: P,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /**
   * Shows a screen while `work` runs. An answer aborts the signal that `work` was given, and is resolved with in place
   * of its result; a late result of the abandoned work is discarded.
   */
  askDuring<P extends object, A, T>(
    screen: Screen<P, A>,
    props: P,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly answer: A } | { readonly done: T }>
  /**
   * Shows that something has succeeded for a while. Closing then is as good as waiting, because nothing is left to
   * undo: it ends the while and does not reject.
   * @param duration in milliseconds
   */
  hold<P extends object, A>(screen: Screen<P, A>, props: P, duration: number): Promise<void>
  /**
   * Lends the stage to something that has to be asked in the middle of a screen's work. What was shown is shown again afterwards,
   * as busy as it was.
   */
  aside<T>(work: () => Promise<T>): Promise<T>
  /**
   * Runs a part of a flow that can't be left: until it ends, no screen may be closed, whatever the screen itself says. So may the
   * screens of every flow that it calls.
   */
  lock<T>(work: () => Promise<T>): Promise<T>
  /** Within {@link lock}, runs what has to have a way out all the same, such as a failure that retrying may never mend. */
  unlock<T>(work: () => Promise<T>): Promise<T>
  /**
   * What the run is for has happened. Closing ends its display alone from now on: the caller waits for the result of the flow.
   */
  commit(): void
  /** Aborted when the person closes; pass it to every service call. */
  readonly signal: AbortSignal
  /**
   * The window that the latest answer has opened, for the first caller who takes it: `null` if the browser
   * refused, `undefined` if none was asked for.
   */
  takeWindow(): Window | null | undefined
}

/** What a stage shows now. */
export interface Scene {
  readonly screen: Screen<object, unknown>
  readonly props: object
  readonly busy: unknown
  readonly answer: (answer: unknown) => void
  /** Counts the screens of the run, to tell a repeated screen from a rerendered one. */
  readonly step: number
  /** The flow around the screen can't be left, see {@link Stage.lock}. */
  readonly isLocked?: boolean
  /** Where its request stands among those that wait for the user. */
  readonly position?: QueuePosition | undefined
}

/** The other side of a stage: what a surface draws, and how a person closes it. */
export interface StageControl extends Stage {
  readonly scene: Readable<Scene | undefined>
  /** Names only, no personal data: `landing > email enter-code > code …`. */
  readonly trace: Readable<readonly string[]>
  /** See {@link Stage.commit}. */
  readonly isCommitted: boolean
  /** Says where the run's request stands in its queue, also while a screen is displayed. */
  setPosition(position: QueuePosition): void
  /** Ends the run from outside: the waiting flow, and any later one, is rejected with {@link Closed}. */
  close(): void
}

export interface StageOptions {
  /** Opens the window that some answers ask for; it runs within the click. */
  readonly openWindow?: () => Window | null
  readonly clock?: Clock
}

export function createStage({
  openWindow = () => null,
  clock = systemClock,
}: StageOptions = {}): StageControl {
  const scene = createStore<Scene | undefined>(undefined)
  const trace = createStore<readonly string[]>([])
  const life = new AbortController()
  let abandon: (reason: unknown) => void = () => {}
  let step = 0
  let opened: Window | null | undefined
  let committed = false
  let isLocked = false
  /** The question on display: an answer to one before it is none. */
  let asked: object | undefined
  let position: QueuePosition | undefined

  async function locking<T>(locked: boolean, work: () => Promise<T>): Promise<T> {
    const before = isLocked
    isLocked = locked
    try {
      return await work()
    } finally {
      isLocked = before
    }
  }
  const note = (word: string) => trace.set([...trace.get(), word])
  const show = <P extends object, A>(screen: Screen<P, A>, props: P, answer: (a: A) => void, busy?: A) =>
    scene.set({
      screen: screen as unknown as Screen<object, unknown>,
      props,
      busy,
      answer: answer as (a: unknown) => void,
      step,
      ...(isLocked && { isLocked }),
      ...(position && { position }),
    })

  const stage: StageControl = {
    scene,
    trace,
    signal: life.signal,
    get isCommitted() {
      return committed
    },
    commit() {
      committed = true
    },

    ask: (screen, props) =>
      new Promise((resolve, reject) => {
        if (life.signal.aborted) return reject(life.signal.reason)
        abandon = reject
        step++
        note(screen.id)
        const own = {}
        asked = own
        let answered = false
        show(screen, props, (answer) => {
          if (answered || asked !== own || life.signal.aborted) return
          answered = true
          opened?.close()
          opened = screen.opens?.(answer, props) ? openWindow() : undefined
          note(`> ${nameOf(answer)}`)
          show(screen, props, () => {}, answer)
          resolve(answer)
        })
      }),

    during(screen, props, work) {
      if (life.signal.aborted) return Promise.reject(life.signal.reason)
      step++
      asked = undefined
      note(screen.id)
      show(screen, props, () => {})
      const closed = new Promise<never>((_, reject) => {
        abandon = reject
      })
      return Promise.race([work(life.signal), closed])
    },

    async askDuring(screen, props, work) {
      const answered = new AbortController()
      try {
        const answer = stage.ask(screen, props).then((given) => ({ answer: given }))
        const done = work(AbortSignal.any([life.signal, answered.signal])).then((value) => ({ done: value }))
        done.catch(() => {})
        return await Promise.race([answer, done])
      } finally {
        answered.abort()
      }
    },

    async hold(screen, props, duration) {
      if (life.signal.aborted) return
      try {
        await stage.during(screen, props, (signal) => clock.sleep(duration, signal))
      } catch (cause) {
        if (!(cause instanceof Closed)) throw cause
      }
    },

    async aside(work) {
      const before = scene.get()
      const left = abandon
      const question = asked
      try {
        return await work()
      } finally {
        if (before && !life.signal.aborted) {
          abandon = left
          asked = question
          step++
          note(before.screen.id)
          scene.set({ ...before, step, ...(position && { position }) })
        }
      }
    },

    lock: (work) => locking(true, work),
    unlock: (work) => locking(false, work),

    takeWindow() {
      const taken = opened
      opened = undefined
      return taken
    },

    setPosition(next) {
      position = next
      const current = scene.get()
      if (current) scene.set({ ...current, position })
    },

    close() {
      if (life.signal.aborted) return
      opened?.close()
      const reason = new Closed('The dialog was closed')
      life.abort(reason)
      abandon(reason)
      note('closed')
      scene.set(undefined)
    },
  }
  return stage
}

/** The kind of an answer only: what was typed stays out of the trace. */
function nameOf(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (answer === null || typeof answer !== 'object') return typeof answer
  return Object.keys(answer).join('+')
}
