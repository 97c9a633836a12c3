/** Databases from before connected apps, Farcaster's signers and bridges were stored: all that they hold is carried over. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seal } from '../../../demo/backend/secrets/sealing.ts'
import { loadSecrets } from '../../../demo/backend/secrets/secrets.ts'
import { type Backend, createBackend } from '../../../demo/backend/server.ts'
import { appKeyName } from '../../../demo/backend/sessions/app-keys.ts'
import { demoApps } from '../../../demo/backend/settings/demo-apps.ts'
import { createMailbox, type Mailbox } from '../../../demo/world/mail/mailbox.ts'
import { limit } from '../../support/limit.ts'
import { scratch } from '../../support/scratch.ts'
import { Client } from '../support/client.ts'
import { asking, apps as crossApps, crossAppWorld, friend } from '../support/cross-app-world.ts'
import { Vault } from '../support/embedded-world.ts'
import { app as farcaster, farcasterApp } from '../support/farcaster-world.ts'
import { oldDatabase } from '../support/old-database.ts'
import { rampApp, rampSettings } from '../support/ramps-world.ts'
import {
  apiUrl,
  createDatabase,
  days,
  hours,
  newAddress,
  stores,
  vaultOrigin,
  type World,
} from '../support/world.ts'

/** The migrations up to 0016. */
const BEFORE = 17
const start = Date.UTC(2026, 0, 15, 12)
const fid = '8123'
const signerKey = `0x${randomBytes(32).toString('hex')}`
type Row = Readonly<Record<string, unknown>>
type Query = (text: string, values: unknown[]) => Promise<unknown>

/** Users as an older server has stored them, each with a session whose page has the refresh token. */
const user = (appId: string) => ({
  appId,
  id: `did:privy:${randomUUID()}`,
  email: newAddress(),
  session: randomUUID(),
  refreshToken: randomBytes(32).toString('base64url'),
})
const people = {
  friend: user(friend),
  buyer: user(rampApp),
  caster: user(farcasterApp),
  /** Has an account of Farcaster's without a signer, and one of another kind that names a key. */
  plain: user(farcasterApp),
}
const buyerWallet = getAddress(`0x${randomBytes(20).toString('hex')}`)
const purchases = ['completed', 'pending', 'failed'].map((status) => ({ id: randomUUID(), status }))
const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const at = start - days(1)

async function insert(query: Query, table: string, row: Row): Promise<void> {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${index + 1}`)
  await query(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`, Object.values(row))
}

async function fill(query: Query, sealedKey: string, kid: string): Promise<void> {
  for (const { appId, id, email, session, refreshToken } of Object.values(people)) {
    await insert(query, 'users', { id, app_id: appId, created_at: at })
    const account = { app_id: appId, user_id: id, linked_at: at, verified_at: at }
    await insert(query, 'accounts', { ...account, type: 'email', subject: email })
    await insert(query, 'sessions', {
      ...{ id: session, app_id: appId, user_id: id, created_at: at, last_used_at: at },
      ends_at: start + days(300),
    })
    await insert(query, 'refresh_tokens', {
      hash: createHash('sha256').update(refreshToken).digest('base64url'),
      session_id: session,
      issued_at: at,
      expires_at: start + days(20),
    })
  }
  await insert(query, 'app_keys', { kid, app_id: friend, sealed_key: sealedKey, created_at: at })
  const owned = ({ appId, id }: { appId: string; id: string }) => ({
    ...{ app_id: appId, user_id: id, linked_at: at, verified_at: at },
  })
  await insert(query, 'accounts', {
    ...owned(people.caster),
    type: 'farcaster',
    subject: fid,
    details: JSON.stringify({ username: 'ada', signerPublicKey: signerKey }),
  })
  await insert(query, 'accounts', {
    ...owned(people.plain),
    type: 'farcaster',
    subject: '8124',
    details: JSON.stringify({ username: 'bea' }),
  })
  await insert(query, 'accounts', {
    ...owned(people.plain),
    type: 'google',
    subject: '8125',
    details: JSON.stringify({ signerPublicKey: signerKey }),
  })
  await insert(query, 'accounts', { ...owned(people.buyer), type: 'ethereum-wallet', subject: buyerWallet })
  for (const [index, { id, status }] of purchases.entries())
    await insert(query, 'purchases', {
      ...{ id, app_id: rampApp, user_id: people.buyer.id, provider: 'moonpay', method: 'card' },
      ...{ is_sandbox: true, status, address: buyerWallet, chain: 'eip155:8453', asset: 'native-currency' },
      ...{ symbol: 'ETH', amount: '0.05', currency: 'USD', total: '160.00' },
      ...{ created_at: at + index, updated_at: at + index, checked_at: start },
    })
}

