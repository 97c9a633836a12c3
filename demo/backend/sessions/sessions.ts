import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { type AuditEntry, auditInsert, noteAudit, noteOwn } from '../audit/audit.ts'
import type { Appearance } from '../devices/describe.ts'
import type { Owner } from '../devices/devices.ts'
import type { Idempotency } from '../http/idempotency.ts'
import { Refusal } from '../lib/refusal.ts'
import { keyedHash, type Secrets } from '../secrets/secrets.ts'
import type { Limits } from '../settings/limits.ts'
import { type Database, inserted, type Queries, type Transaction } from '../store/database.ts'
import { enforceWindows } from '../store/rate-limits.ts'
import { forkTokens, refreshTokens, sessions } from './tables.ts'
import type { Bearer } from './tokens.ts'

/** A session and the refresh token that continues it; `refreshUntil` in Unix milliseconds. */
export interface Opened extends Bearer {
  refreshToken: string
  refreshUntil: number
}

export interface Sessions {
  /**
   * Opens a session.
   * @param by the browser that it is for
   * @param how.origin the session that it comes of, with which it ends
   * @param how.note what the audit log keeps of it
   */
  open(
    tx: Transaction,
    appId: string,
    userId: string,
    by: Appearance,
    how?: { origin?: Origin; note?: AuditEntry },
  ): Promise<Opened>
  /**
   * The next refresh token. Notes that the session was used now, and in what browser.
   * @throws Refusal `missing_or_invalid_token`, `too_many_requests`
   */
  refresh(appId: string, refreshToken: string, by: Appearance): Promise<Opened>
  /**
   * Ends a session, if it is active.
   * @param place about where the person is, for the audit log
   * @throws Refusal `already_logged_out` when it was ended so before
   */
  logout(appId: string, by: { refreshToken: string } | { sessionId: string }, place: string): Promise<void>
  /** Ends a session, because what opened it was presented again: nobody can say by whom. */
  endReused(tx: Transaction, sessionId: string): Promise<void>
  /** {@link refresh}, and a token that opens one more session, which ends with this one. */
  fork(appId: string, refreshToken: string): Promise<Opened & { forkToken: string }>
  /** Opens the session of a fork token. @throws Refusal `token_already_used`, `missing_or_invalid_token` */
  recover(appId: string, forkToken: string, by: Appearance): Promise<Opened>
  /** Which session a refresh token belongs to, rotated or not. */
  sessionOf(appId: string, refreshToken: string): Promise<string | undefined>
  /** Whether the session of a token is still active. */
  isActive(appId: string, bearer: Bearer): Promise<boolean>
  /** When the person of a session logged in, and the device that has proved itself with it last. */
  describe(sessionId: string): Promise<{ authenticatedAt: number; deviceId: string | null } | undefined>
  /** The active sessions of a person, the one used last first. */
  of(owner: Owner): Promise<SessionRow[]>
  /** An active session of a person. */
  find(db: Queries, owner: Owner, sessionId: string): Promise<SessionRow | undefined>
  /** Ends a session of a person. @returns `undefined` where they have no such active one */
  end(db: Queries, owner: Owner, sessionId: string): Promise<SessionRow | undefined>
  /** Ends all sessions of a person. @param but the one that stays. @returns how many that were */
  endAll(db: Queries, owner: Owner, but?: string): Promise<number>
  /** Notes which device has proved itself with a session. */
  noteDevice(db: Queries, sessionId: string, deviceId: string): Promise<void>
}

export type SessionRow = typeof sessions.$inferSelect

interface Origin {
  id: string
  endsAt: number
  authenticatedAt: number
}

type Rotated = Opened & { endsAt: number }

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

const given = (name: string) => sql.placeholder(name)

/**
 * Asked with every refresh: with named statements the database plans it once. Without a name and place, what was noted of the browser stays.
 * Every token but a session's first was issued by a rotation, which is how these are counted: `rotated_at` has no index.
 */
