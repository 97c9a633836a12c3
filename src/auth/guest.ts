import { limits } from '../core/limits.ts'
import { randomText } from '../core/random.ts'
import type { Readable } from '../core/store.ts'
import { KitError, toKitError } from '../errors/kit-error.ts'
import { sessionKey } from '../session/keys.ts'
import { authenticateGuest } from '../wire/guest.ts'
import type { CallOptions } from '../wire/http.ts'
import type { AuthContext } from './context.ts'
import { type FlowState, telling } from './flow-state.ts'
import { type Login, loginOf } from './login.ts'

/** Accounts of people who have not said who they are. They become real ones with their first login. */
export interface GuestAuth {
  /** `loading`, `done`, `error`. */
  readonly state: Readable<FlowState>
  /**
   * Logs in as this browser's guest, which is made when there is none. Throws a {@link KitError}: `invalid_state` when
   * somebody is logged in who is no guest, else the server's code.
   */
  create(options?: CallOptions): Promise<Login>
}

export function createGuestAuth(cx: AuthContext): GuestAuth {
  const { storage } = cx
  const state = cx.state('guest')
  const key = sessionKey(cx.appId, 'guest')

  /** Kept before it is sent: an answer that gets lost must not leave a guest whom nobody can be again. */
  function credential(): string {
    const known = storage.get(key)
    if (known) return known
    const made = randomText(limits.guestRandomBytes)
    storage.set(key, made)
    return made
  }

  async function authenticate(options: CallOptions | undefined) {
    try {
      return await authenticateGuest(cx.http(), credential(), options)
    } catch (cause) {
      // The guest has an account by now, which was made in another tab: this browser begins with a new one.
      if (!(cause instanceof KitError) || cause.code !== 'invalid_credentials') throw cause
      storage.remove(key)
      return authenticateGuest(cx.http(), credential(), options)
    }
  }

  return {
    state,
    create: (options) =>
      telling(state, { during: 'loading', after: 'done' }, async () => {
        const user = cx.session.user.get()
        if (user && !user.isGuest)
          throw new KitError(
            'invalid_state',
            'User cannot already be authenticated to create a guest account',
          )
        const answer = await authenticate(options).catch((cause: unknown) => {
          options?.signal?.throwIfAborted()
          throw unable(toKitError(cause))
        })
        // Nothing that a landing screen could call 'Recent'.
        return loginOf({ session: cx.session, onLogin() {} }, answer, 'guest', () => false)
      }),
  }
}

const unable = (cause: KitError) =>
  new KitError(cause.code, 'Unable to authenticate guest account', {
    cause,
    details: cause.message,
    retryable: cause.retryable,
    ...(cause.status !== undefined && { status: cause.status }),
  })
