import * as v from 'valibot'
import type { KitError } from '../errors/kit-error.ts'
import { maybeText } from './decode.ts'

/** What the server says with `account_transfer_required`. Wire 3.1. */
export interface Transfer {
  /** Good for one transfer. */
  readonly nonce: string
  /** How the other account calls itself. */
  readonly displayName: string | undefined
  /** The wallet of the account that a transfer deletes. */
  readonly walletAddress: string | undefined
  /** The same, as a transfer of a Farcaster account names it. */
  readonly farcasterAddress: string | undefined
  /** The person at a social provider: a transfer sends it back as it came. */
  readonly profile: object | undefined
}

const payload = v.pipe(
  v.object({
    nonce: v.string(),
    account: v.fallback(v.object({ displayName: maybeText }), { displayName: undefined }),
    otherUser: v.fallback(
      v.object({
        embeddedWalletAddress: maybeText,
        farcasterEmbeddedAddress: maybeText,
        oAuthUserInfo: v.fallback(v.optional(v.looseObject({ subject: v.string() })), undefined),
      }),
      {
        embeddedWalletAddress: undefined,
        farcasterEmbeddedAddress: undefined,
        oAuthUserInfo: undefined,
      },
    ),
  }),
  v.transform((raw) => ({
    nonce: raw.nonce,
    displayName: raw.account.displayName,
    walletAddress: raw.otherUser.embeddedWalletAddress,
    farcasterAddress: raw.otherUser.farcasterEmbeddedAddress,
    profile: raw.otherUser.oAuthUserInfo,
  })),
)

/** The transfer that an error offers; a flat or incomplete payload offers none (R10). */
export function transferOf(error: KitError): Transfer | undefined {
  const parsed = v.safeParse(payload, error.data)
  return parsed.success ? parsed.output : undefined
}
