import type { Run } from '../../src/dialog/surface.ts'
import type { Kit } from '../../src/kit/api.ts'
import type { CloseReason } from '../events.ts'

/** What a dialog is rendered with; it may change while the dialog is open. */
export interface ViewSettings {
  readonly kit: Pick<Kit, 'look' | 'copy'>
  readonly inline: boolean
  /** The element's own settings; the app's apply where it has none. */
  readonly theme: 'auto' | 'light' | 'dark' | undefined
  readonly accent: string | undefined
}
export interface ViewProps extends ViewSettings {
  readonly run: Run
  readonly root: ShadowRoot
  /** Gets the focus back when the dialog is gone. */
  readonly opener: Element | null
  /** The dialog is visible. */
  onShown(): void
  onCloseRequest(reason: CloseReason): void
  /** A screen threw while rendering. */
  onCrash(cause: unknown): void
}

/** What a page is told while a dialog is open. */
export interface SceneListener {
  /** Whether the person's answer is being processed. */
  busy(yes: boolean): void
  /** A screen is shown; `from` is the one before it. */
  step(screen: string, from: string | null): void
}

/** The React side, as the element sees it. */
export interface ViewHandle {
  update(settings: ViewSettings): void
  /** Shows another run in the same dialog. */
  show(run: Run): void
  /** Reports what is shown, now and until the function that it returns is called. */
  follow(listener: SceneListener): () => void
  /** Plays the closing animation; resolves when it has ended. */
  leave(): Promise<void>
  /** Removes the dialog at once and gives the focus back. */
  remove(): void
}
