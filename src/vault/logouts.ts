/** Who has logged out, told to all of the vault's pages in this browser. */
export interface Logouts {
  /** Tells every page of the vault, this one included. */
  announce(user: string): void
  /** Returns the function that ends it. */
  onLogout(hear: (user: string) => void): () => void
}

/** As much of a BroadcastChannel as is needed. */
export interface LogoutChannel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', hear: (event: { readonly data: unknown }) => void): void
}

/**
 * Logouts of one app over a channel that all pages of the vault's origin share. Where the browser has none, or refuses
 * it, each page hears of its own alone; the server refuses what a session that has ended asks for in any case.
 */
export function channelLogouts(app: string, open: () => LogoutChannel): Logouts {
  const hearing = new Set<(user: string) => void>()
  const tell = (user: string) => {
    for (const hear of [...hearing]) hear(user)
  }
  const channel = openOrNone(open)
  channel?.addEventListener('message', ({ data }) => {
    if (typeof data !== 'object' || data === null) return
    const { app: whose, user } = data as Record<string, unknown>
    if (whose === app && typeof user === 'string') tell(user)
  })
  return {
    announce(user) {
      tell(user)
      channel?.postMessage({ app, user })
    },
    onLogout(hear) {
      hearing.add(hear)
      return () => void hearing.delete(hear)
    },
  }
}

function openOrNone(open: () => LogoutChannel): LogoutChannel | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
