/** How the vault sends a request to its server. */
import { type Clock, createServerClock } from '../../lib/clock.ts'
import { limits } from '../../lib/limits.ts'
import { isPlainObject, type PlainObject, parsePlain } from '../../lib/plain.ts'
import { ExchangeError, type Fetch, type RetryingRequest, retryingFetch } from '../../lib/retrying-fetch.ts'
import { version } from '../../lib/version.ts'
import { type MfaPurpose, mfaPurposes } from '../../protocol/frame/calls.ts'
import { toFrameErrorType } from '../../protocol/frame/messages.ts'
import { withStatusHeader } from '../../protocol/status-header.ts'
import type { DeviceKey } from '../device/key.ts'
import { proveCall } from '../device/proof.ts'
import type { Client } from '../entry/client.ts'
import type { VaultSettings } from '../entry/settings.ts'
import { type MfaAsked, type Remedy, VaultError } from '../errors.ts'
import { formatRootName } from '../keys/address.ts'
import type { RootName } from '../model.ts'
import type { Token } from '../token.ts'

/**
 * Asks the server, with one idempotency key for all attempts and a fresh proof of the device for each, and gives the
 * answer's body. `path` counts from the API's version. Without a token it is a call of nobody's, such as a login; without a body
 * it only reads. With `orMissing`, what the server does not know is `undefined`. Throws {@link VaultError}.
 */
export interface Post {
  (token: Token | undefined, path: string, body: object | undefined): Promise<PlainObject>
  (
    token: Token | undefined,
    path: string,
    body: object | undefined,
    options: PostOptions & { readonly orMissing?: undefined },
  ): Promise<PlainObject>
  (
    token: Token | undefined,
    path: string,
    body: object | undefined,
    options: PostOptions,
  ): Promise<PlainObject | undefined>
}
export interface PostOptions {
  readonly orMissing?: true | undefined
  /** A proof that the person has shown a second factor. */
  readonly mfaProof?: string | undefined
  /** The statement that the user approved in the vault's window; the device key signs it with the call. */
  readonly statement?: string | undefined
}

/** What the server answers to a call of a login, as it came, or why there is none. */
export type LoginReply = Answer | { readonly silent: ExchangeError['reason'] }
/**
 * Makes a call of a login with a proof of this device, whose cookie belongs to the page around. Whose access token the
 * page has goes along: a guest becomes somebody.
 */
export type LoginCall = (path: string, body: object, accessToken: string | undefined) => Promise<LoginReply>

/** The server at the settings' address. */
export function createServer(
  { appId, apiUrl, proofNonce }: VaultSettings,
  plainFetch: Fetch,
  clock: Clock,
  device: () => Promise<DeviceKey>,
  { clientId, analyticsId }: Client = {},
): { readonly post: Post; readonly logIn: LoginCall; readonly aheadBy: () => number | undefined } {
  let nonce = proofNonce
  const serverClock = createServerClock(clock)
  const fetch = withStatusHeader(plainFetch)

  /** Sends one attempt with a proof of its own, and learns for the next one. */
  const proven =
    (
      key: DeviceKey,
      method: 'GET' | 'POST',
      accessToken: string | undefined,
      statement: string | undefined,
    ): Fetch =>
    async (url, init) => {
      const now = clock.now() + (serverClock.ahead() ?? 0)
      const dpop = await proveCall(key, { method, url, accessToken, nonce, statement, now })
      const response = await fetch(url, { ...init, headers: { ...(init?.headers as object), dpop } })
      nonce = response.headers.get('dpop-nonce') ?? nonce
      serverClock.learn(response.headers)
      return response
    }

  async function exchange(
    path: string,
    body: object | undefined,
    {
      bearer,
      bound,
      mfaProof,
      statement,
      more,
    }: {
      bearer: string | undefined
      bound: boolean
      mfaProof?: string | undefined
      statement?: string | undefined
      more?: RequestInit
    },
  ): Promise<Answer> {
    const method = body ? 'POST' : 'GET'
    const send = proven(await device(), method, bound ? bearer : undefined, statement)
    const request: RetryingRequest = {
      url: `${apiUrl}/api/v1${path}`,
      method,
      credentials: more?.credentials ?? 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(body && { 'idempotency-key': crypto.randomUUID() }),
        ...(mfaProof && { 'latchkey-mfa': mfaProof }),
        'privy-app-id': appId,
        ...(clientId && { 'privy-client-id': clientId }),
        ...(analyticsId && { 'privy-ca-id': analyticsId }),
        'privy-client': `latchkey-vault:${version}`,
        ...(more?.headers as Record<string, string> | undefined),
      },
      ...(body && { body: JSON.stringify(body) }),
    }
    const answer = await retryingFetch(send, clock, request)
    return isProofRefused(answer) ? retryingFetch(send, clock, request) : answer
  }

  const logIn: LoginCall = async (path, body, bearer) => {
    const more = {
      credentials: 'include',
      headers: { 'latchkey-session': 'cookie', 'privy-ui': 't' },
    } as const
    try {
      return await exchange(path, body, { bearer, bound: false, more })
    } catch (cause) {
      if (cause instanceof ExchangeError) return { silent: cause.reason }
      throw cause
    }
  }

  async function post(token: Token | undefined, path: string, body: object | undefined): Promise<PlainObject>
  async function post(
    token: Token | undefined,
    path: string,
    body: object | undefined,
    options: PostOptions & { readonly orMissing?: undefined },
  ): Promise<PlainObject>
  async function post(
    token: Token | undefined,
    path: string,
    body: object | undefined,
    options?: PostOptions,
  ): Promise<PlainObject | undefined>
  async function post(
    token: Token | undefined,
    path: string,
    body: object | undefined,
    { orMissing, mfaProof, statement }: PostOptions = {},
  ) {
    const options = { bearer: token?.text, bound: true, mfaProof, statement }
    const answer = await exchange(path, body, options).catch((cause: unknown) => {
      const silent = cause instanceof ExchangeError && cause.reason === 'timeout'
      throw new VaultError(
        'error',
        silent ? 'The wallet service did not answer' : 'No connection to the wallet service',
        { cause, remedy: 'connect' },
      )
    })
    return orMissing && answer.status === 404 ? undefined : read(answer)
  }
  return { post, logIn, aheadBy: serverClock.ahead }
}

