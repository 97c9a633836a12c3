import { decodeJwt } from 'jose'
import { TimedOut, within } from '../core/clock.ts'
import { limits } from '../core/limits.ts'
import { sha256Text } from '../core/random.ts'
import type { Readable } from '../core/store.ts'
import { KitError, toKitError } from '../errors/kit-error.ts'
import { sessionKey } from '../session/keys.ts'
import { authenticateWithCustomJwt } from '../wire/custom-jwt.ts'
import type { AuthContext } from './context.ts'
import { type FlowState, telling } from './flow-state.ts'
import { type Login, loginOf } from './login.ts'

/** Following the host's own login: who has a token there is logged in here, by the same token. Wire 12.2, 2.9. */
export interface CustomAuth {
  /** `initial` until the host's login counts, then `loading`, `done`, `error`. */
  readonly state: Readable<FlowState>
  /**
   * Asks the host for its token, once, and brings this session in line with it. Resolves with the login that this
   * made, or with nothing where all was well already. Throws a {@link KitError}: the server's code,
   * `client_request_timeout` when the host does not answer, `unknown_auth_error` when it fails.
   * @param logout ends this session
   */
  follow(logout: () => Promise<void>): Promise<Login | undefined>
}

export function createCustomAuth(cx: AuthContext): CustomAuth {
  const { clock, session, storage } = cx
  const state = cx.state('customAuth')
  const key = sessionKey(cx.appId, 'custom')
  const user = () => session.user.get()

  /** Which user of ours came in by which user of the host; tells whether a new token is somebody else's. */
  const noted = () => storage.get(key)
  const note = async (userId: string, token: string) => `${userId} ${await identityOf(token)}`
  const cameThisWay = () => noted()?.startsWith(`${user()?.id} `) ?? false

  async function askHost(ask: () => Promise<string | undefined | null>): Promise<string | undefined> {
    try {
      const token = await within(clock, limits.requestTimeout, async () => ask())
      return token || undefined
    } catch (cause) {
      if (cause instanceof TimedOut)
        throw new KitError('client_request_timeout', 'The token of the app’s own login did not come', {
          ...{ cause, retryable: true },
        })
      throw toKitError(cause)
    }
  }

  async function bringInLine(
    ask: () => Promise<string | undefined | null>,
    logout: () => Promise<void>,
  ): Promise<Login | undefined> {
    const token = await askHost(ask)
    const known = user()
    if (token === undefined) {
      // Whoever came in another way is none of the host's business.
      if (known && cameThisWay()) await logout()
      return undefined
    }
    if (known && noted() === (await note(known.id, token))) return undefined
    // A guest is upgraded; anybody else must not stay logged in for a moment beside the host's own user.
    if (known && !known.isGuest) await logout()
    const answer = await authenticateWithCustomJwt(cx.http(), token)
    // Nothing that a landing screen could call 'Recent'.
    const login = loginOf({ session, onLogin() {} }, answer, 'custom', ({ type }) => type === 'custom')
    storage.set(key, await note(login.user.id, token))
    return login
  }

  return {
    state,
    async follow(logout) {
      const wish = cx.config().host.customAuth
      if (!wish?.enabled || wish.isLoading) return undefined
      return telling(state, { during: 'loading', after: 'done' }, () =>
        bringInLine(() => wish.getCustomAccessToken(), logout).catch((cause: unknown) => {
          throw toKitError(cause)
        }),
      )
    },
  }
}

/** What a new token of the same login has of its own. */
const passing: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time', 'nonce', 'sid'])

/** Tells people apart by what a token says of them; what is no JWT is each time another one. */
async function identityOf(token: string): Promise<string> {
  try {
    const lasting = Object.entries(decodeJwt(token)).filter(([claim]) => !passing.has(claim))
    return await sha256Text(JSON.stringify(lasting.sort(([a], [b]) => (a < b ? -1 : 1))))
  } catch {
    return sha256Text(token)
  }
}
