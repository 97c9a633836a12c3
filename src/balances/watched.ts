/** Tokens that the user has added to those of the app; they stay in this browser until a logout. */
import * as v from 'valibot'
import { parseEthereumAddress } from '../ethereum/address.ts'
import type { Storage } from '../lib/storage.ts'
import { createStore, type Readable } from '../lib/store.ts'
import { balancesLimits } from './limits.ts'

export interface WatchedToken {
  readonly chainId: number
  /** Its contract, with checksum. */
  readonly address: string
}

export interface WatchedTokens {
  readonly tokens: Readable<readonly WatchedToken[]>
  /** The oldest one goes where there are too many. */
  add(token: WatchedToken): void
  /** Removes all of them from this browser. */
  clear(): void
}

const token = v.object({
  chainId: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  address: v.pipe(
    v.string(),
    v.check((text) => parseEthereumAddress(text) === text),
  ),
})
const list = v.pipe(v.array(token), v.maxLength(balancesLimits.tokens))

/** @param key the storage key of one user's tokens in one app */
export function createWatchedTokens(storage: Storage, key: string): WatchedTokens {
  const tokens = createStore(read(storage.get(key)))
  return {
    tokens,
    add(added) {
      // Another tab may have written since this one read.
      const others = read(storage.get(key)).filter((each) => !isSameToken(each, added))
      const next = [...others, added].slice(-balancesLimits.tokens)
      storage.set(key, JSON.stringify(next))
      tokens.set(next)
    },
    clear() {
      storage.remove(key)
      tokens.set([])
    },
  }
}

export const isSameToken = (one: WatchedToken, other: WatchedToken): boolean =>
  one.chainId === other.chainId && one.address === other.address

/** Reads the tokens that were stored; none where that can't be read. */
function read(text: string | undefined): readonly WatchedToken[] {
  try {
    const parsed = v.safeParse(list, JSON.parse(text ?? '[]'))
    return parsed.success ? parsed.output : []
  } catch {
    return []
  }
}
