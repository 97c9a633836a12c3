import { toSeconds } from '../lib/time.ts'
import type { App } from '../settings/app.ts'
import type { Opening, Ramp, RampMethod, RampQuote, RampRefusal } from './provider.ts'
import type { PurchaseRow } from './purchases.ts'
import { rampsOf } from './ramps.ts'

/** An object without the fields that have no value. */
const defined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null))

export const quoteView = (ramp: Ramp, method: RampMethod, symbol: string, quote: RampQuote) =>
  defined({
    provider: ramp.id,
    name: ramp.name,
    method: method.id,
    opens: method.opens,
    is_sandbox: ramp.sandbox,
    receives: { amount: quote.receives, symbol },
    total: quote.total,
    fee: quote.fee,
    currency: quote.currency,
    seconds: quote.seconds,
    expires_at: quote.expiresAt === undefined ? undefined : toSeconds(quote.expiresAt),
    missing: quote.missing ?? [],
    terms_url: method.termsUrl,
    countries: method.countries,
  })

export const unavailableView = (ramp: Ramp, { reason, details }: Pick<RampRefusal, 'reason' | 'details'>) =>
  defined({ provider: ramp.id, name: ramp.name, reason, least: details.least, most: details.most })

export const purchaseView = (app: App, row: PurchaseRow) =>
  defined({
    id: row.id,
    provider: row.provider,
    name: rampsOf(app).find(({ id }) => id === row.provider)?.name ?? row.provider,
    method: row.method,
    status: row.status,
    failure: row.failure,
    is_sandbox: row.isSandbox,
    address: row.address,
    chain: row.chain,
    asset: row.asset,
    symbol: row.symbol,
    amount: row.amount,
    received: row.received,
    currency: row.currency,
    total: row.total,
    fee: row.fee,
    transaction_hash: row.transactionHash,
    created_at: toSeconds(row.createdAt),
    updated_at: toSeconds(row.updatedAt),
  })

export const openingView = ({ expiresAt, ...opening }: Opening) =>
  defined({ ...opening, expires_at: expiresAt === undefined ? undefined : toSeconds(expiresAt) })