/** All rows of a database, by table; columns that a later migration has added are left out. */
async function rowsOf(
  query: (text: string) => Promise<readonly Row[]>,
  columns?: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const found = await query(
    `select table_name, column_name from information_schema.columns where table_schema = 'public' order by table_name, column_name`,
  )
  const all = new Map<string, string[]>()
  for (const { table_name: table, column_name: column } of found) {
    const known = columns?.get(String(table))
    if (columns && !known?.includes(String(column))) continue
    all.set(String(table), [...(all.get(String(table)) ?? []), String(column)])
  }
  const rows = new Map<string, readonly Row[]>()
  for (const [table, names] of all) {
    const list = names.map((name) => `"${name}"`).join(', ')
    const stored = await query(`select ${list} from "${table}"`)
    rows.set(
      table,
      [...stored].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    )
  }
  return rows
}
const columnsOf = (rows: ReadonlyMap<string, readonly Row[]>) =>
  new Map([...rows].map(([table, list]) => [table, Object.keys(list[0] ?? {})]))

/** A requester's token as it was before connections had rows: it names none. */
async function oldToken(kid: string, privateKey: KeyObject): Promise<string> {
  const iat = Math.floor(start / 1_000) - 60
  return new SignJWT({ azp: asking })
    .setProtectedHeader({ alg: 'ES256', typ: 'cross-app+jwt', kid })
    .setSubject(people.friend.id)
    .setIssuer('privy.io')
    .setAudience(friend)
    .setIssuedAt(iat)
    .setExpirationTime(iat + hours(1) / 1_000)
    .sign(privateKey)
}

