/** Smart wallets of an app's users: the settings that clients get, and which accounts are linked with which type. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBackend } from '../../../../demo/backend/server.ts'
import { type AppSettings, readApps } from '../../../../demo/backend/settings/app.ts'
import { startAnvil } from '../../../../demo/world/chains/anvil.ts'
import {
  type ContractWallet,
  counterfactualWallet,
  deployContractWallet,
} from '../../../../demo/world/chains/contract-wallets.ts'
import { freePort, startChain } from '../../../support/chains.ts'
import { newAccount, refused, startWalletWorld, verdict, WalletClient } from '../../support/wallet-world.ts'
import { apiUrl, newAddress, seconds, stores, vaultOrigin, type World } from '../../support/world.ts'

const base: AppSettings = {
  id: 'latchkey-test-smart-00001',
  name: 'Smart Accounts',
  allowedDomains: ['http://localhost:*'],
  smartWallets: {
    type: 'safe',
    version: '1.4.1',
    networks: [
      {
        chainId: 'eip155:1',
        bundlerUrl: 'https://bundler.example/1?key=public',
        paymasterUrl: 'https://paymaster.example/1',
        rpcUrl: 'https://node.example/1',
        chainName: 'Ethereum',
        paymasterPolicyId: '5b1c0f5e-4f0a-4c0b-9a53-7d1a6c1f0001',
      },
      { chainId: 'eip155:10', bundlerUrl: 'https://bundler.example/10' },
    ],
  },
}
const smart = (id: string, type: NonNullable<AppSettings['smartWallets']>['type'], more: object = {}) =>
  ({ ...base, id, smartWallets: { ...base.smartWallets, type, ...more } }) as AppSettings
const optimism = (more: object) => ({
  networks: [{ chainId: 'eip155:10', bundlerUrl: 'https://bundler.example', ...more }],
})
const nexusApp = smart('latchkey-test-smart-00002', 'nexus', { version: undefined })
const noNodeApp = smart('latchkey-test-smart-00003', 'safe', optimism({}))
const deadNodeApp = smart('latchkey-test-smart-00004', 'safe', optimism({ rpcUrl: 'http://127.0.0.1:1' }))
const { smartWallets: _, ...plain } = base
const plainApp: AppSettings = { ...plain, id: 'latchkey-test-smart-00005', methods: ['wallet', 'email'] }

describe('the setting smartWallets', () => {
  const reading = (smartWallets: object) => () => readApps([{ ...base, smartWallets } as AppSettings])
  const network = { chainId: 'eip155:1', bundlerUrl: 'https://bundler.example' }

  test.each(['safe', 'kernel', 'biconomy', 'light_account', 'coinbase_smart_wallet', 'thirdweb', 'nexus'])(
    'takes the type %s',
    (type) => {
      expect(reading({ type, networks: [network] })().all[0]?.smartWallets?.type).toBe(type)
    },
  )

  test.each<[string, object]>([
    ['a type that no client knows', { type: 'purse', networks: [network] }],
    ['no network', { type: 'safe', networks: [] }],
    ['one network twice', { type: 'safe', networks: [network, network] }],
    ['a network without a bundler', { type: 'safe', networks: [{ chainId: 'eip155:1' }] }],
    [
      'a chain that is none of Ethereum’s',
      { type: 'safe', networks: [{ ...network, chainId: 'solana:mainnet' }] },
    ],
    [
      'a bundler that no page can reach',
      { type: 'safe', networks: [{ ...network, bundlerUrl: 'ftp://b.example' }] },
    ],
    [
      'a sponsor without a contract',
      { type: 'safe', networks: [{ ...network, sponsor: { name: 'Gas Tank', addresses: [] } }] },
    ],
    [
      'a sponsor whose contract is none',
      { type: 'safe', networks: [{ ...network, sponsor: { name: 'Gas Tank', addresses: ['0x12'] } }] },
    ],
    [
      'a sponsor without a name',
      { type: 'safe', networks: [{ ...network, sponsor: { addresses: [`0x${'ab'.repeat(20)}`] } }] },
    ],
    ['a version that is none', { type: 'safe', version: 'newest', networks: [network] }],
  ])('refuses %s, and names the setting', (_, settings) => {
    expect(reading(settings)).toThrow(/App 'latchkey-test-smart-00001': smartWallets/)
  })
})

describe.each(stores)('smart wallets on $name', (store) => {
  let world: World
  let chain: Awaited<ReturnType<typeof startChain>>
  /** A node that only the app names. */
  let own: Awaited<ReturnType<typeof startChain>>

  const ownNodeApp = () => smart('latchkey-test-smart-00006', 'safe', optimism({ rpcUrl: own.url }))

  beforeAll(async () => {
    ;[chain, own] = await Promise.all([startChain(1), startChain(10)])
    world = await startWalletWorld(store, {
      moreApps: [base, nexusApp, noNodeApp, deadNodeApp, plainApp, ownNodeApp()],
      outside: { chainRpcUrls: { 1: chain.url, 137: chain.url } },
      limits: { startsPerIpMinute: 10_000 },
    })
  })
  afterAll(async () => {
    await world?.backend.close()
    await world?.cleanUp()
    await Promise.all([chain?.close(), own?.close()])
  })
  /** Goes on with other apps, and the same database. */
  async function restart(apps: readonly AppSettings[]): Promise<void> {
    await world.backend.close()
    world.backend = await createBackend({
      dataDir: world.dataDir,
      ...(world.databaseUrl && { databaseUrl: world.databaseUrl }),
      apiUrl,
      vaultOrigin,
      apps: [...apps],
      smtpUrl: world.mailbox.smtp.url,
      vaultFiles: world.dataDir,
      clock: () => world.clock.now,
      log: (line) => world.logged.push(line),
      outside: { chainRpcUrls: { 1: chain.url, 137: chain.url } },
      limits: { startsPerIpMinute: 10_000 },
    })
  }
  const by = ({ signMessage }: ContractWallet) => ({
    signMessage: ({ message }: { message: unknown }) => signMessage(String(message)),
  })
  const newWallet = () => counterfactualWallet(newAccount())

  async function newUser(appId = base.id) {
    const client = new WalletClient(world, { appId })
    await client.login(newAddress())
    return client
  }
  /** Links a wallet to the client's user. @param bend what is wrong with the message */
  async function link(
    client: WalletClient,
    wallet: ContractWallet,
    type = 'safe',
    bend: Parameters<WalletClient['ethereum']>[1] = {},
  ) {
    const { message, signature } = await client.ethereum(wallet, { signer: by(wallet), ...bend })
    return client.post('siwe/link_smart_wallet', { message, signature, smart_wallet_type: type })
  }
  const smartWallets = ({ body }: Awaited<ReturnType<typeof link>>) =>
    (body.linked_accounts ?? []).filter(({ type }: { type: string }) => type === 'smart_wallet')

  test('the app’s settings are served as clients expect them', async () => {
    const { body } = await new WalletClient(world, { appId: base.id }).get(`apps/${base.id}/smart_wallets`)
    expect(body).toEqual({
      enabled: true,
      smart_wallet_type: 'safe',
      smart_wallet_version: '1.4.1',
      configured_networks: [
        {
          chain_id: 'eip155:1',
          bundler_url: 'https://bundler.example/1?key=public',
          paymaster_url: 'https://paymaster.example/1',
          rpc_url: 'https://node.example/1',
          chain_name: 'Ethereum',
          paymaster_context: { policy_id: '5b1c0f5e-4f0a-4c0b-9a53-7d1a6c1f0001' },
        },
        { chain_id: 'eip155:10', bundler_url: 'https://bundler.example/10' },
      ],
    })
  })

  test('a wallet is linked once, with the app’s version, whether or not it is deployed', async () => {
    const client = await newUser()
    const wallet = newWallet()
    const linked = await link(client, wallet)
    const account = {
      type: 'smart_wallet',
      address: wallet.address,
      smart_wallet_type: 'safe',
      smart_wallet_version: '1.4.1',
    }
    expect(smartWallets(linked)).toMatchObject([account])
    world.clock.pass(seconds(5))
    const again = await link(client, wallet)
    expect(smartWallets(again)).toMatchObject([account])
    const [first] = smartWallets(linked)
    const [second] = smartWallets(again)
    expect(second.first_verified_at).toBe(first.first_verified_at)
    expect(second.latest_verified_at).toBeGreaterThan(first.latest_verified_at)

    const deployed = await deployContractWallet({ rpcUrl: chain.url, owner: newAccount() })
    expect((await link(await newUser(), deployed)).status).toBe(200)
  })

  test('two links at once make one account, and of two wallets at once one is linked', async () => {
    const client = await newUser()
    const wallet = newWallet()
    const answers = await Promise.all([link(client, wallet), link(client, wallet)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const other = await newUser()
    const both = await Promise.all([link(other, newWallet()), link(other, newWallet())])
    expect(both.map(verdict).sort((a, b) => a.status - b.status)).toEqual([
      { status: 200, code: undefined },
      { status: 400, code: 'cannot_link_more_of_type' },
    ])
    const { body } = await other.get('users/me')
    expect(
      body.user.linked_accounts.filter(({ type }: { type: string }) => type === 'smart_wallet'),
    ).toHaveLength(1)
  })

  test.each<[string, Parameters<WalletClient['ethereum']>[1]]>([
    ['with a nonce that was not issued', { nonce: 'abcdef0123456789abcdef01' }],
    ['for another page', { change: (fields) => ({ ...fields, domain: 'evil.example' }) }],
    ['that is too old', { change: (fields) => ({ ...fields, issuedAt: new Date('2020-01-01') }) }],
    ['that has expired', { change: (fields) => ({ ...fields, expirationTime: new Date('2020-01-02') }) }],
    ['whose signature has another byte', { signature: (right) => `${right.slice(0, -2)}00` }],
    ['without a signature', { signature: () => '0x' }],
    ['signed by a stranger', { signer: newAccount() }],
  ])('a message %s links nothing', async (_, bend) => {
    expect(verdict(await link(await newUser(), newWallet(), 'safe', bend))).toEqual(refused)
  })

  test('a message is good for one link, in the session that asked for its nonce', async () => {
    const [client, other] = [await newUser(), await newUser()]
    const wallet = newWallet()
    const { message, signature } = await client.ethereum(wallet, { signer: by(wallet) })
    const body = { message, signature, smart_wallet_type: 'safe' }
    expect(verdict(await other.post('siwe/link_smart_wallet', body))).toEqual(refused)
    const fresh = await client.ethereum(wallet, { signer: by(wallet) })
    const good = { message: fresh.message, signature: fresh.signature, smart_wallet_type: 'safe' }
    expect((await client.post('siwe/link_smart_wallet', good)).status).toBe(200)
    expect(verdict(await client.post('siwe/link_smart_wallet', good))).toEqual(refused)
  })

  test('a message for a chain without smart wallets of the app is refused by that reason', async () => {
    const answer = await link(await newUser(), newWallet(), 'safe', { chainId: 137 })
    expect(verdict(answer)).toEqual({ status: 400, code: 'not_supported' })
    expect(answer.body.error).toMatch(/chain/)
  })

  test('a wallet of type nexus is linked, and has no version where the app names none', async () => {
    const [account] = smartWallets(await link(await newUser(nexusApp.id), newWallet(), 'nexus'))
    expect(account.smart_wallet_type).toBe('nexus')
    expect(account).not.toHaveProperty('smart_wallet_version')
  })

  test('nothing is linked in an app that has no smart wallets', async () => {
    const answer = await link(await newUser(plainApp.id), newWallet())
    expect(verdict(answer)).toEqual({ status: 403, code: 'feature_not_enabled' })
  })

  test('the node that the app names is asked where the server has none for the chain', async () => {
    const linkTo = async (app: AppSettings) =>
      verdict(await link(await newUser(app.id), newWallet(), 'safe', { chainId: 10 }))
    expect(await linkTo(ownNodeApp())).toEqual({ status: 200, code: undefined })
    expect(await linkTo(deadNodeApp)).toEqual({ status: 400, code: 'invalid_state' })
    expect(await linkTo(noNodeApp)).toEqual({ status: 400, code: 'not_supported' })
  })

  test('a message that could not be checked is good once the node answers again', async () => {
    const port = await freePort()
    const rpcUrl = `http://localhost:${port}`
    const app = smart('latchkey-test-smart-00007', 'safe', optimism({ rpcUrl }))
    await restart([app])
    const client = await newUser(app.id)
    const wallet = newWallet()
    const { message, signature } = await client.ethereum(wallet, { signer: by(wallet), chainId: 10 })
    const body = { message, signature, smart_wallet_type: 'safe' }
    const post = async () => verdict(await client.post('siwe/link_smart_wallet', body))
    expect(await post()).toEqual({ status: 400, code: 'invalid_state' })
    const back = await startAnvil({ port, chainId: 10 })
    expect(await post()).toEqual({ status: 200, code: undefined })
    await back.close()
    await restart([base])
  })

  test('a user keeps the type and version of their wallet when the app changes its own', async () => {
    const client = await newUser()
    const wallet = newWallet()
    await link(client, wallet)
    await restart([smart(base.id, 'kernel', { version: '0.3.1' })])
    const stored = [{ address: wallet.address, smart_wallet_type: 'safe', smart_wallet_version: '1.4.1' }]
    expect(smartWallets(await link(client, wallet, 'safe'))).toMatchObject(stored)
    expect(smartWallets(await link(client, wallet, 'kernel'))).toMatchObject(stored)
    expect(verdict(await link(client, newWallet(), 'kernel'))).toEqual({
      status: 400,
      code: 'cannot_link_more_of_type',
    })
    const newcomer = await newUser()
    expect(verdict(await link(newcomer, newWallet(), 'safe'))).toEqual({
      status: 403,
      code: 'feature_not_enabled',
    })
    expect(smartWallets(await link(newcomer, newWallet(), 'kernel'))).toMatchObject([
      { smart_wallet_type: 'kernel', smart_wallet_version: '0.3.1' },
    ])
  })
})
