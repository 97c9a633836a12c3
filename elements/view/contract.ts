import type { Run } from '../../src/core/surface.ts'
import type { Kit } from '../../src/kit-api.ts'
import type { CloseReason } from '../events.ts'

/** What a dialog is drawn with; changes while it stands. */
export interface Dressing {
  readonly kit: Pick<Kit, 'look' | 'copy'>
  readonly inline: boolean
  /** The element's own wishes; the app's count where it has none. */
  readonly theme: 'auto' | 'light' | 'dark' | undefined
  readonly accent: string | undefined
  readonly lang: string | undefined
}
export interface ViewProps extends Dressing {
  readonly run: Run
  readonly root: ShadowRoot
  /** It can be seen. */
  onShown(): void
  onCloseRequest(reason: CloseReason): void
  /** A screen threw while it was drawn. */
  onCrash(cause: unknown): void
}

/** The React world, seen from the element that shows it. */
export interface ViewHandle {
  update(dressing: Dressing): void
  /** Plays the way out; resolves when it has been seen. */
  leave(): Promise<void>
  /** Takes it off the page at once. */
  remove(): void
}
