/** Where the window keeps what makes it the same one after a visit elsewhere. It belongs to this window and origin alone. */
const kept = 'lk-window-return'

let returning: string | undefined
let onLeave: () => void = () => {}

/** The frame has said with which nonce this window may come back; `leaving` tells the frame that it is about to. */
export function allowReturn(nonce: string, leaving: () => void): void {
  returning = nonce
  onLeave = leaving
}

/**
 * Goes to a page of somebody else, such as a provider's login, that leads back to this window's address. The frame keeps what it asked
 * and draws it again then. A page that cuts the window off from its opener (`cross-origin-opener-policy`) leads back to a window that
 * has ended, and the frame offers to open it again.
 */
export function leaveTo(url: string): void {
  if (returning !== undefined) sessionStorage.setItem(kept, returning)
  onLeave()
  location.assign(url)
}

/** The nonce of a window that has come back; good once. */
export function takeReturn(): string | undefined {
  const nonce = sessionStorage.getItem(kept) ?? undefined
  sessionStorage.removeItem(kept)
  return nonce
}
