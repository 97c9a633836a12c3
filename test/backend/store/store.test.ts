import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { analyticsEvents } from '../../../demo/backend/analytics/tables.ts'
import { codeAddresses } from '../../../demo/backend/codes/tables.ts'
import { sweep } from '../../../demo/backend/features.ts'
import { idempotency } from '../../../demo/backend/http/tables.ts'
import { normaliseEmail } from '../../../demo/backend/lib/email-address.ts'
import { createBackend } from '../../../demo/backend/server.ts'
import { forkTokens, refreshTokens, sessions } from '../../../demo/backend/sessions/tables.ts'
import { readApps } from '../../../demo/backend/settings/app.ts'
import { demoApps } from '../../../demo/backend/settings/demo-apps.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { oneTime, rates } from '../../../demo/backend/store/tables.ts'
import { users } from '../../../demo/backend/users/tables.ts'
import { createMailbox } from '../../../demo/world/mail/mailbox.ts'
import { Client } from '../support/client.ts'
import { ownFolder, settingsIn } from '../support/on-disk.ts'
import { days, newAddress, newDatabase, startWorld, stores } from '../support/world.ts'

const folder = ownFolder()

describe.each(stores)('a database on $name', (store) => {
  test('is not opened with other secrets', async () => {
    const dataDir = await mkdtemp(join(folder.path, 'other-secrets-'))
    const database = await newDatabase(store, dataDir)
    const own = { ...settingsIn(dataDir), databaseUrl: database?.url }
    await (await createBackend(own)).close()
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
    const others = JSON.stringify({ ...secrets, pepper: Buffer.alloc(32, 1).toString('base64') })
    await expect(createBackend({ ...own, secrets: others })).rejects.toThrow('made with other secrets')
    await (await createBackend(own)).close()
    await database?.drop()
  })

  test('keeps users and sessions over a restart', async () => {
    const dataDir = await mkdtemp(join(folder.path, 'restart-'))
    const database = await newDatabase(store, dataDir)
    const mailbox = await createMailbox()
    const own = { ...settingsIn(dataDir), databaseUrl: database?.url, smtpUrl: mailbox.smtp.url }
    const before = await createBackend(own)
    const { body } = await new Client({ backend: before, mailbox }).login(newAddress())
    await before.close()
    const after = await createBackend(own)
    const client = new Client({ backend: after, mailbox })
    const refreshed = await client.post('sessions', { refresh_token: body.refresh_token })
    expect([refreshed.status, refreshed.body.user.id]).toEqual([200, body.user.id])
    await after.close()
    await mailbox.close()
    await database?.drop()
  })

  test('is swept of what nobody can use any longer, and of nothing else', async () => {
    const world = await startWorld(store)
    const { database } = world.backend
    const client = new Client(world)
    const email = newAddress()
    const { body } = await client.login(email)
    await client.post('sessions/fork', { refresh_token: body.refresh_token }, { 'idempotency-key': 'k' })
    await client.post('analytics_events', { event_name: 'modal_open' })
    const counts = async () => {
      const tables = [users, sessions, refreshTokens, forkTokens, idempotency]
      const more = [rates, codeAddresses, analyticsEvents, oneTime]
      return Promise.all(
        [...tables, ...more].map(async (each) => (await database.select().from(each)).length),
      )
    }
    const every = new Client(world, { appId: 'latchkey-demo-every-00009', ip: client.ip })
    const challenge = await every.post('passkeys/authenticate/init')
    expect(challenge.status).toBe(200)
    // Sendings to the mailbox are counted for all apps together, in a row of its own.
    expect(await counts()).toEqual([1, 1, 2, 1, 1, 4, 2, 1, 1])
    await sweep(database, defaultLimits, world.clock.now)
    expect(await counts()).toEqual([1, 1, 2, 1, 1, 4, 2, 1, 1])
    await sweep(database, defaultLimits, world.clock.now + days(91))
    expect(await counts()).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0])
    await world.stop()
  })
})

test('apps are checked when the backend starts', () => {
  const good = { id: 'a'.repeat(25), name: 'Good' }
  expect(demoApps.every(({ id }) => id.length === 25)).toBe(true)
  expect(readApps(demoApps).all).toHaveLength(demoApps.length)
  expect(() => readApps([{ ...good, id: 'short' }])).toThrow("App 'short': id: must have exactly 25")
  expect(() => readApps([good, good])).toThrow('is defined twice')
  for (const domain of [
    "https://a.example; script-src 'unsafe-inline'",
    'https://a.example/path',
    'a b',
    '*',
    '*:*',
  ])
    expect(() => readApps([{ ...good, allowedDomains: [domain] }]), domain).toThrow('allowedDomains.0')
})

test('addresses have one form', () => {
  const long = `${'a'.repeat(64)}@example.com`
  for (const [given, form] of [
    [' Ada@Example.COM\n', 'ada@example.com'],
    ["o'hara+x@mail.example", "o'hara+x@mail.example"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    [long, long],
  ] as const)
    expect(normaliseEmail(given)).toBe(form)
  for (const wrong of [
    'ada',
    '@a.b',
    'ada@',
    'ada@host',
    'a..b@c.de',
    '.a@c.de',
    'a.@c.de',
    'a@c..de',
    'a@-c.de',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    '"a b"@c.de',
    'a@c.de,b@c.de',
    'a@b@c.de',
    'a\n@c.de',
    'a@c.de\nbcc:x@y.z',
    `a${long}`,
    'ä@c.de',
  ])
    expect(normaliseEmail(wrong), wrong).toBeUndefined()
})
