/** One call of the vault to its server. Wire 1 and 2.17. */
import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { ExchangeError, type Fetch, retryingFetch } from '../../core/retrying-fetch.ts'
import { version } from '../../core/version.ts'
import { toFrameErrorType } from '../../wire/frame/messages.ts'
import { isPlainObject, type PlainObject, parsePlain } from '../../wire/frame/plain.ts'
import { writtenName } from '../derive/address.ts'
import { VaultError } from '../errors.ts'
import type { RootName } from '../model.ts'
import type { VaultSettings } from '../settings.ts'
import type { Token } from '../token.ts'

/**
 * Asks the server, with one idempotency key for all attempts, and gives the answer's body. `path` counts from the
 * API's version. With `orMissing`, what the server does not know is `undefined`. Throws {@link VaultError}.
 */
export interface Post {
  (token: Token, path: string, body: object): Promise<PlainObject>
  (token: Token, path: string, body: object, options: { orMissing: true }): Promise<PlainObject | undefined>
}

/** The server at the settings' address. */
export function createPost({ appId, apiUrl }: VaultSettings, fetch: Fetch, clock: Clock): Post {
  async function exchange(token: Token, path: string, body: object): Promise<Answer> {
    try {
      return await retryingFetch(fetch, clock, {
        url: `${apiUrl}/api/v1${path}`,
        method: 'POST',
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: `Bearer ${token.text}`,
          'idempotency-key': crypto.randomUUID(),
          'privy-app-id': appId,
          'privy-client': `latchkey-vault:${version}`,
        },
        body: JSON.stringify(body),
      })
    } catch (cause) {
      const silent = cause instanceof ExchangeError && cause.reason === 'timeout'
      throw new VaultError(
        'error',
        silent ? 'The wallet service did not answer' : 'No connection to the wallet service',
      )
    }
  }

  async function post(token: Token, path: string, body: object): Promise<PlainObject>
  async function post(
    token: Token,
    path: string,
    body: object,
    options?: { orMissing: true },
  ): Promise<PlainObject | undefined>
  async function post(token: Token, path: string, body: object, options?: { orMissing: true }) {
    const answer = await exchange(token, path, body)
    return options?.orMissing && answer.status === 404 ? undefined : read(answer)
  }
  return post
}

/** Where the server keeps what belongs to a root. */
export const rootPath = (root: RootName): string => `/embedded_wallets/${writtenName(root)}`

/** What a good answer means that does not hold what it should. */
export const nonsense = (): VaultError =>
  new VaultError('error', 'The wallet service sent an unexpected answer')

interface Answer {
  readonly status: number
  readonly text: string
}

/** The body of a good answer. Throws what a bad one means. */
function read({ status, text }: Answer): PlainObject {
  const body = parsePlain(text, limits.responseSize)
  if (status < 200 || status > 299) throw refusal(status, isPlainObject(body) ? body.code : undefined)
  if (!isPlainObject(body)) throw nonsense()
  return body
}

/** Only the status and the code are used: the server's own words are for the API's readers, not for a page. */
function refusal(status: number, given: unknown): VaultError {
  const code = typeof given === 'string' && /^[a-z0-9_]{1,64}$/.test(given) ? given : undefined
  return new VaultError(toFrameErrorType(code), wordsFor(status, code), { code })
}

function wordsFor(status: number, code: string | undefined): string {
  if (toFrameErrorType(code) !== 'error') return 'The wallet service refused the request'
  if (status === 429) return 'Too many requests (code 429)'
  if (status === 401 || (status === 403 && !code)) return 'The wallet service did not accept the login'
  if (status === 404) return 'The wallet is not known to the wallet service'
  if (status >= 500) return 'The wallet service is not available'
  return `The wallet service refused the request (${code ?? status})`
}
