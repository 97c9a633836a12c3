import type { Clock } from '../../lib/clock.ts'
import { vaultLimits } from '../limits.ts'
import type { RootName } from '../model.ts'
import type { Token } from '../token.ts'

/** A sealed auth share that the server has given out: useless without this device's keys and its own share. */
export interface Release {
  readonly walletId: string
  readonly setId: string
  readonly authShare: string
}

/**
 * What the server has released, so that a signature needs no network. A release serves the very token that got it, for
 * five minutes and until the token expires: with another token the server is asked again, because only it can tell a
 * genuine one, and after that time because it may have ended the session or removed the device.
 */
export interface Releases {
  get(token: Token, root: RootName): Release | undefined
  /** Files a release of a root under one of its names. */
  set(token: Token, root: RootName, release: Release): void
  forget(user: string): void
}

/**
 * Nothing released yet.
 * @param least what a release of a person never outlives, such as the proof of a second factor that it was given for
 * @param aheadBy by how much the clock of the server, which sets the end of a token, is ahead of this one
 */
export function createReleases(
  clock: Pick<Clock, 'now'>,
  least: (user: string) => number = () => Number.POSITIVE_INFINITY,
  aheadBy: () => number | undefined = () => undefined,
): Releases {
  const names = new Map<string, { user: string; walletId: string }>()
  const kept = new Map<
    string,
    { user: string; token: Token['fingerprint']; until: number; release: Release }
  >()
  const fileOf = (user: string, ...more: string[]) => JSON.stringify([user, ...more])
  const dropOld = () => {
    for (const [name, { until }] of kept) if (until <= clock.now()) kept.delete(name)
  }
  return {
    get(token, { chainType, address }) {
      dropOld()
      const named = names.get(fileOf(token.user, chainType, address))
      const found = named && kept.get(fileOf(token.user, named.walletId))
      return found?.token === token.fingerprint ? found.release : undefined
    },
    set({ user, fingerprint: token, expiresAt }, { chainType, address }, release) {
      dropOld()
      const { walletId } = release
      const tokenEnds = expiresAt - (aheadBy() ?? 0)
      const until = Math.min(clock.now() + vaultLimits.releaseKept, tokenEnds, least(user))
      names.set(fileOf(user, chainType, address), { user, walletId })
      kept.set(fileOf(user, walletId), { user, token, until, release })
    },
    forget(user) {
      for (const map of [names, kept])
        for (const [name, entry] of map) if (entry.user === user) map.delete(name)
    },
  }
}
