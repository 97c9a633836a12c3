/** The part of WalletConnect's engine that is changed here. */
interface Engine {
  isValidDisconnect(end: object): Promise<void>
}

/**
 * WalletConnect's library checks the end of a session without waiting for that check. Where the relay brings the end twice, or both sides
 * have ended it, the rejection would count as that of whoever runs the library.
 */
export function tolerateLateEnds(engine: unknown): void {
  const changed = engine as Engine
  const { isValidDisconnect } = changed
  changed.isValidDisconnect = (end) => {
    const checked = isValidDisconnect(end)
    checked.catch(() => {})
    return checked
  }
}
