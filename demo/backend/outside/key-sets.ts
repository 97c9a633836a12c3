import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import * as v from 'valibot'
import { Unavailable } from '../lib/refusal.ts'
import type { Limits } from '../settings/limits.ts'
import { fetchOutside } from './ask.ts'

const keySet = v.object({ keys: v.array(v.looseObject({ kty: v.string() })) })

/** Of a key set, what can verify: no shared secrets, and of key pairs the public half. */
const publicKeys = ({ keys }: v.InferOutput<typeof keySet>) => ({
  keys: keys
    .filter(({ kty }) => kty !== 'oct')
    .map(({ d, p, q, dp, dq, qi, ...key }) => key as typeof key & { kty: string }),
})

export interface KeySets {
  /** Finds the key of a token in the set at an address. @throws Unavailable when the set can't be had */
  keyOf(url: string): JWTVerifyGetKey
}

interface Cached {
  find: JWTVerifyGetKey
  at: number
}

/**
 * Key sets of others, fetched when they are needed and kept for a while. A token with a key that is not there has the
 * set fetched again, since it may have been changed; no more often than the cooldown allows, even if many are sent.
 * The token's `kid` is only compared.
 */
export function createKeySets(deps: { limits: Limits; clock: () => number }): KeySets {
  const { limits, clock } = deps
  const sets = new Map<string, Cached>()
  const loading = new Map<string, Promise<Cached>>()

  function load(url: string): Promise<Cached> {
    const running = loading.get(url)
    if (running) return running
    const started = fetchSet(url, limits)
      .then((find) => {
        const cached = { find, at: clock() }
        sets.set(url, cached)
        return cached
      })
      .finally(() => loading.delete(url))
    loading.set(url, started)
    return started
  }

  const ageOf = ({ at }: Cached) => clock() - at

  return {
    keyOf: (url) => async (header, token) => {
      const kept = sets.get(url)
      const cached = kept && ageOf(kept) < limits.keySetLife ? kept : await load(url)
      try {
        return await cached.find(header, token)
      } catch (cause) {
        if (!(cause instanceof errors.JWKSNoMatchingKey) || ageOf(cached) < limits.keySetCooldown) throw cause
        return (await load(url)).find(header, token)
      }
    },
  }
}

async function fetchSet(url: string, limits: Limits): Promise<JWTVerifyGetKey> {
  const accept = 'application/jwk-set+json, application/json'
  const bounds = { timeout: limits.outsideTimeout, most: limits.outsideAnswerSize }
  try {
    const response = await fetchOutside('A key set', url, { headers: { accept } }, bounds)
    if (!response.ok) throw new Error(`answered ${response.status}`)
    return createLocalJWKSet(publicKeys(v.parse(keySet, await response.json())))
  } catch (cause) {
    throw new Unavailable("The app's keys could not be fetched. Please try again.", { cause })
  }
}
