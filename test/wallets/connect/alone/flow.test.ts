import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { anvilKeys } from '../../../../demo/world/wallet/accounts.ts'
import type { ConnectedWallet } from '../../../../src/kit/api.ts'
import { memoryStorage } from '../../../../src/lib/storage.ts'
import type { WalletBrowserReturn } from '../../../../src/protocol/wallet-browser.ts'
import { type Call, type Reply, sessionBody, wireUser } from '../../../support/api.ts'
import { settled, testClock } from '../../../support/clock.ts'
import { codeOf } from '../../../support/failure.ts'
import { type KitSetUp, kitWithPerson } from '../../../support/kit.ts'
import { testPage } from '../../../support/page.ts'
import type { Step } from '../../../support/person.ts'
import { announce, ethereumWallet, solanaWallet, walletWindow } from '../../../support/wallets.ts'
// The parts that a link into a wallet's browser loads: the tests' clock doesn't wait for them.
import '../../../../src/kit/host/account.ts'
import '../../../../src/kit/resume/wallet-browser.ts'

const paths = {
  init: '/api/v1/siwe/init',
  authenticate: '/api/v1/siwe/authenticate',
  link: '/api/v1/siwe/link',
  recover: '/api/v1/sessions/fork/recover',
  refresh: '/api/v1/sessions',
}

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function setUp({ routes, app, page, ...more }: KitSetUp = {}) {
  const user = wireUser('did:privy:u1', {})
  const session: Reply = { body: await sessionBody(testClock(), { user, is_new_user: false }) }
  const set = await kitWithPerson({
    ...more,
    page: page ?? testPage({ window: walletWindow }),
    app: { wallet_auth: true, ...app },
    routes: {
      [paths.init]: ({ body }: Call) => ({
        body: { nonce: 'c0ffee0123456789', address: body?.address, expires_at: '2030-01-01T00:00:00Z' },
      }),
      [paths.authenticate]: session,
      [paths.link]: { body: user },
      [paths.recover]: session,
      [paths.refresh]: session,
      ...routes,
    },
  })
  const heard: string[] = []
  set.kit.on('connect', ({ wallet }) => heard.push(`connect ${wallet.meta.name}`))
  set.kit.on('disconnect', ({ wallet }) => heard.push(`disconnect ${wallet.meta.name}`))
  set.kit.on('wallets', ({ wallets }) => heard.push(wallets.map(describeWallet).join(' ')))
  /** Connects the wallet of that name by the list. */
  async function connect(key = 'metamask'): Promise<ConnectedWallet> {
    const wallet = set.kit.connectWallet()
    await set.person.follow([['wallet-list', { wallet: key }], { wait: 2_000 }])
    return wallet
  }
  return { ...set, heard, connect }
}
const describeWallet = ({ meta, address, chainId }: ConnectedWallet) =>
  `${meta.name}/${address.slice(0, 6)}/${chainId}`