function rotationQuery(db: Queries) {
  const good = db.$with('good', {}).as(sql`
    select t.hash, s.id, s.user_id, s.ends_at from ${refreshTokens} t join ${sessions} s on s.id = t.session_id
    where t.hash = ${given('presented')} and t.rotated_at is null and t.expires_at > ${given('now')}
      and s.app_id = ${given('appId')} and s.revoked_at is null
      and (
        select count(*) from ${refreshTokens} r
        where r.session_id = t.session_id and r.issued_at > ${given('windowStart')}
      ) < ${given('most')}::int + (s.created_at > ${given('windowStart')})::int
    for update of s`)
  const rotated = db.$with('rotated', {}).as(sql`
    update ${refreshTokens} t set rotated_at = ${given('now')}
    from good where t.hash = good.hash and t.rotated_at is null
    returning good.id, good.user_id, good.ends_at`)
  const used = db.$with('used', {}).as(sql`
    update ${sessions} s set last_used_at = ${given('now')},
      name = coalesce(${given('name')}, s.name), place = coalesce(${given('place')}, s.place)
    from rotated where s.id = rotated.id`)
  const added = db.$with('added', {}).as(sql`
    insert into ${refreshTokens} (hash, session_id, issued_at, expires_at)
    select ${given('next')}, id, ${given('now')}::bigint, least(${given('latestEnd')}::bigint, ends_at) from rotated
    returning session_id, expires_at`)
  return db
    .with(good, rotated, used, added)
    .select({
      sessionId: sql<string>`added.session_id`,
      userId: sql<string>`rotated.user_id`,
      endsAt: sql<number>`rotated.ends_at`.mapWith(Number),
      refreshUntil: sql<number>`added.expires_at`.mapWith(Number),
    })
    .from(sql`added, rotated`)
    .prepare('rotate_refresh_token')
}
const rotations = new WeakMap<Queries, ReturnType<typeof rotationQuery>>()

/** Sent with every call that has an access token. */
const activeSessionQuery = (db: Queries) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, given('sessionId')),
        eq(sessions.appId, given('appId')),
        eq(sessions.userId, given('userId')),
        isNull(sessions.revokedAt),
        gt(sessions.endsAt, given('now')),
      ),
    )
    .prepare('active_session')

