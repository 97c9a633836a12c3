/**
 * Logins and sessions per second of the reference backend beside those of the newest better-auth (MIT), both as one process
 * on the same PostgreSQL: a code by e-mail checked for somebody new, and our refresh, which rotates a token, beside its
 * session call, which reads one.
 *
 * npm installs better-auth into a temporary folder, since it is no dependency of this repository. `BETTER_AUTH` names a
 * folder in which it and pg are installed already.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { demoApps } from '../../demo/backend/settings/demo-apps.ts'
import { createMailbox } from '../../demo/world/mail/mailbox.ts'
import { version } from '../../src/lib/version.ts'
import { startPostgres } from '../support/postgres.ts'
import { type Figure, median } from './figures.ts'

const people = 400
const callsEach = 5
const parallel = 16
const rounds = 7
const appId = demoApps[0]?.id ?? ''
/** The least that our logins and sessions per second may be, times better-auth's. */
const leastRatio = 1.2

const theirs = `
import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { emailOTP } from 'better-auth/plugins'
import pg from 'pg'
const codes = {}
const options = {
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 }),
  secret: 'x'.repeat(40), baseURL: 'http://localhost', logger: { disabled: true }, telemetry: { enabled: false },
  rateLimit: { enabled: false }, advanced: { disableOriginCheck: true },
  plugins: [emailOTP({ sendVerificationOTP: async ({ email, otp }) => { codes[email] = otp } })],
}
await (await getMigrations(options)).runMigrations()
const handle = toNodeHandler(betterAuth(options))
createServer((request, response) => request.url === '/codes' ? response.end(JSON.stringify(codes)) : handle(request, response))
  .listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ api: 'http://127.0.0.1:' + this.address().port })) })
`

interface Side {
  name: string
  send(email: string): Promise<unknown>
  codes(): Promise<Record<string, string>>
  /** Resolves with what the session calls need. */
  logIn(email: string, code: string): Promise<string>
  /** Resolves with what the next one needs. */
  session(holder: string): Promise<string>
}

async function ask(
  url: string,
  body: object | undefined,
  headers: Record<string, string>,
): Promise<Response> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response
}

async function start(
  args: string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<{ child: ChildProcess; api: string }> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(cwd && { cwd }),
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, api: JSON.parse(line).api }
}

async function each<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<{ perSecond: number; done: R[] }> {
  const queue = [...items]
  const done: R[] = []
  const began = performance.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) done.push(await work(item))
    }),
  )
  return { perSecond: (items.length / (performance.now() - began)) * 1_000, done }
}

async function measure({ send, codes, logIn, session }: Side, round: number) {
  const addresses = Array.from(
    { length: people },
    (_, at) => `bench-${Date.now()}-${round}-${at}@example.com`,
  )
  await each(addresses, send)
  const sent = await codes()
  const logins = await each(addresses, (email) => logIn(email, sent[email] ?? ''))
  const sessions = await each(logins.done, async (holder) => {
    let next = holder
    for (let call = 0; call < callsEach; call++) next = await session(next)
  })
  return { logins: logins.perSecond, sessions: sessions.perSecond * callsEach }
}

function installed(): { folder: string; remove(): void } {
  const given = process.env.BETTER_AUTH
  if (given) return { folder: given, remove() {} }
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-better-auth-'))
  const packages = ['better-auth@latest', 'pg@8']
  execFileSync('npm', [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    ...packages,
  ])
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Measures both in turns. Throws where there is no PostgreSQL, or npm can't install better-auth. */
export async function betterAuthFigures(): Promise<Figure[]> {
  const postgres = await startPostgres()
  if ('skipped' in postgres) throw new Error(postgres.skipped)
  const { folder, remove } = installed()
  const mailbox = await createMailbox()
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  const children: ChildProcess[] = []
  try {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    for (const name of ['ours', 'theirs']) await client.query(`create database ${name}`)
    await client.end()
    const database = (name: string) => postgres.url.replace(/postgres$/, name)

    writeFileSync(join(dataDir, 'manifest.json'), '{"main":"main.js","export":"export.js"}')
    for (const name of ['main', 'export']) writeFileSync(join(dataDir, `${name}.js`), '')
    const unlimited = 1_000_000
    const limits = {
      sendsPerIpMinute: unlimited,
      sendsPerIpHour: unlimited,
      guessesPerIpHour: unlimited,
      startsPerIpMinute: unlimited,
      startsPerIpHour: unlimited,
    }
    const mine = await start(['--import', 'tsx', 'demo/backend/main.ts'], {
      PORT: '0',
      DATABASE_URL: database('ours'),
      LATCHKEY_DATA: dataDir,
      VAULT_FILES: dataDir,
      DEMO: '1',
      SMTP_URL: mailbox.smtp.url,
      LIMITS: JSON.stringify(limits),
    })
    children.push(mine.child)
    writeFileSync(join(folder, 'server.mjs'), theirs)
    const other = await start(['server.mjs'], { DATABASE_URL: database('theirs') }, folder)
    children.push(other.child)

    const v1 = (path: string, body: object) =>
      ask(`${mine.api}/api/v1/${path}`, body, { 'privy-app-id': appId })
    const auth = (path: string, body?: object, cookie = '') =>
      ask(`${other.api}/api/auth/${path}`, body, { cookie })
    const sides: Side[] = [
      {
        name: 'ours',
        send: (email) => v1('passwordless/init', { email }),
        async codes() {
          return Object.fromEntries(mailbox.messages().map(({ to, code }) => [to, code]))
        },
        logIn: async (email, code) =>
          (
            (await (await v1('passwordless/authenticate', { email, code })).json()) as {
              refresh_token: string
            }
          ).refresh_token,
        session: async (holder) =>
          ((await (await v1('sessions', { refresh_token: holder })).json()) as { refresh_token: string })
            .refresh_token,
      },
      {
        name: 'theirs',
        send: (email) => auth('email-otp/send-verification-otp', { email, type: 'sign-in' }),
        codes: async () => (await (await fetch(`${other.api}/codes`)).json()) as Record<string, string>,
        async logIn(email, otp) {
          const response = await auth('sign-in/email-otp', { email, otp })
          await response.arrayBuffer()
          return response.headers
            .getSetCookie()
            .map((cookie) => cookie.split(';')[0])
            .join('; ')
        },
        async session(holder) {
          const body = await (await auth('get-session', undefined, holder)).json()
          if (!body) throw new Error('The session is not known')
          return holder
        },
      },
    ]
    const newest = JSON.parse(
      readFileSync(join(folder, 'node_modules/better-auth/package.json'), 'utf8'),
    ).version
    const figures = new Map<string, number[]>()
    // One round to warm up; then in turns, so that whatever else the machine does falls on both.
    for (let round = 0; round <= rounds; round++) {
      for (const side of sides) {
        for (const [what, value] of Object.entries(await measure(side, round)))
          if (round > 0)
            figures.set(`${side.name} ${what}`, [...(figures.get(`${side.name} ${what}`) ?? []), value])
      }
    }
    return ['logins', 'sessions'].map((what): Figure => {
      const [ours = Number.NaN, others = Number.NaN] = ['ours', 'theirs'].map((name) =>
        median(figures.get(`${name} ${what}`) ?? []),
      )
      const both = `ours (${version}) ${ours.toFixed(0)}/s, better-auth ${newest} ${others.toFixed(0)}/s`
      return {
        what: `PostgreSQL: ${what}, times better-auth's`,
        value: ours / others,
        unit: '×',
        least: leastRatio,
        note: both,
      }
    })
  } finally {
    for (const child of children) child.kill()
    await mailbox.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
    remove()
  }
}
