import type { Hono } from 'hono'
import * as v from 'valibot'
import { attachAccount } from '../accounts/attach.ts'
import { userView } from '../accounts/user-view.ts'
import { auditOf } from '../audit/audit.ts'
import { readQuery } from '../http/body.ts'
import type { Feature } from '../http/definition.ts'
import type { ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { toSeconds } from '../lib/time.ts'
import { removeFactors } from '../mfa/methods.ts'
import type { SessionServices } from '../sessions/services.ts'
import { createNotices } from '../users/notices.ts'
import { releasesOf } from '../wallets/releases.ts'
import { createAsAdmin, idOf, limitOf, MOST, read } from './call.ts'
import { serverPackageRoutes } from './server-packages.ts'
import {
  createUser,
  deleteUser,
  findable,
  findUser,
  forgetTriesOf,
  listUsers,
  newAccount,
  newAccounts,
  requireUser,
} from './users.ts'

const BASE = '/api/admin/v1'

/** What an operator may do, with a key of the app and never from a page. It shows no secret of anybody. */
export const adminFeature: Feature<SessionServices> = {
  tables: [],
  start: (services) => ({
    publicRoutes(api) {
      adminRoutes(api, services)
      serverPackageRoutes(api, services)
    },
  }),
}

function adminRoutes(api: Hono<ServerEnv>, services: SessionServices): void {
  const { database, sessions, limits, clock } = services
  const notices = createNotices(services)

  const asAdmin = createAsAdmin(services)
  api.get(
    `${BASE}/users`,
    asAdmin(async ({ c, app, note }) => {
      const query = readQuery(c)
      const limit = limitOf(query)
      const found = await listUsers(database, app, query.get('cursor') ?? '', limit)
      await note(database, 'admin-read', { details: { what: 'users', count: found.length } })
      const next = found.length === limit ? found.at(-1)?.id : undefined
      return c.json({ users: found.map(userView), next_cursor: next ?? null })
    }),
  )
  api.post(
    `${BASE}/users/find`,
    asAdmin(async ({ c, app, note }) => {
      const { type, value } = await read(
        c,
        v.strictObject({ type: findable, value: v.pipe(v.string(), v.minLength(1), v.maxLength(1_400)) }),
      )
      const user = await findUser(database, app, type, value)
      await note(database, 'admin-read', {
        ...(user && { userId: user.id }),
        details: { what: 'find', type },
      })
      return c.json({ user: user ? userView(user) : null })
    }),
  )
  api.post(
    `${BASE}/users`,
    asAdmin(async ({ c, app, note }) => {
      const { linked_accounts } = await read(c, v.strictObject({ linked_accounts: newAccounts }))
      const user = await createUser(database, app, { accounts: linked_accounts }, clock(), (tx, userId) =>
        note(tx, 'user-created', { userId }),
      )
      return c.json(userView(user))
    }),
  )
  api.get(
    `${BASE}/users/:id`,
    asAdmin(async ({ c, app, note }) => {
      const user = await requireUser(database, app, idOf(c))
      const active = await sessions.of({ appId: app.id, userId: user.id })
      await note(database, 'admin-read', { userId: user.id, details: { what: 'user' } })
      return c.json({
        ...userView(user),
        sessions: active.map(({ id, name, place, createdAt, lastUsedAt }) => ({
          id,
          name,
          place,
          created_at: toSeconds(createdAt),
          last_used_at: toSeconds(lastUsedAt ?? createdAt),
        })),
      })
    }),
  )
  /** The way back for somebody who has no login left. */
  api.post(
    `${BASE}/users/:id/accounts`,
    asAdmin(async ({ c, app, note }) => {
      const userId = idOf(c)
      const { account } = await read(c, v.strictObject({ account: newAccount }))
      await requireUser(database, app, userId)
      const told = await database.transaction(async (tx) => {
        const reached = await attachAccount(tx, app, userId, account, { limits, now: clock() })
        await note(tx, 'account-attached', { userId, details: { type: account.type } })
        return reached
      })
      notices.tell({ app, userId }, { what: 'account-attached', type: account.type }, told)
      return c.json(userView(await requireUser(database, app, userId)))
    }),
  )
  api.delete(
    `${BASE}/users/:id`,
    asAdmin(async ({ c, app, note }) => {
      const userId = idOf(c)
      const isKept = await database.transaction(async (tx) => {
        const kept = await deleteUser(tx, app, userId, clock())
        await note(tx, 'user-removed', { userId, details: { isKept: kept } })
        return kept
      })
      return c.json({ restorable: isKept })
    }),
  )
  api.post(
    `${BASE}/users/:id/end_sessions`,
    asAdmin(async ({ c, app, note }) => {
      const userId = idOf(c)
      await requireUser(database, app, userId)
      const ended = await database.transaction(async (tx) => {
        const count = await sessions.endAll(tx, { appId: app.id, userId })
        await note(tx, 'sessions-ended', { userId, details: { count } })
        return count
      })
      return c.json({ ended })
    }),
  )
  api.delete(
    `${BASE}/users/:id/factors`,
    asAdmin(async ({ c, app, note }) => {
      const userId = idOf(c)
      await requireUser(database, app, userId)
      const removed = await database.transaction(async (tx) => {
        const factors = await removeFactors(tx, userId)
        for (const factor of factors) await note(tx, 'factor-removed', { userId, details: { factor } })
        return factors
      })
      for (const factor of removed) notices.tell({ app, userId }, { what: 'factor-removed', factor })
      return c.json({ removed })
    }),
  )
  api.post(
    `${BASE}/users/:id/forget_tries`,
    asAdmin(async ({ c, app, note }) => {
      const userId = idOf(c)
      await requireUser(database, app, userId)
      const forgotten = await database.transaction(async (tx) => {
        const of = await forgetTriesOf(tx, app, userId)
        await note(tx, 'tries-forgotten', { userId, details: { of } })
        return of
      })
      return c.json({ forgotten })
    }),
  )
  api.get(
    `${BASE}/users/:id/releases`,
    asAdmin(async ({ c, app, note }) => {
      const userId = idOf(c)
      const found = await releasesOf(database, { app, userId }, MOST)
      await note(database, 'admin-read', { userId, details: { what: 'releases' } })
      return c.json({
        releases: found.map(({ at, what, address }) => ({
          at: toSeconds(at),
          what,
          ...(address !== null && { address }),
        })),
      })
    }),
  )
  api.get(
    `${BASE}/audit`,
    asAdmin(async ({ c, app, note }) => {
      const query = readQuery(c)
      const limit = limitOf(query)
      const cursor = query.get('cursor')
      if (cursor !== null && !/^\d{1,15}$/.test(cursor))
        throw new Refusal('invalid_data', 'Invalid or missing: cursor')
      const userId = query.get('user') ?? undefined
      const before = cursor === null ? undefined : Number(cursor)
      const found = await auditOf(database, app.id, { userId, before, most: limit })
      await note(database, 'admin-read', { ...(userId && { userId }), details: { what: 'audit' } })
      const next = found.length === limit ? found.at(-1)?.id : undefined
      return c.json({
        entries: found.map((row) => ({
          id: row.id,
          at: toSeconds(row.at),
          action: row.action,
          place: row.place,
          actor: { type: row.actorType, ...(row.actor !== '' && { name: row.actor }) },
          ...(row.userId !== null && { user: row.userId }),
          details: row.details,
        })),
        next_cursor: next === undefined ? null : String(next),
      })
    }),
  )
}
