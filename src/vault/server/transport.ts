/** How the vault sends a request to its server. */
import type { Clock } from '../../lib/clock.ts'
import { limits } from '../../lib/limits.ts'
import { isPlainObject, type PlainObject, parsePlain } from '../../lib/plain.ts'
import { ExchangeError, type Fetch, retryingFetch } from '../../lib/retrying-fetch.ts'
import { version } from '../../lib/version.ts'
import { toFrameErrorType } from '../../protocol/frame/messages.ts'
import type { VaultSettings } from '../entry/settings.ts'
import { VaultError } from '../errors.ts'
import { formatRootName } from '../keys/address.ts'
import type { RootName } from '../model.ts'
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
export const rootPath = (root: RootName): string => `/embedded_wallets/${formatRootName(root)}`

/** For an answer of status 200 without what it should contain. */
export const unexpectedAnswer = (): VaultError =>
  new VaultError('error', 'The wallet service sent an unexpected answer')

interface Answer {
  readonly status: number
  readonly text: string
}

/** The body of a successful answer. Throws the {@link VaultError} that any other one means. */
function read({ status, text }: Answer): PlainObject {
  const body = parsePlain(text, limits.responseSize)
  if (status < 200 || status > 299) throw refusal(status, isPlainObject(body) ? body.code : undefined)
  if (!isPlainObject(body)) throw unexpectedAnswer()
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
  if (status === 404) return 'The wallet service does not know this wallet'
  if (status >= 500) return 'The wallet service is not available'
  return `The wallet service refused the request (${code ?? status})`
}
