/** Smart wallets: the app's settings of them, and the link to a user. */
import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { optionalText, readableItems, requiredText } from './schema.ts'
import { type User, user } from './user.ts'

/** A network on which the app has smart wallets. */
export interface SmartWalletNetwork {
  readonly chainId: number
  /** The bundler (ERC-7769). */
  readonly bundlerUrl: string
  /** The sponsor's service (ERC-7677); `undefined`: users pay by themselves. */
  readonly paymasterUrl: string | undefined
  /** Passed on to the sponsor as it is. */
  readonly paymasterContext: Readonly<Record<string, unknown>> | undefined
}

export interface SmartWalletSettings {
  /** As the server names it; a newer server knows others. */
  readonly type: string
  /** The contract's own version, where the server names one. */
  readonly version: string | undefined
  readonly networks: readonly SmartWalletNetwork[]
}

const httpAddress = v.pipe(v.string(), v.regex(/^https?:\/\/[^\s]+$/), v.maxLength(2_048))
const network = v.pipe(
  v.object({
    chain_id: v.pipe(v.string(), v.regex(/^eip155:[1-9]\d{0,15}$/)),
    bundler_url: httpAddress,
    paymaster_url: v.fallback(v.optional(httpAddress), undefined),
    paymaster_context: v.fallback(v.optional(v.record(v.string(), v.unknown())), undefined),
  }),
  v.transform(
    (raw): SmartWalletNetwork => ({
      chainId: Number(raw.chain_id.slice('eip155:'.length)),
      bundlerUrl: raw.bundler_url,
      paymasterUrl: raw.paymaster_url,
      paymasterContext: raw.paymaster_context,
    }),
  ),
)
const settings = v.union([
  v.pipe(
    v.object({ enabled: v.literal(false) }),
    v.transform(() => undefined),
  ),
  v.pipe(
    v.object({
      enabled: v.literal(true),
      smart_wallet_type: requiredText,
      smart_wallet_version: optionalText,
      configured_networks: readableItems(network),
    }),
    v.transform(
      (raw): SmartWalletSettings => ({
        type: raw.smart_wallet_type,
        version: raw.smart_wallet_version,
        networks: raw.configured_networks,
      }),
    ),
  ),
])

/**
 * `GET /apps/:id/smart_wallets`: the app's settings of smart wallets, always from the address that the host set; `undefined` where the app has
 * none. Throws what {@link Http.call} throws.
 */
export function getSmartWalletSettings(
  http: Http,
  appId: string,
  options?: CallOptions,
): Promise<SmartWalletSettings | undefined> {
  const endpoint: Endpoint<undefined, SmartWalletSettings | undefined> = {
    method: 'GET',
    path: `/api/v1/apps/${encodeURIComponent(appId)}/smart_wallets`,
    answer: settings,
    refreshesFirst: false,
    onFallbackBase: true,
  }
  return http.call(endpoint, undefined, options)
}

interface LinkBody {
  message: string
  signature: string
  smart_wallet_type: string
}
const link: Endpoint<LinkBody, User> = {
  method: 'POST',
  path: '/api/v1/siwe/link_smart_wallet',
  answer: user,
}

/**
 * `POST /siwe/link_smart_wallet`: links a smart wallet to the user, by a message that it has signed (ERC-1271, or ERC-6492 where it is not
 * deployed). Throws what {@link Http.call} throws; `invalid_credentials` for a signature that is not the account's.
 */
export const linkSmartWallet = (
  http: Http,
  { message, signature, type }: { message: string; signature: string; type: string },
  options?: CallOptions,
): Promise<User> => http.call(link, { message, signature, smart_wallet_type: type }, options)
