/** Requests of apps to each other's wallets. docs/protocol.md, "Cross-app requests" */
import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { optionalText, parseOptional, requiredText } from './schema.ts'

/** A call that another app is asked to carry out with a wallet of its user. */
export type AppCall =
  | { readonly method: 'personal_sign'; readonly params: readonly [message: string, address: string] }
  | {
      readonly method: 'eth_signTypedData_v4'
      readonly params: readonly [address: string, typedData: string | object]
    }
  | { readonly method: 'eth_sendTransaction'; readonly params: readonly [transaction: object] }

const kinds = {
  personal_sign: 'message',
  eth_signTypedData_v4: 'typed-data',
  eth_sendTransaction: 'transaction',
} as const

/** The kind of a call, in words of hosts. */
export const appCallKind = ({ method }: AppCall) => kinds[method]

/**
 * The address of the page at which another app has its user review a request.
 * @param asked.base the other app's API
 * @param asked.at milliseconds since 1970
 * @param asked.origin of this page, which alone gets the result
 */
export function appRequestUrl(asked: {
  base: string
  token: string
  call: AppCall
  at: number
  origin: string
}): string {
  const { method, params } = asked.call
  const body = {
    content: { request: { request: { method, params } } },
    timestamp: asked.at,
    callbackUrl: asked.origin,
  }
  const request = JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return `${asked.base}/oauth/transact?${new URLSearchParams({ token: asked.token, request })}`
}

/** Changes what is stored of the other app's token: another one, or none. */
const tokenChange = v.fallback(
  v.nullish(
    v.variant('action', [
      v.object({ action: v.literal('set'), value: requiredText }),
      v.object({ action: v.literal('clear') }),
    ]),
  ),
  undefined,
)
const errorText = v.union([
  v.string(),
  v.pipe(
    v.object({ message: v.string() }),
    v.transform(({ message }) => message),
  ),
])
const message = v.variant('type', [
  v.pipe(
    v.object({
      type: v.literal('PRIVY_CROSS_APP_ACTION_RESPONSE'),
      result: requiredText,
      token: tokenChange,
    }),
    v.transform(({ result, token }) => ({ result, token })),
  ),
  v.pipe(
    v.object({
      type: v.literal('PRIVY_CROSS_APP_ACTION_ERROR'),
      error: v.fallback(errorText, ''),
      token: tokenChange,
    }),
    v.transform(({ error, token }) => ({ error, token })),
  ),
])
export type AppAnswer = v.InferOutput<typeof message>

/** The answer of another app's window; `undefined` for any other message. Never throws. */
export const readAppAnswer = (data: unknown): AppAnswer | undefined => parseOptional(message, data)

/** The texts by which apps tell each other what went wrong. */
export const appErrors = {
  token: 'Transactions require a valid token',
  readOnly: 'Cannot transact against a read-only provider app',
  wallet: 'Cannot request a signature with this wallet address',
  request: 'Failed to initialize signature request',
  timeout: 'Request timeout',
  rejected: 'User rejected request',
} as const

/** A request of another app, as the address of the page that its user was sent to has it. */
export interface RequestAsked {
  /** `request_id`. */
  readonly id: string
  /** The id of the app that asks: `client_id`. */
  readonly appId: string
}

const text = v.pipe(v.string(), v.nonEmpty())
const appCall = v.variant('method', [
  v.object({ method: v.literal('personal_sign'), params: v.tuple([v.string(), text]) }),
  v.object({
    method: v.literal('eth_signTypedData_v4'),
    params: v.tuple([text, v.union([text, v.record(v.string(), v.unknown())])]),
  }),
  v.object({
    method: v.literal('eth_sendTransaction'),
    params: v.tuple([v.looseObject({ from: text })]),
  }),
])
const review = v.intersect([
  v.pipe(
    v.object({
      requester: v.object({ id: text, name: text, icon_url: optionalText, origin: text }),
      expires_at: v.number(),
    }),
    v.transform(({ requester: { icon_url: iconUrl, ...requester }, expires_at }) => ({
      requester: { ...requester, iconUrl },
      expiresAt: expires_at,
    })),
  ),
  v.pipe(
    v.unknown(),
    appCall,
    v.transform((call) => ({ call })),
  ),
])

/** A request of another app, as our own server has it. */
export interface AppRequest {
  readonly requester: {
    readonly id: string
    readonly name: string
    readonly iconUrl: string | undefined
    readonly origin: string
  }
  readonly call: AppCall
  /** Milliseconds since 1970, by the server's clock. */
  readonly expiresAt: number
}

const reviewing: Endpoint<Record<string, string>, AppRequest> = {
  method: 'POST',
  path: '/oauth/transact/review',
  answer: review,
}

/** `POST /oauth/transact/review`: reads a request that is open, for its user. Throws what {@link Http.call} throws. */
export const reviewAppRequest = (http: Http, asked: RequestAsked, options?: CallOptions) =>
  http.call(reviewing, named(asked), options)

/** The end of a request: a result, or no result. */
export type AppOutcome =
  | { readonly result: string }
  /** `disconnect`: the app that asks can't ask again either, until the user has logged in there once more. */
  | { readonly error: 'rejected' | 'failed'; readonly disconnect?: boolean | undefined }

const answering: Endpoint<object, string> = {
  method: 'POST',
  path: '/oauth/transact/answer',
  answer: v.pipe(
    v.object({ url: requiredText }),
    v.transform((raw) => raw.url),
  ),
}

/** `POST /oauth/transact/answer`: ends a request. Resolves with the address that hands the result over. Throws what {@link Http.call} throws. */
export const answerAppRequest = (
  http: Http,
  asked: RequestAsked,
  outcome: AppOutcome,
  options?: CallOptions,
) => http.call(answering, { ...named(asked), ...outcome }, options)

const named = ({ id, appId }: RequestAsked) => ({ request_id: id, requester_app_id: appId })