describe.each(stores)('a database of an older server on $name', (store) => {
  let dataDir: string
  let mailbox: Mailbox
  let database: Awaited<ReturnType<typeof createDatabase>> | undefined
  let backend: Backend
  let before: ReadonlyMap<string, readonly Row[]>
  let kid: string
  const clock = { now: start, pass }
  function pass(more: number) {
    clock.now += more
  }
  const world = () => ({ backend, mailbox, clock }) as unknown as World
  const { tokenFor, open, opened, messageOf } = crossAppWorld(world)

  beforeAll(async () => {
    dataDir = await mkdtemp(join(scratch, 'latchkey-carried-'))
    mailbox = await createMailbox()
    database = store.url ? await createDatabase(store.url) : undefined
    const secrets = await loadSecrets(dataDir, undefined)
    kid = await calculateJwkThumbprint(await exportJWK(signing.publicKey))
    const pem = signing.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await oldDatabase(database ?? { folder: join(dataDir, 'database') }, BEFORE, async (query) => {
      await fill(query, seal(secrets, appKeyName(kid), pem), kid)
      before = await rowsOf(async (text) => ((await query(text, [])) as { rows: Row[] }).rows)
    })
    backend = await createBackend({
      dataDir,
      databaseUrl: database?.url,
      apiUrl,
      vaultOrigin,
      apps: [
        ...demoApps,
        ...crossApps,
        farcaster,
        rampSettings({ origin: 'http://localhost:9' }, { bridging: true }),
      ],
      smtpUrl: mailbox.smtp.url,
      vaultFiles: dataDir,
      clock: () => clock.now,
    })
  }, limit(120_000))
  afterAll(async () => {
    await backend?.close()
    await database?.drop()
    await mailbox?.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** The page of a user whose browser was closed before the server was updated. */
  async function back({ appId, id, refreshToken }: (typeof people)[keyof typeof people]): Promise<Client> {
    const page = new Client(world(), { appId })
    const { status, body } = await page.post('sessions', { refresh_token: refreshToken })
    expect([status, body.user?.id]).toEqual([200, id])
    page.token = body.token
    return page
  }

  test('no row of any table is lost or changed', async () => {
    const now = await rowsOf(
      async (text) => ((await backend.database.execute(sql.raw(text))) as unknown as { rows: Row[] }).rows,
      columnsOf(before),
    )
    expect([...before.values()].reduce((sum, list) => sum + list.length, 0)).toBeGreaterThan(20)
    for (const [table, rows] of before) expect([table, now.get(table) ?? []]).toEqual([table, rows])
  })

  test('a session goes on by its refresh token, once', async () => {
    const page = await back(people.friend)
    expect((await page.get('users/me')).status).toBe(200)
    const second = new Client(world(), { appId: friend })
    clock.pass(60_000)
    const reused = await second.post('sessions', { refresh_token: people.friend.refreshToken })
    expect(reused.status).toBe(401)
  })

  test('purchases are listed as before, and bridges can be noted beside them', async () => {
    const page = await back(people.buyer)
    const { body } = await page.get('funding/purchases')
    const listed = body.purchases.map(({ id, status }: { id: string; status: string }) => ({ id, status }))
    expect(listed).toEqual([...purchases].reverse())
    expect((await page.get('funding/bridges')).body).toEqual({ bridges: [] })
    const figure = { symbol: 'ETH', decimals: 18, amount: '1' }
    const bridge = {
      ...{
        id: randomUUID(),
        request_id: 'first',
        address: buyerWallet,
        chain: 'eip155:8453',
        receives: figure,
      },
      wallet: { id: 'metamask', name: 'MetaMask', address: buyerWallet, chain_type: 'ethereum' },
      ...{ from: 'eip155:1', network: 'Ethereum', pays: figure },
    }
    expect((await page.post('funding/bridges', bridge)).status).toBe(200)
    expect((await page.get('funding/bridges')).body.bridges).toMatchObject([bridge])
  })

  test('a signer on Farcaster stays approved, also after its account was unlinked; no other account gets one', async () => {
    const stored = await backend.database.execute(
      sql`select user_id, fid, public_key, approved_at from farcaster_signers`,
    )
    expect(
      (stored as unknown as { rows: Row[] }).rows.map((row) => ({
        ...row,
        approved_at: Number(row.approved_at),
      })),
    ).toEqual([{ user_id: people.caster.id, fid, public_key: signerKey, approved_at: at }])
    const page = await back(people.caster)
    const { body } = await page.get('users/me')
    const accounts = (body.user ?? body).linked_accounts
    expect(accounts).toContainEqual(
      expect.objectContaining({ type: 'farcaster', signer_public_key: signerKey }),
    )
    const vault = new Vault(world(), { appId: farcasterApp, origin: vaultOrigin })
    vault.token = page.token
    vault.userId = people.caster.id
    expect((await vault.enrol()).status).toBe(200)
    // The account as it is once it was unlinked and linked again: without its signer.
    const init = () => vault.post('farcaster/signer/init', { ed25519_public_key: signerKey })
    const approved = { public_key: signerKey, status: 'approved', fid: Number(fid) }
    expect((await init()).body).toEqual(approved)
    await backend.database.execute(
      sql`update accounts set details = details - 'signerPublicKey' where user_id = ${people.caster.id} and type = 'farcaster'`,
    )
    expect((await init()).body).toEqual(approved)
  })

  test('a requester’s token without a connection is answered: it is over, and its user logs in again', async () => {
    const { body } = await new Client(world(), { appId: friend }).login(people.friend.email)
    expect(body.user.id).toBe(people.friend.id)
    const vault = new Vault(world(), { appId: friend, origin: vaultOrigin })
    vault.token = body.token
    vault.userId = people.friend.id
    expect((await vault.enrol()).status).toBe(200)
    const { key } = await vault.create()
    const owner = {
      vault,
      page: vault.page(),
      address: key.address,
      token: await oldToken(kid, signing.privateKey),
    }
    expect((await owner.page.get('connected_apps')).body).toEqual({ connected_apps: [] })
    const { message } = messageOf((await open(owner)).text)
    expect(message).toEqual({
      type: 'PRIVY_CROSS_APP_ACTION_ERROR',
      error: 'Transactions require a valid token',
      token: { action: 'clear' },
    })
    const fresh = { ...owner, token: await tokenFor(vault, asking) }
    expect(await opened(fresh)).toMatch(/^[\w-]{43}$/)
    expect((await owner.page.get('connected_apps')).body.connected_apps).toMatchObject([{ id: asking }])
  })
})
