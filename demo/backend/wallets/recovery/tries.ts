import { eq, sql } from 'drizzle-orm'
import type { Limits } from '../../settings/limits.ts'
import type { Transaction } from '../../store/database.ts'
import { allowedAt, tooMany } from '../../store/rate-limits.ts'
import { recoveryTries } from '../tables.ts'

const hour = 3_600_000

/**
 * Counts a try of a recovery password. The server cannot see whether it was right: it was where the wallet's own key
 * signs afterwards ({@link forgetTries}). Each wallet has its own count, so that a wallet whose key a thief has made
 * does not clear that of another; the tries of an hour are the user's over all wallets.
 * @throws Refusal `too_many_requests`
 */
export async function countTry(
  tx: Transaction,
  limits: Limits,
  { userId, walletId }: { userId: string; walletId: string },
  now: number,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`recovery tries ${userId}`}, 0))`)
  const rows = await tx.select().from(recoveryTries).where(eq(recoveryTries.userId, userId))
  const own = rows.find((row) => row.walletId === walletId)
  const recent = rows.flatMap(({ hits }) => hits).sort((one, other) => one - other)
  const free = Math.max(
    allowedAt(recent, now, { most: limits.recoveryTriesPerHour, span: hour }) ?? 0,
    own?.lockedUntil ?? 0,
  )
  if (free > now) throw tooMany(free - now)
  const total = (own?.total ?? 0) + 1
  const row = {
    userId,
    total,
    hits: [...(own?.hits ?? []).filter((at) => at > now - hour), now],
    lockedUntil: total >= limits.recoveryTriesInAll ? now + limits.recoveryCooldown : null,
  }
  await tx
    .insert(recoveryTries)
    .values({ walletId, ...row })
    .onConflictDoUpdate({ target: recoveryTries.walletId, set: row })
}

/** Somebody has shown the wallet's own key: what was tried until now was no guessing. */
export async function forgetTries(tx: Transaction, walletId: string): Promise<void> {
  await tx.delete(recoveryTries).where(eq(recoveryTries.walletId, walletId))
}