const goOn: Step = ['continue-here', 'continue']
describe('connecting a wallet without logging in', () => {
  test('resolves with the wallet, tells of it, and logs nobody in', async () => {
    const { connect, kit, heard, api } = await setUp()
    const metamask = ethereumWallet()
    announce(metamask)
    const wallet = await connect()
    expect(wallet).toMatchObject({
      address: metamask.address,
      chainId: 'eip155:1',
      chainType: 'ethereum',
      walletClientType: 'metamask',
      connectorType: 'injected',
      linked: false,
    })
    expect(await wallet.isConnected()).toBe(true)
    expect(kit.wallets.get()).toEqual([wallet])
    expect(heard).toEqual(['connect MetaMask', 'MetaMask/0xf39F/eip155:1'])
    expect(kit.user).toBeNull()
    expect(api.to(paths.init)).toEqual([])
  })

  test('closing the dialog tells the host so', async () => {
    const { kit, person } = await setUp()
    const outcome = codeOf(kit.connectWallet())
    await person.follow([{ on: 'wallet-list', close: true }, { wait: 1_000 }])
    expect(await outcome).toBe('generic_connect_wallet_error')
  })

  test('going back from the list is closing it', async () => {
    const { kit, person } = await setUp()
    const outcome = codeOf(kit.connectWallet())
    await person.follow([['wallet-list', 'back'], { wait: 1_000 }])
    expect(await outcome).toBe('generic_connect_wallet_error')
  })

  test('two wallets are connected at once, the later one first', async () => {
    const { connect, kit, clock } = await setUp()
    announce(ethereumWallet())
    announce(ethereumWallet('Rainbow', 'me.rainbow', 1))
    await connect('metamask')
    await clock.advance(1_000)
    await connect('rainbow')
    expect(kit.wallets.get().map(({ meta }) => meta.name)).toEqual(['Rainbow', 'MetaMask'])
  })

  test('comes back by itself on the next page, and does not when it was disconnected', async () => {
    const metamask = ethereumWallet()
    announce(metamask)
    const first = await setUp()
    const wallet = await first.connect()
    first.kit.destroy()

    const second = await setUp({ storage: first.storage })
    await second.clock.advance(3_000)
    expect(second.heard).toEqual(['connect MetaMask', 'MetaMask/0xf39F/eip155:1'])
    await second.kit.wallets.get()[0]?.disconnect()
    expect(second.kit.wallets.get()).toEqual([])
    expect(second.heard.slice(2)).toEqual(['disconnect MetaMask', ''])
    second.kit.destroy()

    const third = await setUp({ storage: first.storage })
    await third.clock.advance(3_000)
    expect(third.kit.wallets.get()).toEqual([])
    expect(wallet.address).toBe(metamask.address)
  })
})

