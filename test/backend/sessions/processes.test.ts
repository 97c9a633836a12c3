import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailbox, type Mailbox } from '../../../demo/world/mail/mailbox.ts'
import { crowd } from '../../support/soak.ts'
import { postFrom, type ServerProcesses, startServerProcesses } from '../support/server-processes.ts'
import { newAddress, openApp } from '../support/world.ts'

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('PostgreSQL suites skipped: TEST_DATABASE_URL is not set')

describe.skipIf(!server)('two server processes on one PostgreSQL', () => {
  let mailbox: Mailbox
  let servers: ServerProcesses

  beforeAll(async () => {
    mailbox = await createMailbox()
    servers = await startServerProcesses(server ?? '', {
      env: {
        SMTP_URL: mailbox.smtp.url,
        LIMITS: '{"sendsPerIpMinute":1000,"sendsPerIpHour":1000}',
      },
    })
  })
  afterAll(async () => {
    await servers?.stop()
    await mailbox?.close()
  })

  interface Answer {
    status: number
    body: { code?: string; refresh_token?: string; new_session_refresh_token?: string; created?: boolean }
  }
  const postAs = postFrom(openApp)
  const post = (base: string, path: string, body: object): Promise<Answer> => postAs(base, path, body)
  /** The same request of a whole crowd, half of them to each process. */
  const atOnce = (path: string, body: object) => servers.atOnce((base) => post(base, path, body))
  const winners = (answers: Answer[]) => answers.filter(({ status }) => status === 200)

  async function askCode(email: string) {
    expect((await post(servers.bases[0], 'passwordless/init', { email })).status).toBe(200)
    return { email, code: mailbox.messages().find(({ to }) => to === email)?.code ?? '' }
  }
  async function login() {
    return (await post(servers.bases[0], 'passwordless/authenticate', await askCode(newAddress()))).body
  }

  test(`let one of ${crowd} parallel uses of a code win`, async () => {
    const answers = await atOnce('passwordless/authenticate', await askCode(newAddress()))
    expect(winners(answers)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['422 invalid_credentials']),
    )
    console.log(`two processes: ${crowd} parallel uses of one code: 1 winner`)
  })

  test(`let one of ${crowd} parallel uses of a forked token win`, async () => {
    const { refresh_token } = await login()
    const fork = await post(servers.bases[1], 'sessions/fork', { refresh_token })
    const answers = await atOnce('sessions/fork/recover', {
      refresh_token: fork.body.new_session_refresh_token,
    })
    expect(winners(answers)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ body }) => body.code))).toEqual(new Set(['token_already_used']))
    console.log(`two processes: ${crowd} parallel uses of one forked token: 1 winner`)
  })

  test(`give ${crowd} parallel refreshes of one token the same child`, async () => {
    const { refresh_token } = await login()
    const answers = await atOnce('sessions', { refresh_token })
    expect(winners(answers)).toHaveLength(crowd)
    const child = new Set(answers.map(({ body }) => body.refresh_token))
    expect(child.size).toBe(1)
    const next = await atOnce('sessions', { refresh_token: [...child][0] })
    expect(new Set(next.map(({ body }) => body.refresh_token)).size).toBe(1)
    console.log(`two processes: ${crowd} parallel refreshes of one token: 1 child`)
  })

  test('send one mail for parallel repetitions of one request', async () => {
    const email = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const response = await fetch(`${servers.bases[index % 2]}/api/v1/passwordless/init`, {
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
    expect(await servers.endSecond()).toBe(0)
    expect((await post(servers.bases[0], 'sessions/logout', {})).body).toEqual({})
  })
})
