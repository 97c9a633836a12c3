import { and, eq, isNull, lt, notExists, or } from 'drizzle-orm'
import type { RateLimits } from '../domain/limits.ts'
import type { Database } from './open.ts'
import * as table from './schema.ts'

/** Removes what nobody can use any more. @param now Unix milliseconds */
export async function sweep(database: Database, limits: RateLimits, now: number): Promise<void> {
  const month = 30 * 24 * 3_600_000
  await database.delete(table.idempotency).where(lt(table.idempotency.expiresAt, now))
  await database.delete(table.oneTime).where(lt(table.oneTime.expiresAt, now))
  await database.delete(table.rates).where(lt(table.rates.keepUntil, now))
  await database.delete(table.forkTokens).where(lt(table.forkTokens.expiresAt, now - limits.refreshGrace))
  // A token that is over may still be presented; without its row that is "unknown", which ends the same way.
  await database.delete(table.refreshTokens).where(lt(table.refreshTokens.expiresAt, now))
  await database.delete(table.sessions).where(lt(table.sessions.endsAt, now))
  await database
    .delete(table.codeAddresses)
    .where(
      and(
        lt(table.codeAddresses.touchedAt, now - month),
        or(isNull(table.codeAddresses.lockedUntil), lt(table.codeAddresses.lockedUntil, now)),
      ),
    )
  await database.delete(table.analyticsEvents).where(lt(table.analyticsEvents.at, now - limits.analyticsLife))
  await database.delete(table.shareReleases).where(lt(table.shareReleases.at, now - limits.shareReleaseLife))
  await database
    .delete(table.recoveryChanges)
    .where(lt(table.recoveryChanges.createdAt, now - 2 * limits.recoveryChangeLife))
  // No wallet takes a secret of this age any more, so that nobody begins to use it just now.
  await database
    .delete(table.recoverySecrets)
    .where(
      and(
        lt(table.recoverySecrets.createdAt, now - 2 * limits.recoverySecretLife),
        notExists(usesIn(database, table.walletRoots)),
        notExists(usesIn(database, table.recoveryChanges)),
      ),
    )
}

const usesIn = (database: Database, users: typeof table.walletRoots | typeof table.recoveryChanges) =>
  database.select().from(users).where(eq(users.recoverySecretId, table.recoverySecrets.id))
