import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator, newCredentialId } from '../../../support/authenticator.ts'
import { createDatabase, site } from '../../support/world.ts'

const server = process.env.TEST_DATABASE_URL
const app = {
  id: 'latchkey-test-passkeys-06',
  name: 'Passkeys',
  allowedDomains: [site],
  methods: ['passkey', 'passkey-signup'],
}
const here = { relying_party: site }

describe.skipIf(!server)('passkeys at two server processes on one PostgreSQL', () => {
  let database: { url: string; drop(): Promise<void> }
  let dataDir: string
  const children: ChildProcess[] = []
  const bases: string[] = []

  beforeAll(async () => {
    database = await createDatabase(server ?? '')
    dataDir = await mkdtemp(join(tmpdir(), 'latchkey-passkeys-'))
    await writeFile(join(dataDir, 'apps.json'), JSON.stringify([app]))
    bases.push(...(await Promise.all([start(), start()])))
  })
  afterAll(async () => {
    for (const child of children) {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    }
    await database?.drop()
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
        APPS_FILE: join(dataDir, 'apps.json'),
        SMTP_URL: 'smtp://127.0.0.1:1',
      },
    })
    children.push(child)
    for await (const line of createInterface({ input: child.stdout ?? [] })) return JSON.parse(line).api
    throw new Error('The backend ended without starting')
  }
  async function post(base: string | undefined, path: string, body: object) {
    const response = await fetch(`${base}/api/v1/passkeys/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'privy-app-id': app.id, origin: site },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
  /** The same request a hundred times, half of them to each process; how each was answered. */
  async function hundred(path: string, body: object) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => post(bases[index % 2], path, body)),
    )
    return answers.map(({ status, body }) => `${status} ${body.code ?? 'welcome'}`).sort()
  }
  const oneWinner = ['200 welcome', ...Array(99).fill('401 invalid_credentials')]

  test('let one of 100 parallel uses of a challenge win', async () => {
    const authenticator = createAuthenticator()
    const begun = await post(bases[0], 'register/init', here)
    const made = await authenticator.register(begun.body.options, site)
    expect(await hundred('register', { ...here, authenticator_response: made })).toEqual(oneWinner)

    const { body } = await post(bases[1], 'authenticate/init', here)
    const signed = await authenticator.login(body.options, site)
    const login = { ...here, challenge: body.options.challenge, authenticator_response: signed }
    expect(await hundred('authenticate', login)).toEqual(oneWinner)
    console.log('two processes: 100 parallel uses of one passkey challenge: 1 winner')
  })

  test('make one user of a credential that is brought to both at once', async () => {
    const id = newCredentialId()
    const answers = await Promise.all(
      bases.map(async (base) => {
        const { body } = await post(base, 'register/init', here)
        const response = await createAuthenticator().register(body.options, site, { id })
        return post(base, 'register', { ...here, authenticator_response: response })
      }),
    )
    expect(answers.map(({ status, body }) => `${status} ${body.code ?? 'welcome'}`).sort()).toEqual([
      '200 welcome',
      '401 invalid_credentials',
    ])
  })
})
