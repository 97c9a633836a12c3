import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailbox, type Mailbox } from '../../../demo/world/mail/mailbox.ts'
import { createDatabase, newAddress, openApp, site } from '../support/world.ts'

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('PostgreSQL suites skipped: TEST_DATABASE_URL is not set')

describe.skipIf(!server)('two server processes on one PostgreSQL', () => {
  let mailbox: Mailbox
  let database: { url: string; drop(): Promise<void> }
  let dataDir: string
  const children: ChildProcess[] = []
  const bases: string[] = []

  beforeAll(async () => {
    mailbox = await createMailbox()
    database = await createDatabase(server ?? '')
    dataDir = await mkdtemp(join(tmpdir(), 'latchkey-processes-'))
    // At once, on an empty database and an empty folder: tables and secrets are made by one of them.
    bases.push(...(await Promise.all([start(), start()])))
  })
  afterAll(async () => {
    for (const child of children) {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    }
    await database?.drop()
    await mailbox?.close()
    if (dataDir) await rm(dataDir, { recursive: true, force: true })
  })

  async function start(): Promise<string> {
    const child = spawn(process.execPath, ['--import', 'tsx', 'demo/backend/main.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PORT: '0',
        DATABASE_URL: database.url,
        LATCHKEY_DATA: dataDir,
        SMTP_URL: mailbox.smtp.url,
        LIMITS: '{"sendsPerIpMinute":1000,"sendsPerIpHour":1000}',
      },
    })
    children.push(child)
    for await (const line of createInterface({ input: child.stdout ?? [] })) return JSON.parse(line).api
    throw new Error('The backend ended without starting')
  }

  interface Answer {
    status: number
    body: { code?: string; refresh_token?: string; new_session_refresh_token?: string; created?: boolean }
  }
  async function post(base: string, path: string, body: object): Promise<Answer> {
    const response = await fetch(`${base}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'privy-app-id': openApp, origin: site },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
  /** The same request a hundred times, half of them to each process. */
  const hundred = (path: string, body: object) =>
    Promise.all(Array.from({ length: 100 }, (_, index) => post(bases[index % 2] as string, path, body)))
  const winners = (answers: Answer[]) => answers.filter(({ status }) => status === 200)

  async function askCode(email: string) {
    expect((await post(bases[0] as string, 'passwordless/init', { email })).status).toBe(200)
    return { email, code: mailbox.messages().find(({ to }) => to === email)?.code ?? '' }
  }
  async function login() {
    return (await post(bases[0] as string, 'passwordless/authenticate', await askCode(newAddress()))).body
  }

  test('let one of 100 parallel uses of a code win', async () => {
    const answers = await hundred('passwordless/authenticate', await askCode(newAddress()))
    expect(winners(answers)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['422 invalid_credentials']),
    )
    console.log('two processes: 100 parallel uses of one code: 1 winner')
  })

  test('let one of 100 parallel uses of a forked token win', async () => {
    const { refresh_token } = await login()
    const fork = await post(bases[1] as string, 'sessions/fork', { refresh_token })
    const answers = await hundred('sessions/fork/recover', {
      refresh_token: fork.body.new_session_refresh_token,
    })
    expect(winners(answers)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ body }) => body.code))).toEqual(new Set(['token_already_used']))
    console.log('two processes: 100 parallel uses of one forked token: 1 winner')
  })

  test('give 100 parallel refreshes of one token the same child', async () => {
    const { refresh_token } = await login()
    const answers = await hundred('sessions', { refresh_token })
    expect(winners(answers)).toHaveLength(100)
    const child = new Set(answers.map(({ body }) => body.refresh_token))
    expect(child.size).toBe(1)
    const next = await hundred('sessions', { refresh_token: [...child][0] })
    expect(new Set(next.map(({ body }) => body.refresh_token)).size).toBe(1)
    console.log('two processes: 100 parallel refreshes of one token: 1 child')
  })

  test('send one mail for parallel repetitions of one request', async () => {
    const email = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const response = await fetch(`${bases[index % 2]}/api/v1/passwordless/init`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'privy-app-id': openApp,
            'idempotency-key': 'the-same-action',
          },
          body: JSON.stringify({ email }),
        })
        return response.status
      }),
    )
    expect(answers).toEqual(Array(20).fill(200))
    expect(mailbox.messages().filter(({ to }) => to === email)).toHaveLength(1)
  })

  test('end by themselves on SIGTERM', async () => {
    const child = children[1] as ChildProcess
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    expect((await post(bases[0] as string, 'sessions/logout', {})).body).toEqual({})
  })
})
