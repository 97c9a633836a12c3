import { decodeJwt } from 'jose/jwt/decode'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { TimedOut, within } from '../../lib/clock.ts'
import { limits } from '../../lib/limits.ts'
import { sha256Text } from '../../lib/random.ts'
import type { Readable } from '../../lib/store.ts'
import { authenticateWithCustomJwt } from '../../protocol/custom-jwt.ts'
import { sessionKey } from '../../session/keys.ts'
import { type FlowState, withFlowState } from '../flow-state.ts'
import { type Login, loginOf } from '../login-result.ts'
import type { AuthContext } from '../service-context.ts'

/** Follows the host's own login: people who have a token there are logged in here with the same token. */
export interface CustomAuth {
  /** `initial` until the host's login applies, then `loading`, `done`, `error`. */
  readonly state: Readable<FlowState>
  /**
   * Asks the host for its token, once, and brings this session in line with it. Resolves with the login that
   * resulted, or with nothing if all was well already. Throws a {@link KitError}: the server's code,
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

  /** Which of our users logged in as which of the host's, to tell whether a new token is somebody else's. */
  const storedMatch = () => storage.get(key)
  const matchOf = async (userId: string, token: string) => `${userId} ${await identityOf(token)}`
  const isFromHost = () => storedMatch()?.startsWith(`${user()?.id} `) ?? false

  async function askHost(ask: () => Promise<string | undefined | null>): Promise<string | undefined> {
    try {
      const token = await within(clock, limits.requestTimeout, async () => ask())
      return token || undefined
    } catch (cause) {
      if (cause instanceof TimedOut)
        throw new KitError('client_request_timeout', "The host's custom access token did not arrive", {
          cause,
          retryable: true,
        })
      throw toKitError(cause)
    }
  }

  async function syncWithHost(
    ask: () => Promise<string | undefined | null>,
    logout: () => Promise<void>,
  ): Promise<Login | undefined> {
    const token = await askHost(ask)
    const known = user()
    if (token === undefined) {
      // People who logged in another way have nothing to do with the host's login.
      if (known && isFromHost()) await logout()
      return undefined
    }
    if (known && storedMatch() === (await matchOf(known.id, token))) return undefined
    // A guest is upgraded; nobody else may stay logged in next to the host's own user, even for a
    // moment.
    if (known && !known.isGuest) await logout()
    const answer = await authenticateWithCustomJwt(cx.http(), token)
    // Never tagged 'Recent', because it has no row on the landing screen.
    const login = loginOf({ session, onLogin() {} }, answer, 'custom', ({ type }) => type === 'custom')
    storage.set(key, await matchOf(login.user.id, token))
    return login
  }

  return {
    state,
    async follow(logout) {
      const options = cx.config().host.customAuth
      if (!options?.enabled || options.isLoading) return undefined
      return withFlowState(state, { during: 'loading', after: 'done' }, () =>
        syncWithHost(() => options.getCustomAccessToken(), logout).catch((cause: unknown) => {
          throw toKitError(cause)
        }),
      )
    },
  }
}

/** What a new token of the same login changes. */
const volatileClaims: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time', 'nonce', 'sid'])

/** Identifies the person by the token's claims; anything but a JWT is a different person each time. */
async function identityOf(token: string): Promise<string> {
  try {
    const lasting = Object.entries(decodeJwt(token)).filter(([claim]) => !volatileClaims.has(claim))
    return await sha256Text(JSON.stringify(lasting.sort(([a], [b]) => (a < b ? -1 : 1))))
  } catch {
    return sha256Text(token)
  }
}
