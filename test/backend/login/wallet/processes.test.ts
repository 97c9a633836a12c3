import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppSettings } from '../../../../demo/backend/settings/demo-apps.ts'
import { siwsMessage } from '../../../../src/protocol/siws-message.ts'
import { crowd } from '../../../support/soak.ts'
import { postFrom, type ServerProcesses, startServerProcesses } from '../../support/server-processes.ts'
import { newAccount, newSolanaAccount } from '../../support/wallet-world.ts'
import { site } from '../../support/world.ts'

const server = process.env.TEST_DATABASE_URL
const app = {
  id: 'latchkey-test-wallets-020',
  name: 'Wallets',
  allowedDomains: [site],
  methods: ['wallet', 'solana-wallet'],
} satisfies AppSettings
const page = { domain: new URL(site).host, uri: site, version: '1' as const }

describe.skipIf(!server)('wallets outside at two server processes on one PostgreSQL', () => {
  let servers: ServerProcesses

  beforeAll(async () => {
    servers = await startServerProcesses(server ?? '', { apps: [app] })
  })
  afterAll(() => servers?.stop())

  const post = postFrom(app.id)
  /** The same request of a whole crowd; how each was answered. */
  async function atOnce(path: string, body: object) {
    const answers = await servers.atOnce((base) => post(base, path, body))
    return answers.map(({ status, body: said }) => `${status} ${said.code ?? 'welcome'}`).sort()
  }
  const oneWinner = ['200 welcome', ...Array<string>(crowd - 1).fill('401 invalid_credentials')]

  async function ethereum(account: ReturnType<typeof newAccount>, base = servers.bases[0]) {
    const { address } = account
    const { nonce } = (await post(base, 'siwe/init', { address })).body
    const message = createSiweMessage({ ...page, address, chainId: 1, nonce, issuedAt: new Date() })
    return { message, signature: await account.signMessage({ message }) }
  }

  test(`let one of ${crowd} parallel uses of a nonce win`, async () => {
    expect(await atOnce('siwe/authenticate', await ethereum(newAccount()))).toEqual(oneWinner)

    const wallet = newSolanaAccount()
    const { nonce } = (await post(servers.bases[1], 'siws/init', { address: wallet.address })).body
    const message = siwsMessage({
      ...page,
      address: wallet.address,
      chainId: 'mainnet',
      nonce,
      issuedAt: new Date().toISOString(),
    })
    const signed = { message, signature: wallet.sign(message) }
    expect(await atOnce('siws/authenticate', signed)).toEqual(oneWinner)
    console.log(`two processes: ${crowd} parallel uses of one nonce: 1 winner, of Ethereum and of Solana`)
  })

  test('make one user of a wallet that comes to both at once', async () => {
    const account = newAccount()
    const answers = await Promise.all(
      servers.bases.map(async (base) => post(base, 'siwe/authenticate', await ethereum(account, base))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ body }) => body.is_new_user).sort()).toEqual([false, true])
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1)
  })
})
