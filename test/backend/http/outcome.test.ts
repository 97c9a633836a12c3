/** Requests whose work is done, and whose answer was never kept: the next attempt answers for the same work. */
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIdempotency } from '../../../demo/backend/http/idempotency.ts'
import { idempotency } from '../../../demo/backend/http/tables.ts'
import { loadSecrets } from '../../../demo/backend/secrets/secrets.ts'
import { sessions } from '../../../demo/backend/sessions/tables.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { rates } from '../../../demo/backend/store/tables.ts'
import { Client } from '../support/client.ts'
import { newAddress, startWorld, stores, type World } from '../support/world.ts'

describe.each(stores)('a request that ends after its work on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  const key = () => ({ 'idempotency-key': randomUUID() })
  /** The answer to a login needs the app's key, which no login has needed before. */
  async function withoutKeys<T>(work: () => Promise<T>): Promise<T> {
    const { database } = world.backend
    await database.execute(sql`alter table app_keys rename to app_keys_elsewhere`)
    try {
      return await work()
    } finally {
      await database.execute(sql`alter table app_keys_elsewhere rename to app_keys`)
    }
  }

  test('lets somebody in with the code that the first attempt has used, in the session that it has opened', async () => {
    const client = new Client(world, { kit: true, appId: 'latchkey-demo-noplus-0006' })
    const email = newAddress()
    const body = { email, code: await client.codeFor(email) }
    const header = key()
    const lost = await withoutKeys(() => client.post('passwordless/authenticate', body, header, false))
    expect(lost.status).toBeGreaterThanOrEqual(500)
    const used = await client.post('passwordless/authenticate', body, key(), false)
    expect([used.status, used.body.code]).toEqual([422, 'invalid_credentials'])

    const again = await client.post('passwordless/authenticate', body, header)
    expect([again.status, again.body.is_new_user]).toEqual([200, true])
    expect((await client.post('sessions')).status).toBe(200)
    const userId = (again.body.user as { id: string }).id
    const opened = await world.backend.database.select().from(sessions).where(eq(sessions.userId, userId))
    expect(opened).toHaveLength(1)
    const once = await client.post('passwordless/authenticate', body, header)
    expect([once.status, once.text]).toEqual([200, again.text])
  })

  test('is judged again where it was refused', async () => {
    const client = new Client(world, { kit: true, appId: 'latchkey-demo-noplus-0006' })
    const email = newAddress()
    const code = await client.codeFor(email)
    const header = key()
    const wrong = { email, code: code === '111111' ? '222222' : '111111' }
    expect((await client.post('passwordless/authenticate', wrong, header, false)).status).toBe(422)
    const lost = await withoutKeys(() => client.post('passwordless/authenticate', wrong, header, false))
    expect([lost.status, lost.body.code]).toEqual([422, 'invalid_credentials'])
    expect((await client.post('passwordless/authenticate', { email, code }, header)).status).toBe(200)
  })

  /** The mechanism alone: work is a row, by its name. */
  async function setUp() {
    const { database } = world.backend
    const secrets = await loadSecrets(world.dataDir, undefined)
    const made = createIdempotency({ database, secrets, limits: defaultLimits, clock: Date.now, log() {} })
    const request = { appId: 'app', path: '/x', key: randomUUID(), content: 'c' }
    const name = `outcome ${request.key}`
    const count = () => database.$count(rates, eq(rates.key, name))
    const write = () =>
      made.commit(async (tx) => {
        await tx.insert(rates).values({ key: name, hits: [], keepUntil: 1 })
        return { made: name }
      })
    return { database, made, request, count, write, name }
  }

  test('keeps the result of its work in the same transaction, and gives it to whoever goes on', async () => {
    const { made, request, count, write, name } = await setUp()
    const seen: unknown[] = []
    const attempt = (fails: boolean) =>
      made.once(request, async () => {
        seen.push(made.hasOutcome(), await write())
        if (fails) throw new Error('The process died')
        return { answer: { status: 200, body: 'done' }, keep: true }
      })
    await expect(attempt(true)).rejects.toThrow('died')
    expect(await attempt(false)).toEqual({ status: 200, body: 'done' })
    expect(await attempt(true)).toEqual({ status: 200, body: 'done' })
    expect(seen).toEqual([false, { made: name }, true, { made: name }])
    expect(await count()).toBe(1)
  })

  test('does nothing once another process has taken it over', async () => {
    const { database, made, request, count, write } = await setUp()
    const slow = made.once(request, async () => {
      await database.update(idempotency).set({ owner: 'another' }).where(eq(idempotency.appId, 'app'))
      await write()
      return { answer: { status: 200, body: 'mine' }, keep: true }
    })
    await expect(slow).rejects.toThrow('Another process')
    expect(await count()).toBe(0)
    await database.delete(idempotency).where(eq(idempotency.appId, 'app'))
  })

  test('is a plain transaction without a key', async () => {
    const { made, count, write, name } = await setUp()
    expect(await write()).toEqual({ made: name })
    expect([await count(), made.hasOutcome()]).toEqual([1, false])
  })
})
