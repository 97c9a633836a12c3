/** What the address bar brought back from another page. */
import * as v from 'valibot'
import { queryText, type Taken } from './address-bar.ts'
import { type PurchaseReturn, purchaseReturn } from './purchase-return.ts'
import { parseOptional, requiredText } from './schema.ts'
import type { TelegramReturn } from './telegram-return.ts'
import { type WalletBrowserReturn, walletBrowserReturn } from './wallet-browser.ts'

export type Returned = LoginReturn | WalletBrowserReturn | PurchaseReturn
/** The returns of a login that left the page in this tab. */
export type LoginReturn = OAuthReturn | TelegramReturn
export interface OAuthReturn {
  readonly kind: 'oauth'
  /** {@link declinedCode} or {@link failedCode} when there is none. */
  readonly code: string
  readonly state: string
  readonly provider: string
}

/** Sent instead of a code when the person declined, as text. */
export const declinedCode = 'undefined'
/** Sent instead of a code when the server could not continue. */
export const failedCode = 'error'

const oauthReturn = v.pipe(
  v.object({
    privy_oauth_code: requiredText,
    privy_oauth_state: requiredText,
    privy_oauth_provider: requiredText,
  }),
  v.transform(
    (raw): OAuthReturn => ({
      kind: 'oauth',
      code: raw.privy_oauth_code,
      state: raw.privy_oauth_state,
      provider: raw.privy_oauth_provider,
    }),
  ),
)
/** Read further where it counts, by `widgetProof`. */
const telegramReturn = v.pipe(
  v.record(v.string(), v.string()),
  v.transform((fields): TelegramReturn => ({ kind: 'telegram', fields })),
)
const returns = {
  oauth: oauthReturn,
  'wallet-browser': walletBrowserReturn,
  telegram: telegramReturn,
  purchase: purchaseReturn,
} as const

/**
 * Reads what was taken out of the address bar; a part that is missing or duplicated makes it no return:
 * `undefined`. Never throws.
 */
export function readReturn({ kind, query }: Taken): Returned | undefined {
  const fields: Record<string, string> = Object.create(null)
  for (const part of query.split('&')) {
    const at = `${part}=`.indexOf('=')
    const name = queryText(part.slice(0, at))
    if (name in fields) return undefined
    fields[name] = queryText(part.slice(at + 1))
  }
  return parseOptional<Returned>(returns[kind], fields)
}
