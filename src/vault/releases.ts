import type { Token } from './token.ts'

/** A sealed auth share that the server has given out: useless without this device's keys and its own share. */
export interface Release {
  readonly setId: string
  readonly authShare: string
}

/**
 * What the server has released, so that a signature needs no network. A release serves the very token that got it,
 * and until that expires: with another token the server is asked again, because only it can tell a genuine one.
 */
export interface Releases {
  get(token: Token, address: string): Release | undefined
  set(token: Token, address: string, release: Release): void
  forget(user: string): void
}

/** Nothing released yet. */
export function createReleases(): Releases {
  const kept = new Map<string, { token: Token['fingerprint']; user: string; release: Release }>()
  const nameOf = (user: string, address: string) => JSON.stringify([user, address])
  return {
    get(token, address) {
      const found = kept.get(nameOf(token.user, address))
      return found?.token === token.fingerprint ? found.release : undefined
    },
    set: (token, address, release) =>
      void kept.set(nameOf(token.user, address), { token: token.fingerprint, user: token.user, release }),
    forget(user) {
      for (const [name, entry] of kept) if (entry.user === user) kept.delete(name)
    },
  }
}
