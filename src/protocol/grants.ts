import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { nothing, readableItems, requiredText, unixTime } from './schema.ts'

/** A permission's limits for one asset, and how much of them is used; amounts in smallest units. */
export interface PermissionLimit {
  /** CAIP-2. */
  readonly chain: string
  /** `native`, a contract, or a mint. */
  readonly asset: string
  readonly symbol: string
  readonly decimals: number
  readonly perTransaction: bigint
  readonly perWindow: bigint
  readonly windowSeconds: number
  readonly total: bigint
  readonly spentInWindow: bigint
  readonly spent: bigint
}
/** One use of a permission by its server. */
export interface PermissionUse {
  readonly at: Date
  /** CAIP-2. */
  readonly chain: string
  /** The recipient or the contract. */
  readonly target: string
  /** Such as `sent`, `confirmed` or `failed`. */
  readonly status: string
  /** Name of the transaction at its chain, once there is one. */
  readonly hash: string | undefined
}
/** A permission that the user has given to a server of the app. */
export interface Permission {
  readonly id: string
  /** The wallet. */
  readonly address: string
  readonly isActive: boolean
  /** Name of the server that acts. */
  readonly signer: string
  readonly purpose: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly endedAt: Date | undefined
  readonly uses: number
  readonly maxUses: number | undefined
  readonly limits: readonly PermissionLimit[]
  /** The newest first. */
  readonly latest: readonly PermissionUse[]
}

const units = v.pipe(
  v.string(),
  v.regex(/^\d{1,90}$/),
  v.transform((digits) => BigInt(digits)),
)
const limit = v.object({
  chain: requiredText,
  asset: requiredText,
  symbol: v.fallback(v.string(), ''),
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
  per_transaction: units,
  per_window: units,
  window_seconds: v.number(),
  total: units,
})
const spent = v.object({ chain: requiredText, asset: requiredText, in_window: units, total: units })
const use = v.pipe(
  v.object({
    at: unixTime,
    chain: v.fallback(v.string(), ''),
    target: v.fallback(v.string(), ''),
    status: v.fallback(v.string(), ''),
    hash: v.fallback(v.nullable(v.string()), null),
  }),
  v.transform(({ hash, ...raw }): PermissionUse => ({ ...raw, hash: hash ?? undefined })),
)
const permission = v.pipe(
  v.object({
    id: requiredText,
    address: requiredText,
    status: v.fallback(v.string(), ''),
    signer: v.object({ name: requiredText }),
    purpose: v.fallback(v.string(), ''),
    not_before: unixTime,
    not_after: unixTime,
    ended_at: v.optional(v.nullable(unixTime)),
    uses: v.fallback(v.number(), 0),
    max_uses: v.fallback(v.nullable(v.number()), null),
    limits: v.fallback(readableItems(limit), []),
    spent: v.fallback(readableItems(spent), []),
    latest: v.fallback(readableItems(use), []),
  }),
  v.transform(
    (raw): Permission => ({
      id: raw.id,
      address: raw.address,
      isActive: raw.status === 'active',
      signer: raw.signer.name,
      purpose: raw.purpose,
      createdAt: raw.not_before,
      expiresAt: raw.not_after,
      endedAt: raw.ended_at ?? undefined,
      uses: raw.uses,
      maxUses: raw.max_uses ?? undefined,
      limits: raw.limits.map((each) => {
        const used = raw.spent.find(({ chain, asset }) => chain === each.chain && asset === each.asset)
        return {
          chain: each.chain,
          asset: each.asset,
          symbol: each.symbol,
          decimals: each.decimals,
          perTransaction: each.per_transaction,
          perWindow: each.per_window,
          windowSeconds: each.window_seconds,
          total: each.total,
          spentInWindow: used?.in_window ?? 0n,
          spent: used?.total ?? 0n,
        }
      }),
      latest: raw.latest,
    }),
  ),
)
const list: Endpoint<undefined, Permission[]> = {
  method: 'GET',
  path: '/api/v1/grants',
  answer: v.pipe(
    v.object({ grants: readableItems(permission) }),
    v.transform((raw) => raw.grants),
  ),
}
const revokeOne = (id: string): Endpoint<object, undefined> => ({
  method: 'POST',
  path: `/api/v1/grants/${encodeURIComponent(id)}/revoke`,
  answer: nothing,
})
const revokeAll: Endpoint<object, undefined> = {
  method: 'POST',
  path: '/api/v1/wallets/revoke',
  answer: nothing,
}

/** `GET /grants`: the user's permissions, ended ones too, the newest first. Throws what {@link Http.call} throws. */
export const listPermissions = (http: Http, options?: CallOptions): Promise<readonly Permission[]> =>
  http.call(list, undefined, options)

/** `POST /grants/:id/revoke`: ends one permission. Throws what {@link Http.call} throws. */
export const revokePermission = (http: Http, id: string, options?: CallOptions): Promise<undefined> =>
  http.call(revokeOne(id), {}, options)

/** `POST /wallets/revoke`: ends all permissions of the user. Throws what {@link Http.call} throws. */
export const revokeAllPermissions = (http: Http, options?: CallOptions): Promise<undefined> =>
  http.call(revokeAll, {}, options)
