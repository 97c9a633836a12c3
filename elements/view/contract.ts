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
  readonly lang: string | undefined
}
export interface ViewProps extends ViewSettings {
  readonly run: Run
  readonly root: ShadowRoot
  /** The dialog is visible. */
  onShown(): void
  onCloseRequest(reason: CloseReason): void
  /** A screen threw while rendering. */
  onCrash(cause: unknown): void
}

/** The React side, as the element sees it. */
export interface ViewHandle {
  update(settings: ViewSettings): void
  /** Plays the closing animation; resolves when it has ended. */
  leave(): Promise<void>
  /** Removes the dialog at once. */
  remove(): void
}
