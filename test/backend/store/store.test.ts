import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyticsEvents } from '../../../demo/backend/analytics/tables.ts'
import { codeAddresses } from '../../../demo/backend/codes/tables.ts'
import { sweep } from '../../../demo/backend/features.ts'
import { idempotency } from '../../../demo/backend/http/tables.ts'
import { normaliseEmail } from '../../../demo/backend/lib/email-address.ts'
import { seal, unseal } from '../../../demo/backend/secrets/sealing.ts'
import { loadSecrets } from '../../../demo/backend/secrets/secrets.ts'
import { createBackend } from '../../../demo/backend/server.ts'
import { forkTokens, refreshTokens, sessions } from '../../../demo/backend/sessions/tables.ts'
import { readApps } from '../../../demo/backend/settings/app.ts'
import { demoApps } from '../../../demo/backend/settings/demo-apps.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { lockFolder } from '../../../demo/backend/store/folder-lock.ts'
import { oneTime, rates } from '../../../demo/backend/store/tables.ts'
import { users } from '../../../demo/backend/users/tables.ts'
import { createMailbox } from '../../../demo/world/mail/mailbox.ts'
import { scratch } from '../../support/scratch.ts'
import { Client } from '../support/client.ts'
import { createDatabase, days, newAddress, startWorld, stores } from '../support/world.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(scratch, 'latchkey-store-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const settings = (dataDir: string) => ({
  dataDir,
  apiUrl: 'http://localhost:4801',
  apps: demoApps,
  smtpUrl: 'smtp://127.0.0.1:1',
  vaultFiles: dataDir,
})

describe('a database folder', () => {
  test('is opened by one process, and by that one only once', async () => {
    const dataDir = join(folder, 'locked')
    const first = await createBackend(settings(dataDir))
    await expect(createBackend(settings(dataDir))).rejects.toThrow('already open in this process')
    const other = promisify(execFile)(process.execPath, ['--import', 'tsx', 'demo/backend/main.ts'], {
      env: {
        ...process.env,
        DATABASE_URL: '',
        LATCHKEY_DATA: dataDir,
        PORT: '0',
        SMTP_URL: 'smtp://127.0.0.1:1',
      },
    })
    await expect(other).rejects.toMatchObject({
      stderr: expect.stringContaining(
        `already open in process ${process.pid}. Stop it, or use another folder.`,
      ),
    })
    await first.close()
    const again = await createBackend(settings(dataDir))
    await again.close()
    await expect(stat(join(dataDir, 'database.pid'))).rejects.toThrow('ENOENT')
  })

  test('is taken over from a process that died', async () => {
    const locked = join(folder, 'stale')
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'exit')
    for (const left of [
      JSON.stringify({ pid: dead.pid, started: 'x/1' }),
      JSON.stringify({ pid: process.pid, started: 'an earlier process of this number' }),
      '',
      'nonsense',
    ]) {
      await writeFile(`${locked}.pid`, left)
      const unlock = await lockFolder(locked)
      expect(JSON.parse(await readFile(`${locked}.pid`, 'utf8')).pid).toBe(process.pid)
      await unlock()
    }
  })
})

describe('secrets', () => {
  test('are made once, for the owner’s eyes only', async () => {
    const dataDir = join(folder, 'secrets')
    const made = await Promise.all([1, 2, 3].map(() => loadSecrets(dataDir, undefined)))
    expect(made[1]).toEqual(made[0])
    expect(made[2]).toEqual(made[0])
    const file = join(dataDir, 'secrets.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await chmod(file, 0o644)
    expect(await loadSecrets(dataDir, undefined)).toEqual(made[0])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await loadSecrets(join(folder, 'unused'), await readFile(file, 'utf8'))).toEqual(made[0])
  })

  test('that cannot be used are refused without being shown', async () => {
    await expect(loadSecrets(folder, '{"pepper":"c2hvcnQ="}')).rejects.toThrow(
      'The secrets in LATCHKEY_SECRETS cannot be used: signingKeys, pepper, sealingKeys',
    )
    await expect(loadSecrets(folder, 'secret')).rejects.toThrow('cannot be used: not JSON')
  })

  test('seal so that every change, and a value in another’s place, is noticed', async () => {
    const secrets = await loadSecrets(join(folder, 'sealing'), undefined)
    const sealed = seal(secrets, 'wallet 1', 'a share')
    expect(unseal(secrets, 'wallet 1', sealed)).toBe('a share')
    expect(() => unseal(secrets, 'wallet 2', sealed)).toThrow()
    expect(seal(secrets, 'wallet 1', 'a share')).not.toBe(sealed)
    const [id, iv = '', text = ''] = sealed.split('.')
    for (const [part, other] of [
      [iv, [id, iv.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')), text]],
      [text, [id, iv, text.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))]],
      ['', ['k-other', iv, text]],
    ] as const)
      expect(() => unseal(secrets, 'wallet 1', other.join('.')), part).toThrow()
  })

  test('may get a newer sealing key, and the older one still opens', async () => {
    const dataDir = join(folder, 'rotation')
    const old = await loadSecrets(dataDir, undefined)
    const sealed = seal(old, 'x', 'a share')
    const key = { id: 'k-new', key: Buffer.alloc(32, 7) }
    const next = { ...old, sealingKeys: [key, ...old.sealingKeys] }
    expect(unseal(next, 'x', sealed)).toBe('a share')
    expect(seal(next, 'x', 'a share')).toMatch(/^k-new\./)
  })
})

describe.each(stores)('a database on $name', (store) => {
  test('is not opened with other secrets', async () => {
    const dataDir = await mkdtemp(join(folder, 'other-secrets-'))
    const database = store.url ? await createDatabase(store.url) : undefined
    const own = { ...settings(dataDir), databaseUrl: database?.url }
    await (await createBackend(own)).close()
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
    const others = JSON.stringify({ ...secrets, pepper: Buffer.alloc(32, 1).toString('base64') })
    await expect(createBackend({ ...own, secrets: others })).rejects.toThrow('made with other secrets')
    await (await createBackend(own)).close()
    await database?.drop()
  })

  test('keeps users and sessions over a restart', async () => {
    const dataDir = await mkdtemp(join(folder, 'restart-'))
    const database = store.url ? await createDatabase(store.url) : undefined
    const mailbox = await createMailbox()
    const own = { ...settings(dataDir), databaseUrl: database?.url, smtpUrl: mailbox.smtp.url }
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

  test('is swept of what nobody can use any more, and of nothing else', async () => {
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
    expect(await counts()).toEqual([1, 1, 2, 1, 1, 4, 1, 1, 1])
    await sweep(database, defaultLimits, world.clock.now)
    expect(await counts()).toEqual([1, 1, 2, 1, 1, 4, 1, 1, 1])
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
