import type { RootName } from '../model.ts'
import type { Token } from '../token.ts'

/** A sealed auth share that the server has given out: useless without this device's keys and its own share. */
export interface Release {
  readonly walletId: string
  readonly setId: string
  readonly authShare: string
}

/**
 * What the server has released, so that a signature needs no network. A release serves the very token that got it,
 * and until that expires: with another token the server is asked again, because only it can tell a genuine one.
 */
export interface Releases {
  get(token: Token, root: RootName): Release | undefined
  /** Files a release of a root under one of its names. */
  set(token: Token, root: RootName, release: Release): void
  forget(user: string): void
}

/** Nothing released yet. */
export function createReleases(): Releases {
  const names = new Map<string, { user: string; walletId: string }>()
  const kept = new Map<string, { user: string; token: Token['fingerprint']; release: Release }>()
  const fileOf = (user: string, ...more: string[]) => JSON.stringify([user, ...more])
  return {
    get(token, { chainType, address }) {
      const named = names.get(fileOf(token.user, chainType, address))
      const found = named && kept.get(fileOf(token.user, named.walletId))
      return found?.token === token.fingerprint ? found.release : undefined
    },
    set({ user, fingerprint: token }, { chainType, address }, release) {
      const { walletId } = release
      names.set(fileOf(user, chainType, address), { user, walletId })
      kept.set(fileOf(user, walletId), { user, token, release })
    },
    forget(user) {
      for (const map of [names, kept])
        for (const [name, entry] of map) if (entry.user === user) map.delete(name)
    },
  }
}