/** The refusal came with the server's nonce and its time, so that another proof may do. */
const isProofRefused = ({ status, text }: Answer) =>
  status === 401 && ['use_dpop_nonce', 'invalid_dpop_proof'].includes(codeOf(text) ?? '')

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
  if (status < 200 || status > 299) throw refusal(status, codeOf(text), text)
  const body = parsePlain(text, limits.responseSize)
  if (!isPlainObject(body)) throw unexpectedAnswer()
  return body
}

/** The server's own name for a refusal. */
function codeOf(text: string): string | undefined {
  const body = parsePlain(text, limits.responseSize)
  const code = isPlainObject(body) ? body.code : undefined
  return typeof code === 'string' && /^[a-z0-9_]{1,64}$/.test(code) ? code : undefined
}

/** Only the status and the code are used: the server's own words are for the API's readers, not for a page. */
function refusal(status: number, code: string | undefined, text: string): VaultError {
  const mfa = isMfaAsked(code) ? mfaOf(text) : undefined
  const type = mfa ? 'missing_or_invalid_mfa' : toFrameErrorType(code)
  const remedy = mfa ? undefined : remedyFor(status, code)
  return new VaultError(type, mfa ? 'MFA verification is required' : wordsFor(status, code), {
    code,
    remedy,
    mfa,
  })
}

const isMfaAsked = (code: string | undefined) =>
  code === 'missing_or_invalid_mfa' || code === 'expired_or_invalid_mfa_token'

/** What a second factor is wanted for, and which ones the person has. */
function mfaOf(text: string): MfaAsked {
  const body = parsePlain(text, limits.responseSize)
  const data = isPlainObject(body) && isPlainObject(body.data) ? body.data : undefined
  const purpose = mfaPurposes.find((known): known is MfaPurpose => known === data?.purpose) ?? 'use'
  const methods = Array.isArray(data?.methods) ? data.methods : []
  return { purpose, methods: methods.filter((method) => typeof method === 'string') }
}

function remedyFor(status: number, code: string | undefined): Remedy | undefined {
  if (status === 429) return 'wait'
  return isLoginRefused(status, code) ? 'login' : undefined
}
const isLoginRefused = (status: number, code: string | undefined) =>
  status === 401 || (status === 403 && !code)

function wordsFor(status: number, code: string | undefined): string {
  if (toFrameErrorType(code) !== 'error') return 'The wallet service refused the request'
  if (status === 429) return 'Too many requests (code 429)'
  if (isLoginRefused(status, code)) return 'The wallet service did not accept the login'
  if (status === 404) return 'The wallet service does not know this wallet'
  if (status >= 500) return 'The wallet service is not available'
  return `The wallet service refused the request (${code ?? status})`
}
