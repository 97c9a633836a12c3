import type { Storage } from '../../lib/storage.ts'
import { returnKey, sessionKey } from '../../session/keys.ts'

/** What the run of a dialog needs to be resumed after the page was left. */
export interface RunNotes {
  /** The name of its surface. */
  readonly surface?: string | undefined
  readonly loginMethods?: readonly string[] | undefined
  readonly prefill?: { readonly type: 'email' | 'phone'; readonly value: string } | undefined
  /** What it was begun from, and leads back to. */
  readonly from?: 'settings' | undefined
}

/** A login that has gone to a provider, as this page or tab remembers it until the person is back. */
export interface LeftLogin extends RunNotes {
  readonly provider: string
  readonly state: string
  /** Proves that the person who comes back is the one who left; sent only to our own server. */
  readonly verifier: string
  readonly leftAt: number
  readonly disableSignup: boolean
  /** The host draws its own screens. */
  readonly headless: boolean
  /** The person to whom the account is added; without one it is a login. */
  readonly linkTo?: string | undefined
  /** The person went back before the page had left. If they return from the provider anyway, they see an error and are not logged in. */
  readonly abandoned?: boolean | undefined
}

const key = (appId: string) => sessionKey(appId, 'oauth')

export function keepLeftLogin(storage: Storage, appId: string, left: LeftLogin): void {
  // What has come back before belongs to no login that comes after it.
  storage.remove(returnKey)
  storage.set(key(appId), JSON.stringify(left))
}

/** What came back for it is forgotten with it. */
export function forgetLeftLogin(storage: Storage, appId: string): void {
  storage.remove(key(appId))
  storage.remove(returnKey)
}

/**
 * The login with which this tab has left; `undefined` if there is none, or none that we could have written.
 */
export function leftLoginOf(storage: Pick<Storage, 'get'>, appId: string): LeftLogin | undefined {
  const text = storage.get(key(appId))
  if (text === undefined) return undefined
  try {
    const flow: Partial<LeftLogin> | null = JSON.parse(text)
    if (!flow || typeof flow.leftAt !== 'number') return undefined
    const { provider, state, verifier } = flow
    if (![provider, state, verifier].every((each) => typeof each === 'string' && each)) return undefined
    return flow as LeftLogin
  } catch {
    return undefined
  }
}

/** Whether any app of this tab has left with that state. */
export function isLeftHere(state: string, open: () => globalThis.Storage): boolean {
  try {
    const storage = open()
    const get = (name: string) => storage.getItem(name) ?? undefined
    return Object.keys(storage).some((name) => {
      const appId = /^lk:(.+):oauth$/.exec(name)?.[1]
      return appId !== undefined && leftLoginOf({ get }, appId)?.state === state
    })
  } catch {
    // Storage is blocked, so nothing was stored there either.
    return false
  }
}
