/** Bridges that a user has started, which the app's server remembers for their other devices. */
import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { nothing, optionalText, readableItems, requiredText, unixTime } from './schema.ts'

export interface BridgeFigure {
  readonly symbol: string
  readonly decimals: number
  /** In smallest units. */
  readonly amount: string
}
export interface StartedBridge {
  /** The name of it on the device that has started it. */
  readonly id: string
  /** By which the bridge knows it. */
  readonly requestId: string
  /** The wallet that is paid, its network in CAIP-2, and the contract or mint. */
  readonly address: string
  readonly chain: string
  readonly token?: string | undefined
  readonly receives: BridgeFigure
  /** The wallet that pays. */
  readonly wallet: {
    readonly id: string
    readonly name: string
    readonly address: string
    readonly chainType: 'ethereum' | 'solana'
  }
  /** The network that pays, in CAIP-2, and its name. */
  readonly from: string
  readonly network: string
  readonly pays: BridgeFigure
  /** Seconds that it usually takes. */
  readonly seconds?: number | undefined
  /** The transaction that pays, once it is known. */
  readonly hash?: string | undefined
}
export type BridgeEnd = 'success' | 'refund' | 'failure'
export interface StoredBridge extends StartedBridge {
  /** `open`: no device has seen its end. */
  readonly status: 'open' | BridgeEnd
  readonly startedAt: Date
}

const figure = v.object({
  symbol: requiredText,
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
  amount: v.pipe(v.string(), v.regex(/^\d{1,78}$/)),
})
const stored = v.pipe(
  v.object({
    id: requiredText,
    request_id: requiredText,
    address: requiredText,
    chain: requiredText,
    token: optionalText,
    receives: figure,
    wallet: v.pipe(
      v.object({
        id: requiredText,
        name: requiredText,
        address: requiredText,
        chain_type: v.picklist(['ethereum', 'solana']),
      }),
      v.transform(({ chain_type: chainType, ...more }) => ({ ...more, chainType })),
    ),
    from: requiredText,
    network: requiredText,
    pays: figure,
    seconds: v.fallback(v.optional(v.pipe(v.number(), v.minValue(0))), undefined),
    hash: optionalText,
    status: v.picklist(['open', 'success', 'refund', 'failure']),
    started_at: unixTime,
  }),
  v.transform(
    ({ request_id: requestId, started_at: startedAt, ...more }): StoredBridge => ({
      ...more,
      requestId,
      startedAt,
    }),
  ),
)
const path = '/api/v1/funding/bridges'
const saving: Endpoint<object, undefined> = { method: 'POST', path, answer: nothing, inBackground: true }
const listing: Endpoint<undefined, readonly StoredBridge[]> = {
  method: 'GET',
  path,
  answer: v.pipe(
    v.object({ bridges: readableItems(stored) }),
    v.transform(({ bridges }): readonly StoredBridge[] => bridges),
  ),
  inBackground: true,
}
const ending = (requestId: string): Endpoint<object, undefined> => ({
  method: 'POST',
  path: `${path}/${encodeURIComponent(requestId)}/end`,
  answer: nothing,
  inBackground: true,
})

/** `POST /funding/bridges`: remembers a bridge, or changes it. Throws what {@link Http.call} throws. */
export const saveBridge = (
  http: Http,
  { requestId, wallet: { chainType, ...wallet }, ...more }: StartedBridge,
  options?: CallOptions,
): Promise<undefined> =>
  http.call(saving, { ...more, request_id: requestId, wallet: { ...wallet, chain_type: chainType } }, options)

/** `GET /funding/bridges`: those of the last 30 days, the newest first. Throws what {@link Http.call} throws. */
export const listBridges = (http: Http, options?: CallOptions): Promise<readonly StoredBridge[]> =>
  http.call(listing, undefined, options)

/** `POST /funding/bridges/:id/end`: its end, or `none` where nothing was sent. Throws what {@link Http.call} throws. */
export const endBridge = (
  http: Http,
  requestId: string,
  status: BridgeEnd | 'none',
  options?: CallOptions,
): Promise<undefined> => http.call(ending(requestId), { status }, options)
