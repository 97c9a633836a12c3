/** Plans of the statements that the backend really sends, triggers and cascades included: PostgreSQL's own `auto_explain` notes them. */
import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../../../demo/backend/features.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { seedUsers } from '../../bench/seed-users.ts'
import { type RunningPostgres, startPostgres } from '../../support/postgres.ts'
import { Client, otherCode } from '../support/client.ts'
import { Vault } from '../support/embedded-world.ts'
import { mfaApp } from '../support/mfa-world.ts'
import { days, newAddress, openApp, startWorld, type World } from '../support/world.ts'

const adminKey = 'a-long-random-key-of-the-operator'
/** Its users are the seeded ones. */
const app = {
  ...mfaApp,
  id: 'latchkey-test-plans-00001',
  adminKeys: [{ name: 'support desk', sha256: createHash('sha256').update(adminKey).digest('hex') }],
}
/** Tables with a few rows for each installation, app or process. */
const bounded = ['installation', 'app_keys', 'user_counts']
/** Users whose rows the planner knows of: from some thousand rows on it prefers an index that fits. */
const USERS = 20_000

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Index Name'?: string
  Plans?: PlanNode[]
}

describe('plans: statements of a backend with many users', () => {
  const host = { postgres: undefined as RunningPostgres | undefined, skipped: '' }
  let world: World
  let operator: pg.Client

  beforeAll(async () => {
    const started = await startPostgres()
    if ('skipped' in started) {
      host.skipped = started.skipped
      return
    }
    host.postgres = started
    world = await startWorld(
      { name: 'PostgreSQL', url: started.url },
      { moreApps: [app], limits: { sendsPerIpMinute: 1_000, sendsPerIpHour: 1_000 } },
    )
    operator = new pg.Client({ connectionString: world.databaseUrl })
    await operator.connect()
    await seedUsers(world.databaseUrl ?? '', { users: USERS, app: app.id })
    await configure('session_preload_libraries', 'auto_explain')
    await configure('auto_explain.log_min_duration', '0')
    await configure('auto_explain.log_nested_statements', 'on')
    await configure('auto_explain.log_format', 'json')
  })
  afterAll(async () => {
    await operator?.end()
    await world?.stop()
    await host.postgres?.stop()
  })
  beforeEach((context) => {
    if (!host.postgres) context.skip(host.skipped)
  })

  /** A setting of the database, for connections that begin from now on. */
  async function configure(name: string, value: string) {
    await operator.query(`do $$ begin
      execute format('alter database %I set ${name} = %L', current_database(), '${value}'); end $$`)
  }
  const renewConnections = () =>
    operator.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)

  /** The statements of some work, each with its plan. */
  async function plansOf(work: () => Promise<void>) {
    await renewConnections()
    const postgres = host.postgres as RunningPostgres
    const before = (await postgres.log()).length
    await work()
    return readPlans((await postgres.log()).slice(before))
  }

  /** Whether a table has so many rows that nobody wants to read all of them. */
  async function largeTables() {
    const { rows } = await operator.query(
      "select relname from pg_class where reltuples > 1000 and relkind = 'r' and relnamespace = 'public'::regnamespace",
    )
    const large = rows.map(({ relname }) => relname)
    expect(large).toEqual(expect.arrayContaining(['users', 'sessions', 'refresh_tokens', 'audit_before']))
    return (table: string) => large.includes(table)
  }

  async function ask(method: string, path: string, body?: object) {
    const headers = {
      authorization: `Basic ${Buffer.from(`${app.id}:${adminKey}`).toString('base64')}`,
      'content-type': 'application/json',
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await world.backend.api.request(`/api/admin/v1/${path}`, init)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: what the tests look into is the wire's JSON, whatever it may be
    return (await answer.json()) as any
  }

  /** Runs the calls of clients, operators and sweeps; every response is a success. */
  async function drive() {
    const statuses: Record<string, number> = {}
    const expectOk = (name: string, { status }: { status: number }) => {
      statuses[name] = status
    }
    const client = new Client(world, { appId: app.id })
    const email = newAddress()
    const code = await client.codeFor(email)
    await client.post('passwordless/authenticate', { email, code: otherCode(code) })
    const login = await client.post('passwordless/authenticate', { email, code })
    expectOk('login', login)
    client.token = login.body.token
    const key = { 'idempotency-key': newAddress() }
    const refreshed = await client.post('sessions', { refresh_token: login.body.refresh_token }, key)
    expectOk('refresh', refreshed)
    expectOk('users/me', await client.get('users/me'))
    expectOk('sessions', await client.get('users/me/sessions'))
    const { refresh_token } = refreshed.body
    const fork = await client.post('sessions/fork', { refresh_token })
    expectOk('fork', fork)
    const second = newAddress()
    const { status } = await client.post('passwordless/init', { email: second })
    expectOk('send', { status })
    const update = { oldAddress: email, newAddress: second, code: client.lastCode(second) }
    expectOk('update', await client.post('passwordless/update', update))
    const guest = new Client(world, { appId: openApp })
    const guest_credential = randomBytes(32).toString('base64url')
    const opened = await guest.post('guest/authenticate', { guest_credential })
    expectOk('guest', opened)
    guest.token = opened.body.token
    const own = newAddress()
    const linked = { email: own, code: await guest.codeFor(own) }
    expectOk('link', await guest.post('passwordless/link', linked))
    const seeded = new Client(world, { appId: app.id })
    // Somebody whose rows are there.
    expectOk('login of a seeded user', await seeded.login(`seeded-${++people}@example.com`))
    expectOk('logout', await seeded.post('sessions/logout', {}))

    const vault = await Vault.open(world, { appId: openApp })
    await vault.create()
    await vault.releases()
    expectOk('devices', await vault.get('devices'))
    expectOk('factors', await vault.get('mfa'))

    await ask('GET', 'users?limit=20')
    const { entries } = await ask('GET', 'audit?limit=20')
    expect(entries).toHaveLength(20)
    const found = await ask('POST', 'users/find', { type: 'email', value: `seeded-${++people}@example.com` })
    await ask('GET', `users/${found.user.id}`)
    await ask('GET', `audit?user=${found.user.id}`)
    await ask('POST', `users/${found.user.id}/end_sessions`)
    await ask('DELETE', `users/${found.user.id}`)

    expect(Object.entries(statuses).filter(([, status]) => status !== 200)).toEqual([])
  }
  let people = 100

  test('plans: with the rows of 20,000 users no statement reads a whole table', async () => {
    const plans = await plansOf(drive)
    expect(plans.length).toBeGreaterThan(100)
    expect(wholeReads(plans, await largeTables())).toEqual([])
  })

  test('updates: rotations, codes and counters are heap-only, so that no index grows with them', async () => {
    await operator.query('select pg_stat_reset()')
    const one = new Client(world, { appId: app.id })
    const { body } = await one.login(newAddress())
    let { refresh_token } = body
    for (let turn = 0; turn < 20; turn++)
      refresh_token = (await one.post('sessions', { refresh_token })).body.refresh_token
    const [guessed] = [newAddress()]
    const code = await one.codeFor(guessed)
    await one.post('passwordless/authenticate', { email: guessed, code: otherCode(code) })
    await one.post('passwordless/authenticate', { email: guessed, code })
    // Connections give their figures when they end.
    await renewConnections()
    const { rows } = await operator.query(`
      select relname as name, n_tup_upd::int as updated, n_tup_hot_upd::int as hot from pg_stat_user_tables
      where relname in ('refresh_tokens', 'code_addresses', 'sessions', 'rates') order by relname`)
    // A page without room takes one or the other row elsewhere; with an index in the way not one would be heap-only.
    for (const { name, updated, hot } of rows)
      expect([name, updated > 1, hot > updated / 2]).toEqual([name, true, true])
    expect(rows).toHaveLength(4)
  })

  test('statements: those of a send, a login, a refresh and a read of the own user have names, so that each is planned once', async () => {
    await configure('log_min_duration_statement', '0')
    await renewConnections()
    // The first login of an app makes its keys.
    await new Client(world, { appId: app.id }).login(newAddress())
    const postgres = host.postgres as RunningPostgres
    const before = (await postgres.log()).length
    const client = new Client(world, { appId: app.id })
    const { body } = await client.login(newAddress())
    await client.post('sessions', { refresh_token: body.refresh_token })
    expect((await client.get('users/me')).status).toBe(200)
    await configure('log_min_duration_statement', '-1')
    const executed = [...(await postgres.log()).slice(before).matchAll(/ms {2}execute (\S+): (.*)/g)]
    expect(executed.length).toBeGreaterThan(10)
    expect(executed.filter(([, name]) => name === '<unnamed>').map(([, , text]) => text)).toEqual([])
  })

  test('plans: sweeps find what is due by an index, cascades included', async () => {
    await operator.query(`update users set removed_at = 1 where id in ('seeded-7', 'seeded-8')`)
    const { rows } = await operator.query("select created_at as first from users where id = 'seeded-1'")
    const now = Number(rows[0].first) + days(90.6)
    const large = await largeTables()
    const plans = await plansOf(() =>
      sweep(world.backend.database, { ...defaultLimits, auditLife: days(90) }, now),
    )
    expect(plans.length).toBeGreaterThan(100)
    expect(wholeReads(plans, large)).toEqual([])
  })

  test('plans: every statement on a table that grows has an index that fits', async () => {
    // The planner then reads a whole table only where it has to.
    await configure('enable_seqscan', 'off')
    const plans = await plansOf(async () => {
      await drive()
      await sweep(world.backend.database, defaultLimits, world.clock.now)
    })
    const scanned = plans.flatMap(({ query, plan }) =>
      nodesOf(plan)
        .filter((node) => node['Node Type'] === 'Seq Scan')
        .map((node) => ({ table: node['Relation Name'] ?? '', query })),
    )
    expect(scanned.filter(({ table }) => !bounded.includes(table) && !table.startsWith('pg_'))).toEqual([])
  })
})

