import { memoryStorage } from '../lib/storage.ts'
import type { VaultContext, VaultParts } from './context.ts'
import { type DeviceKey, newKeyPair, openKeyPair } from './device/key.ts'
import { enrolmentRequired, VaultError } from './errors.ts'
import { createMfaProofs, type ProveMfa, provingMfa, unasked } from './mfa/proofs.ts'
import { createServer, type Post } from './server/transport.ts'
import { createReleases } from './shares/releases.ts'
import type { Token } from './token.ts'

/** Puts together what the vault's operations work with. */
export function createContext(parts: VaultParts): VaultContext {
  const { settings, fetch, clock, keys, logouts, client, tabStorage = memoryStorage() } = parts
  const device = once(async () => openKeyPair(await keys.keyOf(settings.appId, newKeyPair)))
  const { post: plainApi, logIn, aheadBy } = createServer(settings, fetch, clock, device, client)
  const mfa = createMfaProofs(settings.appId, tabStorage, clock)
  const releases = createReleases(clock, mfa.until, aheadBy)
  logouts.onLogout((user) => {
    releases.forget(user)
    mfa.forget(user)
  })
  const running = new Map<string, Promise<void>>()

  function proving(prove: ProveMfa): VaultContext {
    const api = provingMfa(plainApi, mfa, prove)
    const known = { ...parts, device, releases, plainApi, logIn, aheadBy, mfa, prove, proving }
    // An enrolment is told as it is when its own calls are refused, and starts no other one.
    const bare: VaultContext = { ...known, api, enrol: async () => {} }
    // Once for each browser: what shows a key or draws an approval does without it.
    const enrol = shared(running, async (token) =>
      (await import('./device/enrol.ts')).enrolSilently(bare, token),
    )
    return { ...known, enrol, api: enrolling(api, enrol) }
  }
  // Without anybody to ask, it is for the page to have the person verified.
  return proving(unasked)
}

/** Enrolments of a login at the same time are one. */
function shared(running: Map<string, Promise<void>>, enrol: VaultContext['enrol']): VaultContext['enrol'] {
  return (token) => {
    const enrolment = running.get(token.text) ?? enrol(token).finally(() => running.delete(token.text))
    running.set(token.text, enrolment)
    return enrolment
  }
}

/** The key is opened once; after a failure the next call tries again. */
function once(open: () => Promise<DeviceKey>): () => Promise<DeviceKey> {
  let opened: Promise<DeviceKey> | undefined
  return async () => {
    opened ??= open()
    try {
      return await opened
    } catch (cause) {
      opened = undefined
      throw cause
    }
  }
}

/**
 * Calls to the server which, where it doesn't know this device yet, enrol it and ask once more. The person's first wallet ends
 * what other browsers had by a login alone, so one that is made elsewhere meanwhile can cost this device a second enrolment.
 */
function enrolling(api: Post, enrol: VaultContext['enrol']): Post {
  async function post(token: Token | undefined, path: string, body: object | undefined, options = {}) {
    for (let enrolments = 0; ; enrolments++) {
      try {
        return await api(token, path, body, options)
      } catch (cause) {
        if (!token || !isUnknownDevice(cause)) throw cause
        if (enrolments === 2) throw enrolmentRequired()
        await enrol(token)
      }
    }
  }
  return post as Post
}

const isUnknownDevice = (cause: unknown) =>
  cause instanceof VaultError && cause.code === 'device_not_enrolled'
