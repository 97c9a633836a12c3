import type { VaultContext } from '../context.ts'
import { statementShown, statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

/**
 * Has the server note that the key of a wallet is shown here, as {@link redeemTicket} does for a ticket of the page's. Throws
 * {@link VaultError}.
 */
export async function noteExport(cx: VaultContext, token: Token, address: string): Promise<void> {
  const path = `/embedded_wallets/${encodeURIComponent(address)}/export_ticket`
  const { ticket } = await cx.api(token, path, {})
  if (typeof ticket !== 'string') throw unexpectedAnswer()
  await redeemTicket(cx, token, ticket, address)
}

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
  const text = statements.keyExported({ app: cx.settings.appId, user: token.user, address })
  await cx.api(token, '/embedded_wallets/export/redeem', { ticket, address }, statementShown(cx, text))
}
