import type { VaultContext, VaultParts } from './context.ts'
import { enrolSilently } from './device/enrol.ts'
import { type DeviceKey, newKeyPair, openKeyPair } from './device/key.ts'
import { enrolmentRequired, VaultError } from './errors.ts'
import { createPost, type Post } from './server/transport.ts'
import { createReleases } from './shares/releases.ts'
import type { Token } from './token.ts'

/** Puts together what the vault's operations work with. */
export function createContext(parts: VaultParts): VaultContext {
  const { settings, fetch, clock, keys, logouts } = parts
  const device = once(async () => openKeyPair(await keys.keyOf(settings.appId, newKeyPair)))
  const api = createPost(settings, fetch, clock, device)
  const releases = createReleases(clock)
  logouts.onLogout((user) => releases.forget(user))
  const bare: VaultContext = { ...parts, device, releases, api }
  return { ...bare, api: enrolling(bare) }
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
 * Calls to the server which, where it doesn't know this device yet, enrol it and ask once more. Calls at the same time
 * share one enrolment.
 */
function enrolling(cx: VaultContext): Post {
  const running = new Map<string, Promise<void>>()
  const enrol = (token: Token): Promise<void> => {
    const enrolment =
      running.get(token.text) ?? enrolSilently(cx, token).finally(() => running.delete(token.text))
    running.set(token.text, enrolment)
    return enrolment
  }
  async function post(token: Token | undefined, path: string, body: object, options = {}) {
    const ask = () => cx.api(token, path, body, options)
    try {
      return await ask()
    } catch (cause) {
      if (!token || !isUnknownDevice(cause)) throw cause
      await enrol(token)
      return await ask().catch((again) => {
        throw isUnknownDevice(again) ? enrolmentRequired() : again
      })
    }
  }
  return post as Post
}

const isUnknownDevice = (cause: unknown) =>
  cause instanceof VaultError && cause.code === 'device_not_enrolled'
