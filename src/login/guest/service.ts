import { KitError, toKitError } from '../../errors/kit-error.ts'
import { randomText } from '../../lib/random.ts'
import type { Readable } from '../../lib/store.ts'
import { authenticateGuest } from '../../protocol/guest.ts'
import type { CallOptions } from '../../protocol/http.ts'
import { sessionKey } from '../../session/keys.ts'
import { type FlowState, withFlowState } from '../flow-state.ts'
import { loginLimits } from '../limits.ts'
import { type Login, loginOf } from '../login-result.ts'
import type { AuthContext } from '../service-context.ts'

/** Accounts of people who have not said who they are. They become regular ones with the first login. */
export interface GuestAuth {
  /** `loading`, `done`, `error`. */
  readonly state: Readable<FlowState>
  /**
   * Logs in as this browser's guest, who is created if there is none. Throws a {@link KitError}:
   * `invalid_state` when somebody is logged in who is no guest, else the server's code.
   */
  create(options?: CallOptions): Promise<Login>
}

export function createGuestAuth(cx: AuthContext): GuestAuth {
  const { storage } = cx
  const state = cx.state('guest')
  const key = sessionKey(cx.appId, 'guest')

  /** Stored before it is sent: if the answer is lost, the guest must not be lost with it. */
  function credential(): string {
    const known = storage.get(key)
    if (known) return known
    const made = randomText(loginLimits.guestRandomBytes)
    storage.set(key, made)
    return made
  }

  async function authenticate(options: CallOptions | undefined) {
    try {
      return await authenticateGuest(cx.http(), credential(), options)
    } catch (cause) {
      // The guest has got an account in another tab, so this browser begins with a new one.
      if (!(cause instanceof KitError) || cause.code !== 'invalid_credentials') throw cause
      storage.remove(key)
      return authenticateGuest(cx.http(), credential(), options)
    }
  }

  return {
    state,
    create: (options) =>
      withFlowState(state, { during: 'loading', after: 'done' }, async () => {
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
        // Never tagged 'Recent', because it has no row on the landing screen.
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
