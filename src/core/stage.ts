import type { Screen } from './screen.ts'
import { createStore, type Readable } from './store.ts'

/** Thrown into whatever flow is waiting when the person closes the dialog. */
export class Closed extends Error {
  override name = 'Closed'
}

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
  /** Aborted when the person closes; goes into every service call. */
  readonly signal: AbortSignal
  /**
   * The window that the latest answer has opened, for whoever takes it first: `null` when the browser refused,
   * `undefined` when none was asked for.
   */
  takeWindow(): Window | null | undefined
}

/** What stands on a stage now. */
export interface Scene {
  readonly screen: Screen<object, unknown>
  readonly props: object
  readonly busy: unknown
  readonly answer: (answer: unknown) => void
  /** Counts the screens of the run, so that a repeated screen is told from a re-rendered one. */
  readonly step: number
}

/** The other side of a stage: what a surface draws, and how a person closes it. */
export interface StageControl extends Stage {
  readonly scene: Readable<Scene | undefined>
  /** Names only, no personal data: `landing > email enter-code > code …`. */
  readonly trace: Readable<readonly string[]>
  /** Ends the run from outside: the waiting flow is rejected with {@link Closed}, later ones as well. */
  close(): void
}

/** @param openWindow opens the window that some answers ask for; it runs within the click */
export function createStage(openWindow: () => Window | null = () => null): StageControl {
  const scene = createStore<Scene | undefined>(undefined)
  const trace = createStore<readonly string[]>([])
  const life = new AbortController()
  let abandon: (reason: unknown) => void = () => {}
  let step = 0
  let opened: Window | null | undefined

  const note = (word: string) => trace.set([...trace.get(), word])
  const show = <P extends object, A>(screen: Screen<P, A>, props: P, answer: (a: A) => void, busy?: A) =>
    scene.set({
      screen: screen as unknown as Screen<object, unknown>,
      props,
      busy,
      answer: answer as (a: unknown) => void,
      step,
    })

  return {
    scene,
    trace,
    signal: life.signal,

    ask: (screen, props) =>
      new Promise((resolve, reject) => {
        if (life.signal.aborted) return reject(life.signal.reason)
        abandon = reject
        step++
        note(screen.id)
        let answered = false
        show(screen, props, (answer) => {
          if (answered || life.signal.aborted) return
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
      note(screen.id)
      show(screen, props, () => {})
      const closed = new Promise<never>((_, reject) => {
        abandon = reject
      })
      return Promise.race([work(life.signal), closed])
    },

    takeWindow() {
      const taken = opened
      opened = undefined
      return taken
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
}

/** An answer by its kind only: what was typed stays out of the trace. */
function nameOf(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (answer === null || typeof answer !== 'object') return typeof answer
  return Object.keys(answer).join('+')
}
