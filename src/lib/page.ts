/** How large a window opens, in pixels. */
const popup = { width: 440, height: 680 }

/** The page around us, behind an interface so that tests can replace it. */
export interface Page {
  readonly origin: string
  /** The page's present address. */
  address(): string
  /** Changes what the address bar says, without leaving. */
  rewrite(address: string): void
  /** Leaves for another address. */
  leave(address: string): void
  /** Stops a navigation that has begun but not happened yet; whatever else is loading stops as well. */
  stay(): void
  /** Reloads the page, even if its address ends with a fragment. */
  reload(): void
  /**
   * Opens an empty, centred window for later use. `null`: the browser refused. Must be called within a click,
   * before anything is awaited, or browsers block it.
   */
  openWindow(): Window | null
  /** Whether the page is in a frame. */
  readonly framed: boolean
  readonly userAgent: string
  /** The user's own language, as a BCP 47 tag. */
  readonly language: string
  /** For messages and script tags. */
  readonly window: Window
}

/** The page of a window, looked up on first use, because a kit may be created where there is none. */
export const pageOf = (get: () => Window): Page => ({
  get origin() {
    return get().origin
  },
  address: () => get().location.href,
  rewrite: (address) => get().history.replaceState(get().history.state, '', address),
  leave: (address) => get().location.assign(address),
  stay: () => get().stop(),
  reload: () => get().location.reload(),
  openWindow() {
    const { width, height } = popup
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
  get language() {
    return get().navigator.language
  },
  get window() {
    return get()
  },
})
