import { and, asc, eq } from 'drizzle-orm'
import { normaliseEmail } from '../lib/email-address.ts'
import type { Queries } from '../store/database.ts'
import { accounts } from './tables.ts'

/** Where somebody can be reached, and by which of their accounts. */
export interface VerifiedAddress {
  accountId: number
  channel: 'email' | 'sms'
  /** A normalised address, or a number in E.164. */
  address: string
  /** Since when the account has been theirs. */
  linkedAt: number
  /** When an enrolled device approved that it was linked. */
  confirmedAt: number | null
}

/** The verified addresses and numbers of a user, each once; a provider's e-mail address is kept only if it is verified. */
export async function verifiedAddresses(
  db: Queries,
  appId: string,
  userId: string,
): Promise<VerifiedAddress[]> {
  const rows = await db
    .select()
    .from(accounts)
    .where(and(eq(accounts.appId, appId), eq(accounts.userId, userId)))
    .orderBy(asc(accounts.id))
  return addressesOf(rows)
}

/** The verified addresses and numbers of these accounts, which come in the order in which they were added. */
export function addressesOf(rows: readonly (typeof accounts.$inferSelect)[]): VerifiedAddress[] {
  const found = new Map<string, VerifiedAddress>()
  for (const { id: accountId, type, subject, details, linkedAt, confirmedAt } of rows) {
    const email = type === 'email' ? subject : details.email
    const address = typeof email === 'string' ? normaliseEmail(email) : undefined
    if (address) {
      const known = found.get(address)
      if (!known || linkedAt < known.linkedAt)
        found.set(address, { accountId, channel: 'email', address, linkedAt, confirmedAt })
    }
    if (type === 'phone')
      found.set(subject, { accountId, channel: 'sms', address: subject, linkedAt, confirmedAt })
  }
  return [...found.values()]
}

/** As much of an address as its owner needs to know it; of a number its last four digits. */
export function hintOf(channel: VerifiedAddress['channel'], address: string): string {
  if (channel === 'sms') return `*${address.replaceAll('-', '').slice(-4)}`
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}•••${address.slice(at)}`
}
