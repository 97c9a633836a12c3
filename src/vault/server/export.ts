import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'

/**
 * Spends an export ticket: it opens one wallet once, within 60 s, for the login that it was made for; the server notes
 * it for the person. Once there is a second factor, this is where the server asks for a fresh one.
 * Throws {@link VaultError}.
 */
export async function redeemTicket(
  cx: VaultContext,
  token: Token,
  ticket: string,
  address: string,
): Promise<void> {
  await cx.api(token, '/embedded_wallets/export/redeem', { ticket, address })
}
