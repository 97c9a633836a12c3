import { and, eq, inArray } from 'drizzle-orm'
import type { ServerContext } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SessionServices } from '../sessions/services.ts'
import type { App } from '../settings/app.ts'
import type { Database } from '../store/database.ts'
import { addressesOf } from '../users/addresses.ts'
import { accounts } from '../users/tables.ts'
import { isSolana } from './assets.ts'
import { type Buyer, type Ramp, type RampContext, RampRefusal } from './provider.ts'
import type { Purchases } from './purchases.ts'
import { rampsOf } from './ramps.ts'

/** Dependencies of the funding routes. */
export interface FundingContext {
  services: SessionServices
  purchases: Purchases
  cx: RampContext
}

/**
 * The providers with which a purchase may begin. One that has begun goes on without it.
 * @throws Refusal `feature_not_enabled`
 */
export function requireRamps(app: App): readonly Ramp[] {
  const ramps = app.fiatOnRamp === false ? [] : rampsOf(app)
  if (ramps.length > 0) return ramps
  throw new Refusal('feature_not_enabled', 'This app sells no coins.')
}

/** @throws Refusal `feature_not_enabled` */
export function requireRamp(app: App, id: string): Ramp {
  const ramp = rampsOf(app).find((each) => each.id === id)
  if (ramp) return ramp
  throw new Refusal('feature_not_enabled', 'This app does not have this provider.')
}

/**
 * Coins that are paid for can't be called back from a wallet that a page has made up.
 * @throws Refusal `linked_account_not_found` for a wallet that is not the user's
 */
export async function requireOwnAddress(
  database: Database,
  app: App,
  userId: string,
  { chain, address }: { chain: string; address: string },
): Promise<void> {
  if (app.onRamps?.anyAddress) return
  const kind = isSolana(chain) ? 'solana' : 'ethereum'
  const subjects = [address, `${kind}:${address.toLowerCase()}`]
  const types =
    kind === 'solana'
      ? (['wallet', 'solana-wallet'] as const)
      : (['wallet', 'ethereum-wallet', 'smart-wallet'] as const)
  const [found] = await database
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.appId, app.id),
        eq(accounts.userId, userId),
        inArray(accounts.type, [...types]),
        inArray(accounts.subject, subjects),
      ),
    )
    .limit(1)
  if (!found) throw new Refusal('linked_account_not_found', 'This wallet is not one of yours.')
}

/** The buyer, as this server knows them. */
export async function readBuyer(
  { services }: FundingContext,
  c: ServerContext,
  userId: string,
  termsAcceptedAt?: number,
): Promise<Buyer> {
  const { database, callerAddress } = services
  const rows = await database
    .select()
    .from(accounts)
    .where(and(eq(accounts.appId, c.get('app').id), eq(accounts.userId, userId)))
  const phone = rows.find(({ type }) => type === 'phone')
  return {
    userId,
    ip: callerAddress(c),
    email: addressesOf(rows).find(({ channel }) => channel === 'email')?.address,
    phone: phone && { number: phone.subject, verifiedAt: phone.latestVerifiedAt ?? phone.verifiedAt },
    termsAcceptedAt,
  }
}

/** Turns a provider's refusal into the one that a client reads. */
export async function catchRampRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof RampRefusal)) throw cause
    const { reason, details } = cause
    const { missing, least, most } = details
    if (missing && missing.length > 0)
      throw new Refusal('contact_not_verified', 'Please verify your e-mail address and phone number first.', {
        data: { missing },
      })
    if (reason === 'not-supported')
      throw new Refusal('not_supported', 'The provider does not sell this on this network.')
    throw new Refusal('provider_refused', 'The provider does not take this purchase.', {
      reason,
      data: { reason, ...(least && { least }), ...(most && { most }) },
    })
  }
}
