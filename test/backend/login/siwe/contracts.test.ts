import { type Hex, serializeErc6492Signature } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type ContractWallet,
  counterfactualWallet,
  deployContractWallet,
} from '../../../../demo/world/chains/contract-wallets.ts'
import { startChain } from '../../../support/chains.ts'
import { failWith, outageNames } from '../../../support/faults/http.ts'
import { limit } from '../../../support/limit.ts'
import { eachOf, soak } from '../../../support/soak.ts'
import { ethereumKeyOf, solanaKey, Vault } from '../../support/embedded-world.ts'
import { startNode } from '../../support/lying-node.ts'
import {
  emailApp,
  newAccount,
  refused,
  startWalletWorld,
  types,
  verdict,
  WalletClient,
  walletApp,
} from '../../support/wallet-world.ts'
import { newAddress, stores, vaultOrigin, type World } from '../../support/world.ts'

type Node = Awaited<ReturnType<typeof startNode>>
describe.each(stores)('contract wallets on $name', (store) => {
  let world: World
  let chain: Awaited<ReturnType<typeof startChain>>
  let node: Node
  /** A node of which the backend knows nothing yet. */
  let fresh: Node
  const owner = newAccount()
  let deployed: ContractWallet
  const planned = counterfactualWallet(newAccount(), `0x${'07'.repeat(32)}`)
  /** Nodes that can’t be relied on; a row of chain 10 is a node of another chain than it is asked for. */
  const faults: [name: string, lies: Node['lies'], chainId: 1 | 10][] = [
    ...outageNames.map((outage): [string, Node['lies'], 1] => [outage, { '*': () => failWith(outage) }, 1]),
    ['a redirect to a real node', { '*': () => Response.redirect(chain.url) }, 1],
    ['a result of another type', { '*': { result: 'everything is fine' } }, 1],
    ['too many requests', { '*': { error: { code: -32_005, message: 'limit exceeded' } } }, 1],
    // It confirms every signature, and must not be believed.
    ['another chain', { eth_chainId: { result: '0x89' }, '*': { result: '0x01' } }, 10],
    ['no chain', { '*': { result: '0x' } }, 10],
  ]

  beforeAll(async () => {
    chain = await startChain(1)
    node = await startNode(chain.url)
    fresh = await startNode(chain.url)
    deployed = await deployContractWallet({ rpcUrl: chain.url, owner })
    world = await startWalletWorld(store, {
      outside: { chainRpcUrls: { 1: node.url, 10: fresh.url } },
      limits: { outsideTimeout: limit(2_000), startsPerIpMinute: 10_000 },
    })
  })
  afterAll(async () => {
    await world?.stop()
    node?.stop()
    fresh?.stop()
    await chain?.close()
  })
  afterEach(() => {
    node.honest()
    fresh.honest()
  })
  const page = (options = {}) => new WalletClient(world, options)
  const by = ({ signMessage }: ContractWallet) => ({
    signMessage: ({ message }: { message: unknown }) => signMessage(String(message)),
  })

  describe('that log in', () => {
    test('a deployed one does, by its own word (ERC-1271)', async () => {
      const client = page()
      const login = await client.enter('siwe', await client.ethereum(deployed, { signer: by(deployed) }))
      expect(login.body.user.linked_accounts).toMatchObject([
        { type: 'wallet', address: deployed.address, chain_id: 'eip155:1' },
      ])
    })
    test('one that is not there yet does, by what it will say (ERC-6492)', async () => {
      const client = page()
      const login = await client.enter('siwe', await client.ethereum(planned, { signer: by(planned) }))
      expect([login.status, login.body.is_new_user]).toEqual([200, true])
      const again = page()
      const known = await again.enter('siwe', await again.ethereum(planned, { signer: by(planned) }))
      expect(known.body.user.id).toBe(login.body.user.id)
    })
    test('a signature in the form of ERC-6492 is good for a deployed one, too', async () => {
      const there = counterfactualWallet(owner)
      expect(there.address).toBe(deployed.address)
      const client = page()
      expect((await client.enter('siwe', await client.ethereum(there, { signer: by(there) }))).status).toBe(
        200,
      )
    })

    const wrap = (inner: Hex, data: Hex = planned.factoryData) =>
      serializeErc6492Signature({ address: planned.factory, data, signature: inner })
    const foreign = newAccount()
    test.each<[string, (client: WalletClient) => Promise<object>]>([
      ['a deployed one, signed by a stranger', (c) => c.ethereum(deployed, { signer: foreign })],
      ['one that is not there, signed by a stranger', (c) => c.ethereum(planned, { signer: foreign })],
      [
        'one that is not there, signed by a stranger and wrapped',
        (c) => c.ethereum(planned, { signer: foreign, signature: (inner) => wrap(inner as Hex) }),
      ],
      [
        'one that is not there, with the deployment of another one',
        (c) =>
          c.ethereum(planned, {
            signer: foreign,
            signature: (inner) => wrap(inner as Hex, counterfactualWallet(foreign).factoryData),
          }),
      ],
      [
        'a key of somebody else, with the deployment of a wallet of one’s own',
        (c) =>
          c.ethereum(newAccount(), {
            signer: foreign,
            signature: (inner) => wrap(inner as Hex, counterfactualWallet(foreign).factoryData),
          }),
      ],
      ['a deployed one, without a signature', (c) => c.ethereum(deployed, { signature: () => '0x' })],
      [
        'a deployed one, with nonsense',
        (c) => c.ethereum(deployed, { signature: () => `0x${'ab'.repeat(99)}` }),
      ],
      [
        'a deployed one, with nonsense in the form of ERC-6492',
        (c) => c.ethereum(deployed, { signature: () => `0x${'ff'.repeat(64)}${'6492'.repeat(16)}` }),
      ],
    ])('%s: refused', async (_, make) => {
      const client = page()
      expect(verdict(await client.enter('siwe', await make(client)))).toEqual(refused)
    })

    test('a wallet with a key of its own asks no chain at all', async () => {
      node.lies['*'] = () => failWith('status 502')
      const client = page()
      expect((await client.enter('siwe', await client.signed(newAccount()))).status).toBe(200)
      expect(node.asked).toEqual([])
    })

    test('on a chain that can’t be asked, the login is refused with that reason', async () => {
      const client = page()
      const signed = await client.ethereum(deployed, { signer: by(deployed), chainId: 137 })
      expect(verdict(await client.enter('siwe', signed))).toEqual({ status: 400, code: 'not_supported' })
      expect((await client.enter('siwe', await client.signed(newAccount(), { chainId: 137 }))).status).toBe(
        200,
      )
    })

    test.each(eachOf(faults, soak(3, 1)))(
      'a node with %s: nobody is logged in, and the same message logs in later',
      async (_, lies, chainId) => {
        const client = page()
        const signed = await client.ethereum(deployed, { signer: by(deployed), chainId })
        const forged = await client.ethereum(deployed, { signer: foreign, chainId })
        for (const each of [node, fresh]) Object.assign(each.lies, lies)
        const unjudged = { status: 400, code: 'invalid_state' }
        expect(verdict(await client.enter('siwe', signed))).toEqual(unjudged)
        expect(verdict(await client.enter('siwe', forged))).toEqual(unjudged)
        node.honest()
        // Chain 10 has no right node here: it is never believed.
        if (chainId === 10) return expect(verdict(await client.enter('siwe', signed))).toEqual(unjudged)
        expect((await client.enter('siwe', signed)).status).toBe(200)
        expect(verdict(await client.enter('siwe', signed))).toEqual(refused)
        expect(verdict(await client.enter('siwe', forged))).toEqual(refused)
      },
    )
  })

  describe('that belong to a user', () => {
    /** Somebody who is logged in, and a contract of theirs. */
    async function somebody(wallet: ContractWallet) {
      const client = page()
      await client.login(newAddress())
      const link = async (more: object = {}, signer: Parameters<typeof client.ethereum>[1] = {}) => {
        const { message, signature } = await client.ethereum(wallet, { signer: by(wallet), ...signer })
        return client.post('siwe/link_smart_wallet', {
          message,
          signature,
          smart_wallet_type: 'safe',
          ...more,
        })
      }
      return { client, link }
    }
    const newWallet = () => counterfactualWallet(newAccount())

    test('are linked, shown, and no way to log in', async () => {
      const wallet = newWallet()
      const { client, link } = await somebody(wallet)
      const linked = await link()
      expect(linked.body.linked_accounts[1]).toMatchObject({
        type: 'smart_wallet',
        address: wallet.address,
        smart_wallet_type: 'safe',
      })
      expect(types(await link())).toEqual(['email', 'smart_wallet'])
      const other = page()
      const login = await other.enter('siwe', await other.ethereum(wallet, { signer: by(wallet) }))
      expect([verdict(login), login.body.error]).toEqual([
        { status: 403, code: 'disallowed_login_method' },
        'Cannot link or login with embedded wallet',
      ])
      const email = linked.body.linked_accounts[0].address
      expect(verdict(await client.post('passwordless/unlink', { address: email }))).toEqual({
        status: 400,
        code: 'cannot_unlink_sole_account',
      })
      const second = newWallet()
      const { message, signature } = await client.ethereum(second, { signer: by(second) })
      expect(
        verdict(
          await client.post('siwe/link_smart_wallet', { message, signature, smart_wallet_type: 'safe' }),
        ),
      ).toEqual({ status: 400, code: 'cannot_link_more_of_type' })
      expect((await client.get(`apps/${walletApp.id}/smart_wallets`)).body).toEqual({
        enabled: true,
        smart_wallet_type: 'safe',
        configured_networks: [
          { chain_id: 'eip155:1', bundler_url: 'https://bundler.example', chain_name: 'Ethereum' },
        ],
      })
    })

    test('are of one user, and of nobody who logs in with them', async () => {
      const wallet = newWallet()
      expect((await (await somebody(wallet)).link()).status).toBe(200)
      const taken = { status: 400, code: 'linked_to_another_user' }
      expect(verdict(await (await somebody(wallet)).link())).toEqual(taken)
      expect(verdict(await (await somebody(deployed)).link())).toEqual(taken)
    })

    test('are contracts, signed for by themselves, of the kind that the app has', async () => {
      const account = newAccount()
      const key = {
        address: account.address,
        signMessage: (message: string) => account.signMessage({ message }),
      }
      expect(verdict(await (await somebody(key)).link())).toEqual(refused)
      const { link } = await somebody(newWallet())
      expect(verdict(await link({}, { signer: newAccount() }))).toEqual(refused)
      expect(verdict(await link({ smart_wallet_type: 'kernel' }))).toEqual({
        status: 403,
        code: 'feature_not_enabled',
      })
      expect(verdict(await link({ smart_wallet_type: 'purse' }))).toEqual({
        status: 400,
        code: 'invalid_data',
      })
    })

    test('may be linked in an app that has no wallets to log in with', async () => {
      const wallet = newWallet()
      const client = page({ appId: emailApp.id })
      await client.login(newAddress())
      const { message, signature } = await client.ethereum(wallet, { signer: by(wallet) })
      const linked = await client.post('siwe/link_smart_wallet', {
        message,
        signature,
        smart_wallet_type: 'safe',
      })
      expect(types(linked)).toEqual(['email', 'smart_wallet'])
    })
  })

  describe('and embedded wallets', () => {
    /** Somebody with an embedded wallet whose key they have brought elsewhere. */
    async function exported() {
      const client = page()
      const { body } = await client.login(newAddress())
      const account = newAccount()
      const vault = new Vault(world, { appId: walletApp.id, origin: vaultOrigin })
      vault.token = body.token
      vault.userId = body.user.id
      await vault.enrol()
      const root = await vault.create(ethereumKeyOf(account))
      return { client, account, vault, root }
    }

    test('these are no way in, no second account, and are not taken away', async () => {
      const { client, account } = await exported()
      const own = { status: 403, code: 'disallowed_login_method' }
      expect(verdict(await client.post('siwe/link', await client.signed(account)))).toEqual(own)
      expect(verdict(await page().enter('siwe', await page().signed(account)))).toEqual(own)
      const unlinked = await client.post('siwe/unlink', { address: account.address.toLowerCase() })
      expect([verdict(unlinked), unlinked.body.error]).toEqual([
        { status: 400, code: 'cannot_unlink_embedded_wallet' },
        'Cannot unlink an embedded wallet',
      ])
      // To others it is an address like any other.
      const stranger = page()
      await stranger.login(newAddress())
      expect(verdict(await stranger.post('siwe/unlink', { address: account.address }))).toEqual({
        status: 404,
        code: 'linked_account_not_found',
      })
    })

    test('the address of one is part of the offer to transfer its user’s account', async () => {
      const { client, account, vault } = await exported()
      const outside = newAccount()
      const linked = await vault.approved(client.post('siwe/link', await client.signed(outside)))
      expect(linked.status).toBe(200)
      const other = page()
      await other.login(newAddress())
      const conflict = await other.post('siwe/link', await other.signed(outside))
      expect(conflict.body.data.otherUser).toEqual({ embeddedWalletAddress: account.address })
    })

    test('of several, each address is part of that offer, and the first stands where there is room for one', async () => {
      const { client, account, vault, root } = await exported()
      const solana = solanaKey()
      await vault.add(root, 0, solana)
      const outside = newAccount()
      const linked = await vault.approved(client.post('siwe/link', await client.signed(outside)))
      expect(linked.status).toBe(200)
      const other = page()
      await other.login(newAddress())
      const conflict = await other.post('siwe/link', await other.signed(outside))
      expect(conflict.body.data.otherUser).toEqual({
        embeddedWalletAddress: account.address,
        embeddedWalletAddresses: [account.address, solana.address],
      })
    })
  })
})
