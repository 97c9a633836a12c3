import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siwsMessage } from '../../../../src/protocol/siws-message.ts'
import { newAccount, newSolanaAccount } from '../../support/wallet-world.ts'
import { createDatabase, site } from '../../support/world.ts'

const server = process.env.TEST_DATABASE_URL
const app = {
  id: 'latchkey-test-wallets-020',
  name: 'Wallets',
  allowedDomains: [site],
  methods: ['wallet', 'solana-wallet'],
}
const page = { domain: new URL(site).host, uri: site, version: '1' as const }

describe.skipIf(!server)('wallets outside at two server processes on one PostgreSQL', () => {
  let database: { url: string; drop(): Promise<void> }
  let dataDir: string
  const children: ChildProcess[] = []
  const bases: string[] = []

  beforeAll(async () => {
    database = await createDatabase(server ?? '')
    dataDir = await mkdtemp(join(tmpdir(), 'latchkey-wallets-'))
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
    const response = await fetch(`${base}/api/v1/${path}`, {
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
    return answers.map(({ status, body: said }) => `${status} ${said.code ?? 'welcome'}`).sort()
  }
  const oneWinner = ['200 welcome', ...Array<string>(99).fill('401 invalid_credentials')]

  async function ethereum(account: ReturnType<typeof newAccount>, base = bases[0]) {
    const { address } = account
    const { nonce } = (await post(base, 'siwe/init', { address })).body
    const message = createSiweMessage({ ...page, address, chainId: 1, nonce, issuedAt: new Date() })
    return { message, signature: await account.signMessage({ message }) }
  }

  test('let one of 100 parallel uses of a nonce win', async () => {
    expect(await hundred('siwe/authenticate', await ethereum(newAccount()))).toEqual(oneWinner)

    const wallet = newSolanaAccount()
    const { nonce } = (await post(bases[1], 'siws/init', { address: wallet.address })).body
    const message = siwsMessage({
      ...{ ...page, address: wallet.address, chainId: 'mainnet', nonce },
      issuedAt: new Date().toISOString(),
    })
    const signed = { message, signature: wallet.sign(message) }
    expect(await hundred('siws/authenticate', signed)).toEqual(oneWinner)
    console.log('two processes: 100 parallel uses of one nonce: 1 winner, of Ethereum and of Solana')
  })

  test('make one user of a wallet that comes to both at once', async () => {
    const account = newAccount()
    const answers = await Promise.all(
      bases.map(async (base) => post(base, 'siwe/authenticate', await ethereum(account, base))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ body }) => body.is_new_user).sort()).toEqual([false, true])
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1)
  })
})