function readPlans(log: string): { query: string; plan: PlanNode }[] {
  // The lines of an entry begin with a tab.
  const entries = log.matchAll(/plan:\n((?:\t.*\n)+)/g)
  return Array.from(entries, ([, text = '']) => {
    const { 'Query Text': query, Plan: plan } = JSON.parse(
      text.replaceAll(/^\t/gm, '').replaceAll('\n\t', ' '),
    )
    return { query, plan }
  })
}

/** Sequential scans of large tables, with their statements. */
function wholeReads(plans: readonly { query: string; plan: PlanNode }[], counts: (table: string) => boolean) {
  const found = new Set<string>()
  for (const { query, plan } of plans)
    for (const node of nodesOf(plan)) {
      const table = node['Relation Name']
      if (table && counts(table) && readsAll(node)) found.add(`${table}: ${query}`)
    }
  return [...found]
}

/** Of the rows of these there are only some in the index, and what reads the audit log ends with a page of it. */
const readable = ['users_frozen', 'users_removed', 'audit_before_pk', 'audit_other_pkey']
/** Any other index without a condition is read from end to end, and is no better than the table. */
const readsAll = (node: PlanNode) =>
  node['Node Type'] === 'Seq Scan' ||
  (/^Index (?:Only )?Scan$/.test(node['Node Type']) &&
    node['Index Cond'] === undefined &&
    !readable.includes(node['Index Name'] ?? ''))

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
