import { limits } from './limits.ts'

/** The page around us, as a seam: where it is, where it goes, and the windows that it opens. */
export interface Page {
  readonly origin: string
  /** Where the page is now. */
  address(): string
  /** Changes what the address bar says, without leaving. */
  rewrite(address: string): void
  /** Leaves for another address. */
  leave(address: string): void
  /** Loads the page anew, whatever its address ends with. */
  reload(): void
  /**
   * Opens an empty window for what comes, in the middle. `null`: the browser refused. To be called within the task of
   * a click, before anything is awaited (elements 3.33).
   */
  openWindow(): Window | null
  /** The page stands in a frame of another one. */
  readonly framed: boolean
  readonly userAgent: string
  /** For messages and script tags. */
  readonly window: Window
}

/** The page of a window, which is asked for with the first use: a kit may be made where there is none. */
export const pageOf = (get: () => Window): Page => ({
  get origin() {
    return get().origin
  },
  address: () => get().location.href,
  rewrite: (address) => get().history.replaceState(get().history.state, '', address),
  leave: (address) => get().location.assign(address),
  reload: () => get().location.reload(),
  openWindow() {
    const width = limits.popupWidth
    const height = limits.popupHeight
    const { screenX, screenY, outerWidth, outerHeight } = get()
    const left = Math.max(0, screenX + (outerWidth - width) / 2)
    const top = Math.max(0, screenY + (outerHeight - height) / 2)
    const features = `popup,width=${width},height=${height},left=${left},top=${top}`
    return get().open('about:blank', '_blank', features)
  },
  get framed() {
    return get().top !== get()
  },
  get userAgent() {
    return get().navigator.userAgent
  },
  get window() {
    return get()
  },
})
