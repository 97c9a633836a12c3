import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { App } from '../settings/app.ts'
import type { Transaction } from '../store/database.ts'
import { accounts } from './tables.ts'

/**
 * Whether a wallet belongs to somebody within the app. It is not a login method: an embedded one, whose signatures a page
 * can have for the asking, or a contract that such a one controls.
 */
export async function standsForUser(
  tx: Transaction,
  app: App,
  chain: 'ethereum' | 'solana',
  address: string,
): Promise<boolean> {
  await lock(tx, app, address)
  const embedded = and(eq(accounts.type, 'wallet'), eq(accounts.subject, `${chain}:${address.toLowerCase()}`))
  const contract = and(eq(accounts.type, 'smart-wallet'), eq(accounts.subject, address))
  return isThere(tx, and(eq(accounts.appId, app.id), or(embedded, contract)))
}

/** Whether somebody in the app logs in with this address. */
export async function logsInSomebody(
  tx: Transaction,
  app: App,
  address: string,
  chain: 'ethereum' | 'solana' = 'ethereum',
): Promise<boolean> {
  await lock(tx, app, address)
  const { appId, type, subject } = accounts
  return isThere(tx, and(eq(appId, app.id), eq(type, `${chain}-wallet`), eq(subject, address)))
}

/** An address does not become the one and the other at the same time. */
const lock = (tx: Transaction, app: App, address: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`address ${app.id} ${address}`}, 0))`)

async function isThere(tx: Transaction, condition: SQL | undefined): Promise<boolean> {
  const rows = await tx.select({ id: accounts.id }).from(accounts).where(condition).limit(1)
  return rows.length > 0
}
