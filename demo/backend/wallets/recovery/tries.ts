import { and, eq, sql } from 'drizzle-orm'
import type { Source } from '../../sessions/sources.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Transaction } from '../../store/database.ts'
import { allowedAt, tooMany } from '../../store/rate-limits.ts'
import { recoverySourceTries, recoveryTries } from '../tables.ts'

const hour = 3_600_000

/** Whose wallet it is, and where the password was tried. */
interface Trying {
  userId: string
  walletId: string
  source: Source
}
interface Tries {
  walletId: string
  hits: number[]
  total: number
  lockedUntil: number | null
}

/** Tries of one user are counted one after the other. */
const lockTries = (tx: Transaction, userId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`recovery tries ${userId}`}, 0))`)

/** When a try is allowed, given those of all wallets of the user and those of this one. */
function freeAt(rows: readonly Tries[], walletId: string, most: number, now: number): number {
  const recent = rows.flatMap(({ hits }) => hits).sort((one, other) => one - other)
  const own = rows.find((row) => row.walletId === walletId)
  return Math.max(allowedAt(recent, now, { most, span: hour }) ?? 0, own?.lockedUntil ?? 0)
}

/** The tries of a wallet with one more. */
function counted(
  rows: readonly Tries[],
  walletId: string,
  limits: Limits,
  now: number,
): Omit<Tries, 'walletId'> {
  const own = rows.find((row) => row.walletId === walletId)
  const total = (own?.total ?? 0) + 1
  return {
    total,
    hits: [...(own?.hits ?? []).filter((at) => at > now - hour), now],
    lockedUntil: total >= limits.recoveryTriesInAll ? now + limits.recoveryCooldown : null,
  }
}

/**
 * Counts a try of a recovery password. The server cannot always see whether it was right: it was where the wallet's own key
 * signs afterwards ({@link forgetTries}). An enrolled device is held back by its own tries alone. All others have a count
 * together, of which a single login gets only a part, so that a stolen session cannot keep the owner out. Each wallet has its own
 * total, so that a wallet whose key a thief has made does not clear that of another.
 * @throws Refusal `too_many_requests`
 */
export async function countTry(
  tx: Transaction,
  limits: Limits,
  { userId, walletId, source }: Trying,
  now: number,
): Promise<void> {
  await lockTries(tx, userId)
  const ofSource = await tx
    .select()
    .from(recoverySourceTries)
    .where(and(eq(recoverySourceTries.userId, userId), eq(recoverySourceTries.source, source.name)))
  const perHour = source.isDevice ? limits.recoveryTriesPerHour : limits.recoveryTriesPerSourceHour
  const shared = source.isDevice
    ? undefined
    : await tx.select().from(recoveryTries).where(eq(recoveryTries.userId, userId))
  const free = Math.max(
    freeAt(ofSource, walletId, perHour, now),
    shared ? freeAt(shared, walletId, limits.recoveryTriesPerHour, now) : 0,
  )
  if (free > now) throw tooMany(free - now)
  const own = counted(ofSource, walletId, limits, now)
  await tx
    .insert(recoverySourceTries)
    .values({ walletId, userId, source: source.name, ...own })
    .onConflictDoUpdate({ target: [recoverySourceTries.walletId, recoverySourceTries.source], set: own })
  if (!shared) return
  const all = counted(shared, walletId, limits, now)
  await tx
    .insert(recoveryTries)
    .values({ walletId, userId, ...all })
    .onConflictDoUpdate({ target: recoveryTries.walletId, set: all })
}

/** Forgets the tries of one source: it has shown the password or the wallet's own key. Those of others stay. */
export async function forgetTries(tx: Transaction, { userId, walletId, source }: Trying): Promise<void> {
  await lockTries(tx, userId)
  const row = and(eq(recoverySourceTries.walletId, walletId), eq(recoverySourceTries.source, source.name))
  const [own] = await tx.delete(recoverySourceTries).where(row).returning()
  if (!own || source.isDevice) return
  const [all] = await tx.select().from(recoveryTries).where(eq(recoveryTries.walletId, walletId))
  if (!all) return
  const total = Math.max(0, all.total - own.total)
  const hits = own.hits.reduce((left, at) => {
    const index = left.indexOf(at)
    return index < 0 ? left : left.toSpliced(index, 1)
  }, all.hits)
  await tx
    .update(recoveryTries)
    .set({ total, hits, lockedUntil: null })
    .where(eq(recoveryTries.walletId, walletId))
}

/** Forgets all tries of a wallet, which is recovered in another way now. */
export async function forgetAllTries(tx: Transaction, walletId: string): Promise<void> {
  await tx.delete(recoverySourceTries).where(eq(recoverySourceTries.walletId, walletId))
  await tx.delete(recoveryTries).where(eq(recoveryTries.walletId, walletId))
}
