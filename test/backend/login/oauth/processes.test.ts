import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newName, oauthApp, type Providers, random, s256, startProviders } from '../../support/oauth-world.ts'
import { ProviderBrowser } from '../../support/provider-browser.ts'
import { apiUrl, createDatabase, site } from '../../support/world.ts'

const server = process.env.TEST_DATABASE_URL

/** Both processes are one API to the outside: providers know one address, with a load balancer behind it. */
describe.skipIf(!server)('OAuth at two server processes on one PostgreSQL', () => {
  let providers: Providers
  let database: { url: string; drop(): Promise<void> }
  let dataDir: string
  const children: ChildProcess[] = []
  const bases: string[] = []
  const app = () => oauthApp(providers)

  beforeAll(async () => {
    providers = await startProviders()
    database = await createDatabase(server ?? '')
    dataDir = await mkdtemp(join(tmpdir(), 'latchkey-oauth-'))
    await writeFile(join(dataDir, 'apps.json'), JSON.stringify([app()]))
    bases.push(...(await Promise.all([start(), start()])))
  })
  afterAll(async () => {
    for (const child of children) {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    }
    await database?.drop()
    await providers?.stop()
    if (dataDir) await rm(dataDir, { recursive: true, force: true })
  })

  async function start(): Promise<string> {
    const port = await freePort()
    const child = spawn(process.execPath, ['--import', 'tsx', 'demo/backend/main.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PORT: String(port),
        API_URL: apiUrl,
        DATABASE_URL: database.url,
        LATCHKEY_DATA: dataDir,
        APPS_FILE: join(dataDir, 'apps.json'),
        OUTSIDE: JSON.stringify({ oauth: providers.endpoints }),
        SMTP_URL: 'smtp://127.0.0.1:1',
        LIMITS: '{"startsPerIpMinute":1000,"startsPerIpHour":1000}',
      },
    })
    children.push(child)
    for await (const _ of createInterface({ input: child.stdout ?? [] })) return `http://127.0.0.1:${port}`
    throw new Error('The backend ended without starting')
  }

  async function post(base: string | undefined, path: string, body: object, token = '') {
    const response = await fetch(`${base}/api/v1/${path}`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'privy-app-id': app().id, origin: site },
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
  const hundred = <T>(work: (base: string) => Promise<T>) =>
    Promise.all(Array.from({ length: 100 }, (_, index) => work(bases[index % 2] ?? '')))

  /** Begins at the first process; the provider's answer is still on its way. */
  async function begin(provider: string, login: string) {
    const [state, verifier] = [random(), random()]
    const { body } = await post(bases[0], 'oauth/init', {
      ...{ provider, redirect_to: site, state_code: state, code_challenge: s256(verifier) },
    })
    const { url } = await new ProviderBrowser().visit(body.url, login)
    const { pathname, search } = new URL(url)
    return { answer: pathname + search, state, verifier }
  }
  async function comeBack(base: string | undefined, answer: string) {
    const response = await fetch(`${base}${answer}`, { redirect: 'manual' })
    const location = response.headers.get('location')
    return location ? (new URL(location).searchParams.get('privy_oauth_code') ?? '') : undefined
  }
  /** Ends at the second process. */
  async function ready(provider: string, login: string) {
    const begun = await begin(provider, login)
    return {
      authorization_code: (await comeBack(bases[1], begun.answer)) ?? '',
      state_code: begun.state,
      code_verifier: begun.verifier,
    }
  }

  test('let one of 100 parallel returns with one provider state through', async () => {
    const { answer, state, verifier } = await begin('google', newName())
    const codes = (await hundred((base) => comeBack(base, answer))).filter((code) => code !== undefined)
    expect(codes).toHaveLength(1)
    const login = await post(bases[0], 'oauth/authenticate', {
      ...{ authorization_code: codes[0], state_code: state, code_verifier: verifier },
    })
    expect(login.status).toBe(200)
    console.log('two processes: 100 parallel returns with one OAuth state: 1 listened to')
  })

  test('let one of 100 parallel uses of a code win', async () => {
    const body = await ready('discord', newName())
    const answers = await hundred((base) => post(base, 'oauth/authenticate', body))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['401 invalid_credentials']),
    )
    console.log('two processes: 100 parallel uses of one OAuth code: 1 winner')
  })

  test('let one of 100 parallel transfers with one nonce win', async () => {
    const login = newName()
    await post(bases[0], 'oauth/authenticate', await ready('google', login))
    const { body } = await post(bases[0], 'oauth/authenticate', await ready('discord', newName()))
    const { data } = (await post(bases[1], 'oauth/link', await ready('google', login), body.token)).body
    const transfer = { nonce: data.nonce, userInfo: data.otherUser.oAuthUserInfo }
    const answers = await hundred((base) => post(base, 'oauth/transfer', transfer, body.token))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    console.log('two processes: 100 parallel uses of one transfer nonce: 1 winner')
  })

  test('make one user of a person who comes through both at once', async () => {
    const login = newName()
    const [one, two] = await Promise.all([ready('github', login), ready('github', login)])
    const answers = await Promise.all([
      post(bases[0], 'oauth/authenticate', one),
      post(bases[1], 'oauth/authenticate', two),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1)
  })
})

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((ready) => probe.listen(0, '127.0.0.1', ready))
  const { port } = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  return port
}