describe('a connected wallet', () => {
  test('follows the person to another account and another network', async () => {
    const { connect, heard, kit } = await setUp()
    const metamask = ethereumWallet()
    announce(metamask)
    await connect()
    metamask.control.pickChain(8453)
    await settled()
    metamask.control.pickAccount(anvilKeys[1])
    await settled()
    expect(heard.slice(2)).toContain('MetaMask/0xf39F/eip155:8453')
    expect(kit.wallets.get()[0]?.address.slice(0, 6)).toBe('0x7099')
  })

  test('is gone when the person ends the connection in it', async () => {
    const { connect, heard, kit } = await setUp()
    const metamask = ethereumWallet()
    announce(metamask)
    const wallet = await connect()
    metamask.control.revoke()
    await settled()
    expect(kit.wallets.get()).toEqual([])
    expect(heard.at(-2)).toBe('disconnect MetaMask')
    expect(await wallet.isConnected()).toBe(false)
  })

  test('changes its network by number, by hex text and by CAIP-2, and refuses what is none', async () => {
    const { connect } = await setUp()
    const metamask = ethereumWallet()
    announce(metamask)
    const wallet = await connect()
    await wallet.switchChain(8453)
    await wallet.switchChain('0x1')
    await wallet.switchChain('eip155:8453')
    expect(await metamask.provider.request({ method: 'eth_chainId' })).toBe('0x2105')
    for (const wrong of [0, -1, 1.5, 'base', '', 'eip155:x'])
      expect(await codeOf(wallet.switchChain(wrong))).toBe('unsupported_chain_id')
  })

  test('signs text, and says what is wrong with what is none', async () => {
    const { connect } = await setUp()
    announce(ethereumWallet())
    const wallet = await connect()
    expect(await wallet.sign('hello')).toMatch(/^0x[0-9a-f]{130}$/)
    expect(await codeOf(wallet.sign(''))).toBe('invalid_message')
  })

  test('logs in without a dialog, and links itself to the person who is logged in', async () => {
    const { connect, kit, api } = await setUp()
    announce(ethereumWallet())
    const wallet = await connect()
    const user = await wallet.loginOrLink()
    expect([user.id, kit.user?.id]).toEqual(['did:privy:u1', 'did:privy:u1'])
    await wallet.loginOrLink()
    expect([api.to(paths.authenticate).length, api.to(paths.link).length]).toEqual([1, 1])
  })

  test('asked twice at once to log in, signs once', async () => {
    const { connect, api } = await setUp()
    announce(ethereumWallet())
    const wallet = await connect()
    const [one, other] = await Promise.all([wallet.loginOrLink(), wallet.loginOrLink()])
    expect(one).toBe(other)
    expect(api.to(paths.authenticate)).toHaveLength(1)
  })

  test('signs in on its current network, even through an older object of the host', async () => {
    const { connect, api } = await setUp()
    const metamask = ethereumWallet()
    announce(metamask)
    const wallet = await connect()
    metamask.control.pickChain(8453)
    await wallet.loginOrLink()
    expect(api.to(paths.authenticate)[0]?.body).toMatchObject({ chainId: 'eip155:8453' })
  })

  test('a refusal by the wallet is reported with its code', async () => {
    const { connect } = await setUp()
    const metamask = ethereumWallet()
    announce(metamask)
    const wallet = await connect()
    metamask.control.always('reject')
    expect(await codeOf(wallet.loginOrLink())).toBe('wallet_rejected')
    expect(await codeOf(wallet.switchChain(8453))).toBe('wallet_rejected')
  })

  test('of Solana has no networks to change, and gives its wallet to libraries', async () => {
    const { kit, person } = await setUp({
      options: { config: { appearance: { walletChainType: 'solana-only' } } },
    })
    const phantom = solanaWallet()
    announce(phantom)
    const connecting = kit.connectWallet()
    await person.follow([['wallet-list', { wallet: 'phantom:solana' }], { wait: 2_000 }])
    const wallet = await connecting
    expect(wallet.chainId).toBe('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
    expect(await codeOf(wallet.switchChain(1))).toBe('unsupported_method')
    expect(wallet.getProvider()).toMatchObject({ account: { address: phantom.address } })
  })
})

describe('connecting or creating', () => {
  test('a wallet is only connected', async () => {
    const { kit, person, api } = await setUp()
    announce(ethereumWallet())
    const outcome = kit.connectOrCreateWallet()
    await person.follow([
      ['landing', { method: 'wallet' }],
      ['wallet-list', { wallet: 'metamask' }],
      { wait: 2_000 },
    ])
    expect(await outcome).toMatchObject({ wallet: { walletClientType: 'metamask' } })
    expect(api.to(paths.init)).toEqual([])
  })

  test('a wallet that nobody knows is connected by its own row', async () => {
    const { kit, person } = await setUp({
      options: { config: { appearance: { loginGroupPriority: 'web3-first' } } },
    })
    announce(ethereumWallet('Harbor Purse', 'example.harbor'))
    const outcome = kit.connectOrCreateWallet()
    await person.follow([['landing', { method: 'wallet/harbor_purse' }], { wait: 2_000 }])
    expect(await outcome).toMatchObject({ wallet: { walletClientType: 'harbor_purse' } })
  })

  test('any other way logs in', async () => {
    const { kit, person } = await setUp()
    const outcome = kit.connectOrCreateWallet()
    await person.follow([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', { code: '123456' }],
      { wait: 3_000 },
    ])
    expect(await outcome).toMatchObject({ user: { id: 'did:privy:u1' } })
  })

  test('is for people who are not logged in', async () => {
    const { connect, kit } = await setUp()
    announce(ethereumWallet())
    await (await connect()).loginOrLink()
    expect(await codeOf(kit.connectOrCreateWallet())).toBe('invalid_state')
  })
})

describe('a page that a wallet’s own browser has opened', () => {
  const link = (more: Partial<WalletBrowserReturn> = {}): WalletBrowserReturn => ({
    kind: 'wallet-browser',
    connector: 'injected',
    client: 'phantom',
    connectOnly: false,
    ...more,
  })
  const phantom = () => ethereumWallet('Phantom', 'app.phantom')
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148'
  const onPhone = (more: KitSetUp) =>
    setUp({ page: testPage({ window: walletWindow, userAgent: iPhone }), ...more })

  test('logs in with that wallet', async () => {
    announce(phantom())
    const { kit, clock } = await onPhone({ returned: link() })
    await clock.advance(5_000)
    expect(kit.user?.id).toBe('did:privy:u1')
  })

  test('only connects it where that is all that was asked for', async () => {
    announce(phantom())
    const { kit, clock } = await onPhone({ returned: link({ connectOnly: true }) })
    await clock.advance(5_000)
    expect(kit.user).toBeNull()
    expect(kit.wallets.get()).toMatchObject([{ walletClientType: 'phantom' }])
  })

  test('takes the session over that was sent along, and links the wallet to it', async () => {
    announce(phantom())
    const { kit, clock, api, person } = await onPhone({ returned: link({ token: 'forked' }) })
    await clock.advance(5_000)
    expect(api.to(paths.recover)).toEqual([])
    await person.follow([goOn, { wait: 5_000 }])
    expect(api.to(paths.recover)).toMatchObject([{ body: { refresh_token: 'forked' } }])
    expect(api.to(paths.link)).toHaveLength(1)
    expect(kit.user?.id).toBe('did:privy:u1')
  })

  test('leaves the session alone when the person did not make the link, who may log in themselves', async () => {
    announce(phantom())
    const { kit, api, person } = await onPhone({ returned: link({ token: 'planted' }) })
    await person.follow([['continue-here', 'decline'], { on: 'landing', close: true }, { wait: 1_000 }])
    expect(api.to(paths.recover)).toEqual([])
    expect(kit.user).toBeNull()
  })

  test('does nothing at all where that wallet is not: a link alone opens no dialog and no session', async () => {
    announce(ethereumWallet())
    const { kit, clock, api, person } = await onPhone({ returned: link({ token: 'forked' }) })
    await clock.advance(10_000)
    expect(api.to(paths.recover)).toEqual([])
    expect(kit.user).toBeNull()
    expect(person.trace()).toEqual([])
  })

  test('tells the person and the host when the session that was sent along is no good', async () => {
    announce(phantom())
    const refused: Reply = { status: 400, body: { error: 'used', code: 'token_already_used' } }
    const { errors, clock, kit, person } = await onPhone({
      returned: link({ token: 'forked' }),
      routes: { [paths.recover]: refused },
    })
    await clock.advance(5_000)
    await person.follow([
      goOn,
      {
        on: 'failure',
        expect: ({ title }) => expect(title).toBe('This link has already been used'),
        answer: 'close',
      },
    ])
    expect(errors.map(({ code }) => code)).toEqual(['token_already_used'])
    expect(kit.user).toBeNull()
  })

  test('does nothing on a desktop: nobody makes such links for one, and an extension is there for every link', async () => {
    announce(phantom())
    const { kit, clock, api, person } = await setUp({ returned: link({ token: 'planted' }) })
    await clock.advance(10_000)
    expect(api.to(paths.recover)).toEqual([])
    expect([kit.user, person.trace()]).toEqual([null, []])
  })

  test.each([undefined, 'forked'])('a host that logs in at once joins it (%s)', async (token) => {
    announce(phantom())
    const { kit, clock, errors, person } = await onPhone({
      returned: link(token === undefined ? {} : { token }),
    })
    const outcome = kit.login()
    await clock.advance(1_000)
    if (token !== undefined) await person.follow([goOn])
    await clock.advance(5_000)
    expect((await outcome).id).toBe('did:privy:u1')
    expect(errors).toEqual([])
  })

  test('asks whether a wallet that belongs to another login is to be taken over', async () => {
    announce(phantom())
    const data = { nonce: 'abc', account: { type: 'wallet', displayName: '0xabc' }, otherUser: {} }
    const { clock, person, api, kit } = await onPhone({
      returned: link({ token: 'forked' }),
      routes: {
        [paths.link]: {
          status: 400,
          body: { error: 'taken', code: 'account_transfer_required', data },
        },
        '/api/v1/siwe/transfer': { body: wireUser('did:privy:u1', {}) },
      },
    })
    await clock.advance(1_000)
    await person.follow([goOn, ['link-conflict', 'transfer'], { wait: 3_000 }])
    expect(api.to('/api/v1/siwe/transfer')).toMatchObject([{ body: { nonce: 'abc' } }])
    expect(kit.isModalOpen).toBe(false)
  })
})

describe('a kit that was destroyed', () => {
  test.each(['at once', 'when it was ready'])('listens to no wallet, %s', async (when) => {
    const storage = memoryStorage()
    announce(ethereumWallet())
    const first = await setUp({ storage })
    await first.connect()
    first.kit.destroy()

    const begun = vi.spyOn(walletWindow, 'addEventListener')
    const second = await setUp({ storage })
    if (when !== 'at once') await second.kit.whenReady()
    second.kit.destroy()
    await second.clock.advance(10_000)
    expect(begun).not.toHaveBeenCalled()
  })
})
