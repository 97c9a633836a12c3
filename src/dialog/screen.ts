import type { ReactNode } from 'react'

/** What a view gets besides its props: the answer it is busy with, and the function that answers. */
export interface Answering<A> {
  /** The answer that the flow is processing; while it is set, the screen is busy and can't answer again. */
  busy: A | undefined
  answer(answer: A): void
}
export type View<P, A> = (props: P & Answering<A>) => ReactNode

/**
 * A screen: a pure view with typed props and a typed answer. It knows no server, wallet, route or other
 * screen.
 */
export interface Screen<P, A> {
  readonly id: string
  readonly view: View<P, A>
  /** 620 px full, 480 px compact: a short screen is no higher than it needs. */
  readonly size: (props: P) => PanelSize
  /** Whether the header has a back button; it answers 'back'. */
  readonly back: (props: P) => boolean
  /** Whether the person may close the dialog here; not on the terms, for example. */
  readonly closable: (props: P) => boolean
  /** Whether this answer opens a window: the stage does that within the click, before anything is awaited. */
  readonly opens?: ((answer: A, props: P) => boolean) | undefined
  /**
   * Does what an answer asks of the browser, within the press and in the page that draws the screen. Resolves with the answer that
   * the flow gets instead; never rejects. Only the vault's own window does this: its flows run in another page, which passkeys and
   * wallets of the browser can't be asked from.
   */
  readonly perform?: ((answer: A, props: P, signal: AbortSignal) => Promise<A> | undefined) | undefined
}

export type PanelSize = 'full' | 'compact'

interface ScreenOptions<P, A> {
  view: View<P, A>
  size?: PanelSize | ((props: P) => PanelSize)
  back?: 'back' extends A ? boolean | ((props: P) => boolean) : false
  closable?: boolean | ((props: P) => boolean)
  opens?: (answer: A, props: P) => boolean
  perform?: (answer: A, props: P, signal: AbortSignal) => Promise<A> | undefined
}

/** Makes a screen. `back` is accepted only if 'back' is one of its answers. */
export function defineScreen<P extends object, A>(id: string, options: ScreenOptions<P, A>): Screen<P, A> {
  const { size = 'full' } = options
  const when = (option: boolean | ((props: P) => boolean) | undefined, otherwise: boolean) =>
    typeof option === 'function' ? option : () => option ?? otherwise
  return {
    id,
    view: options.view,
    size: typeof size === 'function' ? size : () => size,
    back: when(options.back as boolean | ((props: P) => boolean) | undefined, false),
    closable: when(options.closable, true),
    opens: options.opens,
    perform: options.perform,
  }
}

/** The place of a request in a queue, from 1; `count` grows while further requests come in. */
export interface QueuePosition {
  readonly position: number
  readonly count: number
}

/** One example of a screen for the gallery, the accessibility suite and the screenshots. */
export interface Example<P, A> {
  props: P
  /** The answer with which the screen is shown busy. */
  busy?: A
  /** The position of its request in a queue. */
  position?: QueuePosition
}
export type Examples<S> = S extends Screen<infer P, infer A> ? Record<string, Example<P, A>> : never
