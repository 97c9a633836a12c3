import * as v from 'valibot'
import type { KitError } from '../errors/kit-error.ts'
import { optionalText, parseOptional, readableItems, requiredText } from './schema.ts'

/** What the server says with `account_transfer_required`. */
export interface Transfer {
  /** Good for one transfer. */
  readonly nonce: string
  /** The other account's own name. */
  readonly displayName: string | undefined
  /** The first wallet of the account that a transfer deletes. */
  readonly walletAddress: string | undefined
  /** All of its wallets; a server that names only one of them has named them all. */
  readonly walletAddresses: readonly string[]
  /** The same, as a transfer of a Farcaster account names it. */
  readonly farcasterAddress: string | undefined
  /** The person's profile at a social provider, which a transfer sends back unchanged. */
  readonly profile: object | undefined
}

const payload = v.pipe(
  v.object({
    nonce: v.string(),
    account: v.fallback(v.object({ displayName: optionalText }), {}),
    otherUser: v.fallback(
      v.object({
        embeddedWalletAddress: optionalText,
        embeddedWalletAddresses: v.fallback(v.optional(readableItems(requiredText)), undefined),
        farcasterEmbeddedAddress: optionalText,
        oAuthUserInfo: v.fallback(v.optional(v.looseObject({ subject: v.string() })), undefined),
      }),
      {},
    ),
  }),
  v.transform((raw): Transfer => {
    const { embeddedWalletAddress: first, embeddedWalletAddresses: all = [] } = raw.otherUser
    return {
      nonce: raw.nonce,
      displayName: raw.account.displayName,
      walletAddress: first,
      walletAddresses: all.length > 0 ? all : first ? [first] : [],
      farcasterAddress: raw.otherUser.farcasterEmbeddedAddress,
      profile: raw.otherUser.oAuthUserInfo,
    }
  }),
)

/** The transfer that a refusal offers, or `undefined` where it has no nonce to do one with. Never throws. */
export const transferOf = (error: KitError): Transfer | undefined => parseOptional(payload, error.data)