/** Sessions with refresh tokens that are replaced with each use, so that a stolen one is noticed (docs/security.md). */
export function createSessions(deps: {
  database: Database
  idempotency: Pick<Idempotency, 'commit'>
  secrets: Secrets
  limits: Limits
  clock: () => number
}): Sessions {
  const { database, idempotency, secrets, limits, clock } = deps
  const activeSession = activeSessionQuery(database)
  const invalid = () => new Refusal('missing_or_invalid_token', 'The session has ended. Please log in again.')
  /** Known to every process that has the secrets, and to nobody who has the database alone. */
  const childOf = (token: string) => keyedHash(secrets, 'refresh', token).toString('base64url')

  async function open(
    tx: Transaction,
    appId: string,
    userId: string,
    { name, place }: Appearance,
    { origin, note }: { origin?: Origin; note?: AuditEntry } = {},
  ): Promise<Opened> {
    const now = clock()
    const end = origin?.endsAt ?? now + limits.sessionLife
    const authenticatedAt = origin?.authenticatedAt ?? null
    const sessionId = randomUUID()
    const refreshToken = randomBytes(32).toString('base64url')
    const expiresAt = Math.min(now + limits.refreshLife, end)
    const session = tx.insert(sessions).values({
      id: sessionId,
      appId,
      userId,
      createdAt: now,
      authenticatedAt,
      originId: origin?.id ?? null,
      endsAt: end,
      name,
      place,
      lastUsedAt: now,
    })
    await tx
      .with(inserted(tx, 'session', session), ...(note ? [inserted(tx, 'note', auditInsert(tx, note))] : []))
      .insert(refreshTokens)
      .values({ hash: hashOf(refreshToken), sessionId, issuedAt: now, expiresAt })
      // Asked with every login: with named statements the database plans it once.
      .prepare(note ? 'open_session_noted' : 'open_session')
      .execute()
    return { sessionId, userId, refreshToken, refreshUntil: expiresAt }
  }

  const noteReuse = (tx: Transaction, { appId, userId, place }: SessionRow) =>
    noteAudit(tx, {
      at: clock(),
      appId,
      actor: { type: 'system' },
      action: 'session-ended',
      userId,
      place,
      details: { because: 'reuse' },
    })

  const findToken = (db: Queries, appId: string, token: string) =>
    db
      .select({ session: sessions, token: refreshTokens })
      .from(refreshTokens)
      .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
      .where(and(eq(refreshTokens.hash, hashOf(token)), eq(sessions.appId, appId)))

  /**
   * Rotates a token that is good and the newest of its session, in one statement: of any number who bring it at once, one
   * does. `undefined` for every other one. The session's row is locked first, as in {@link rotate}.
   */
  async function rotateNewest(
    db: Queries,
    appId: string,
    presented: string,
    by?: Appearance,
  ): Promise<Rotated | undefined> {
    const now = clock()
    const refreshToken = childOf(presented)
    const query = rotations.get(db) ?? rotationQuery(db)
    rotations.set(db, query)
    const [row] = await query.execute({
      appId,
      now,
      presented: hashOf(presented),
      next: hashOf(refreshToken),
      windowStart: now - limits.refreshWindow,
      most: limits.refreshesPerWindow,
      latestEnd: now + limits.refreshLife,
      name: by?.name ?? null,
      place: by?.place ?? null,
    })
    return row && { ...row, refreshToken }
  }

  /** `undefined`: the token is not good, and whatever had to be revoked is. Commits either way. */
  async function rotate(tx: Transaction, appId: string, presented: string): Promise<Rotated | undefined> {
    const rotated = await rotateNewest(tx, appId, presented)
    if (rotated) return rotated
    const now = clock()
    let refreshToken = presented
    // The session's row orders those who come with an older token.
    let [found] = await findToken(tx, appId, refreshToken).for('update', { of: sessions })
    // The lock may have been waited for; the token's row is as it was before. Read it again.
    if (found) [found] = await findToken(tx, appId, refreshToken)
    if (!found || found.session.revokedAt !== null || found.token.expiresAt <= now) return undefined
    const { id: sessionId, userId, endsAt } = found.session
    while (found && found.token.rotatedAt !== null) {
      if (found.token.rotatedAt <= now - limits.refreshGrace) {
        await tx.update(sessions).set({ revokedAt: now, revokedBecause: 'reuse' }).where(withForks(sessionId))
        await noteReuse(tx, found.session)
        return undefined
      }
      // Within the grace: the same child; or its own, if that one is already in use, so that nobody is set back.
      refreshToken = childOf(refreshToken)
      ;[found] = await findToken(tx, appId, refreshToken)
    }
    if (!found) throw new Error('A rotated refresh token has no child')
    if (refreshToken !== presented)
      return { sessionId, userId, endsAt, refreshToken, refreshUntil: found.token.expiresAt }

    // It is the newest one and good, so there were too many.
    const windowStart = now - limits.refreshWindow
    const recent = await tx
      .select({ at: refreshTokens.issuedAt })
      .from(refreshTokens)
      .where(and(eq(refreshTokens.sessionId, sessionId), gt(refreshTokens.issuedAt, windowStart)))
      .orderBy(asc(refreshTokens.issuedAt))
    // A session's first token came with no rotation.
    if (found.session.createdAt > windowStart) recent.shift()
    enforceWindows(
      recent.map(({ at }) => at),
      now,
      [{ most: limits.refreshesPerWindow, span: limits.refreshWindow }],
    )
    return rotateNewest(tx, appId, presented)
  }

  /** A login and what was forked from it, so that nothing lives on after the login has ended. */
  const withForks = (sessionId: string) =>
    and(or(eq(sessions.id, sessionId), eq(sessions.originId, sessionId)), isNull(sessions.revokedAt))
  const lastUse = sql<number>`coalesce(${sessions.lastUsedAt}, ${sessions.createdAt})`
  const activeOf = ({ appId, userId }: Owner) =>
    and(
      ...[eq(sessions.appId, appId), eq(sessions.userId, userId)],
      ...[isNull(sessions.revokedAt), gt(sessions.endsAt, clock())],
    )

  return {
    open,
    async refresh(appId, refreshToken, by) {
      const opened =
        (await rotateNewest(database, appId, refreshToken, by)) ??
        (await database.transaction((tx) => rotate(tx, appId, refreshToken)))
      if (!opened) throw invalid()
      return opened
    },
    async logout(appId, by, place) {
      const now = clock()
      const sessionId =
        'sessionId' in by ? by.sessionId : (await findToken(database, appId, by.refreshToken))[0]?.session.id
      if (sessionId === undefined) return
      const wasActive = await database.transaction(async (tx) => {
        const all = await tx
          .update(sessions)
          .set({ revokedAt: now, revokedBecause: 'logout' })
          .where(and(withForks(sessionId), eq(sessions.appId, appId)))
          .returning({ id: sessions.id, userId: sessions.userId })
        const ended = all.find(({ id }) => id === sessionId)
        if (ended) await noteOwn(tx, { app: { id: appId }, userId: ended.userId, place }, 'logout', now)
        return ended !== undefined
      })
      if (wasActive) return
      const [session] = await database.select().from(sessions).where(eq(sessions.id, sessionId))
      if (session?.appId === appId && session.revokedBecause === 'logout')
        throw new Refusal('already_logged_out', 'This session has already been logged out.')
    },
    async endReused(tx, sessionId) {
      const all = await tx
        .update(sessions)
        .set({ revokedAt: clock(), revokedBecause: 'reuse' })
        .where(withForks(sessionId))
        .returning()
      const ended = all.find(({ id }) => id === sessionId)
      if (ended) await noteReuse(tx, ended)
    },
    async fork(appId, refreshToken) {
      const opened = await idempotency.commit(async (tx) => {
        const rotated = await rotate(tx, appId, refreshToken)
        if (!rotated) return undefined
        const { sessionId } = rotated
        const forkToken = randomBytes(32).toString('base64url')
        const expiresAt = clock() + limits.forkLife
        await tx.insert(forkTokens).values({ hash: hashOf(forkToken), appId, sessionId, expiresAt })
        return { ...rotated, forkToken }
      })
      if (!opened) throw invalid()
      return opened
    },
    async recover(appId, forkToken, by) {
      const now = clock()
      const ofToken = and(eq(forkTokens.hash, hashOf(forkToken)), eq(forkTokens.appId, appId))
      const work = async (tx: Transaction) => {
        const [used] = await tx
          .update(forkTokens)
          .set({ usedAt: now })
          .where(and(ofToken, isNull(forkTokens.usedAt), gt(forkTokens.expiresAt, now)))
          .returning()
        if (!used) return undefined
        const [origin] = await tx.select().from(sessions).where(eq(sessions.id, used.sessionId))
        if (!origin || origin.revokedAt !== null || origin.endsAt <= now) return 'too late'
        const { endsAt, createdAt, authenticatedAt, originId } = origin
        const then = { id: originId ?? origin.id, endsAt, authenticatedAt: authenticatedAt ?? createdAt }
        return open(tx, appId, origin.userId, by, { origin: then })
      }
      const opened = await idempotency.commit(work, (result) => (result === 'too late' ? undefined : result))
      if (opened === 'too late') throw invalid()
      if (opened) return opened
      const [known] = await database.select().from(forkTokens).where(ofToken)
      throw known?.usedAt ? new Refusal('token_already_used', 'This link has already been used.') : invalid()
    },
    async sessionOf(appId, refreshToken) {
      return (await findToken(database, appId, refreshToken))[0]?.session.id
    },
    async isActive(appId, { sessionId, userId }) {
      return (await activeSession.execute({ appId, sessionId, userId, now: clock() })).length > 0
    },
    async describe(sessionId) {
      const [row] = await database.select().from(sessions).where(eq(sessions.id, sessionId))
      return row && { authenticatedAt: row.authenticatedAt ?? row.createdAt, deviceId: row.deviceId }
    },
    of(owner) {
      return database
        .select()
        .from(sessions)
        .where(and(activeOf(owner), gt(lastUse, clock() - limits.refreshLife)))
        .orderBy(desc(lastUse))
    },
    async find(db, owner, sessionId) {
      const [found] = await db
        .select()
        .from(sessions)
        .where(and(activeOf(owner), eq(sessions.id, sessionId)))
      return found
    },
    async end(db, owner, sessionId) {
      const all = await db
        .update(sessions)
        .set({ revokedAt: clock(), revokedBecause: 'ended' })
        .where(and(activeOf(owner), withForks(sessionId)))
        .returning()
      return all.find(({ id }) => id === sessionId)
    },
    async endAll(db, owner, but) {
      const ended = await db
        .update(sessions)
        .set({ revokedAt: clock(), revokedBecause: 'ended' })
        .where(and(activeOf(owner), but === undefined ? undefined : ne(sessions.id, but)))
        .returning({ id: sessions.id })
      return ended.length
    },
    async noteDevice(db, sessionId, deviceId) {
      await db
        .update(sessions)
        .set({ deviceId })
        .where(and(eq(sessions.id, sessionId), sql`${sessions.deviceId} is distinct from ${deviceId}`))
    },
  }
}
