import { verifyMessage } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KitError } from '../../../../src/errors/kit-error.ts'
import { memoryStorage } from '../../../../src/lib/storage.ts'
import { createRecentLogin } from '../../../../src/session/recent-login.ts'
import { appId, type Call, type Reply, sessionBody, wireUser } from '../../../support/api.ts'
import { settled, testClock } from '../../../support/clock.ts'
import { type KitSetUp, kitWithPerson } from '../../../support/kit.ts'
import { testPage } from '../../../support/page.ts'
import type { Step } from '../../../support/person.ts'
import { announce, ethereumWallet, solanaWallet, walletWindow } from '../../../support/wallets.ts'

const paths = {
  init: '/api/v1/siwe/init',
  authenticate: '/api/v1/siwe/authenticate',
  solanaInit: '/api/v1/siws/init',
  solanaAuthenticate: '/api/v1/siws/authenticate',
}
const chosen: Step = ['landing', { method: 'wallet' }]
const nonce = 'c0ffee0123456789c0ffee01'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function setUp({ app, routes, page, ...more }: KitSetUp = {}) {
  const metamask = ethereumWallet()
  const account = {
    type: 'wallet',
    address: metamask.address,
    chain_type: 'ethereum',
    chain_id: 'eip155:1',
    wallet_client: 'unknown',
    wallet_client_type: 'metamask',
    connector_type: 'injected',
    verified_at: 1_700_000_000,
  }
  const user = wireUser('did:privy:u1', { linked_accounts: [account] })
  const session: Reply = { body: await sessionBody(testClock(), { user, is_new_user: true }) }
  const init = ({ body }: Call): Reply => ({
    body: { nonce, address: body?.address, expires_at: '2030-01-01T00:00:00Z' },
  })
  const set = await kitWithPerson({
    ...more,
    page: page ?? testPage({ window: walletWindow }),
    app: { wallet_auth: true, solana_wallet_auth: true, ...app },
    accounts: [account],
    routes: {
      [paths.init]: init,
      [paths.authenticate]: session,
      [paths.solanaInit]: init,
      [paths.solanaAuthenticate]: session,
      ...routes,
    },
  })
  const login = (wishes = {}) =>
    set.kit.login(wishes).then(
      (person) => ({ user: person, code: undefined }),
      (error: KitError) => ({ user: undefined, code: error.code }),
    )
  const shown = () =>
    ({ id: set.person.scene?.screen.id, ...set.person.scene?.props }) as Record<string, unknown>
  return { ...set, metamask, login, shown }
}

describe('logging in with a wallet of the browser', () => {
  test('goes from the list over the wallet’s two questions to a person', async () => {
    const { metamask, login, person, api, kit, clock } = await setUp()
    announce(metamask)
    const outcome = login()
    await person.follow([
      chosen,
      {
        on: 'wallet-list',
        expect: ({ wallets }) =>
          expect((wallets as { name: string }[]).map(({ name }) => name)).toContain('MetaMask'),
        answer: { wallet: 'metamask' },
      },
      { wait: 3_000 },
    ])
    await clock.advance(3_000)
    expect((await outcome).user?.id).toBe('did:privy:u1')

    const { message, signature } = (api.to(paths.authenticate)[0]?.body ?? {}) as Record<string, string>
    expect(message).toContain('host.example wants you to sign in with your Ethereum account:')
    expect(message).toContain(`Nonce: ${nonce}`)
    const valid = { address: metamask.address, message: `${message}`, signature: signature as `0x${string}` }
    expect(await verifyMessage(valid)).toBe(true)
    expect(api.to(paths.authenticate)[0]?.body).toMatchObject({
      walletClientType: 'metamask',
      connectorType: 'injected',
    })
    expect(kit.wallets.get()).toMatchObject([
      { address: metamask.address, chainId: 'eip155:1', walletClientType: 'metamask', linked: true },
    ])
  })

  test('says what was done, first that the wallet is asked and then that it signs', async () => {
    const { metamask, login, person, clock } = await setUp()
    announce(metamask)
    const states: unknown[] = []
    const outcome = login()
    await person.follow([chosen])
    await person.follow([['wallet-list', { wallet: 'metamask' }]])
    for (let i = 0; i < 30; i++) {
      await settled()
      const { screen, props } = person.scene ?? {}
      if (screen?.id === 'awaiting-connection') states.push((props as { state: string }).state)
      await clock.advance(200)
    }
    await outcome
    expect([...new Set(states)].at(-1)).toBe('done')
  })

  test('a person who declines may try again, twice, and then is asked for another wallet', async () => {
    const { metamask, login, person, errors } = await setUp()
    announce(metamask)
    metamask.control.always('reject', 'eth_requestAccounts')
    login()
    const failed = (action: string): Step => ({
      on: 'awaiting-connection',
      expect: (props) => expect(props).toMatchObject({ state: 'failed', action }),
      answer: action,
    })
    await person.follow([
      chosen,
      ['wallet-list', { wallet: 'metamask' }],
      failed('retry'),
      failed('retry'),
      failed('other'),
      { on: 'wallet-list', close: true },
    ])
    expect(errors.map(({ code }) => code)).toEqual(['wallet_rejected', 'wallet_rejected', 'wallet_rejected'])
  })

  test('turning back while the wallet asks leads to the list, and from there to the landing screen', async () => {
    const { metamask, login, person } = await setUp()
    announce(metamask)
    metamask.control.always('hang', 'eth_requestAccounts')
    login()
    await person.follow([
      chosen,
      ['wallet-list', { wallet: 'metamask' }],
      ['awaiting-connection', 'back'],
      ['wallet-list', 'back'],
      { on: 'landing', close: true },
    ])
  })

  test('closing the dialog while the wallet asks tells the host so, and a late answer changes nothing', async () => {
    const { metamask, login, person, kit, clock, errors } = await setUp()
    announce(metamask)
    metamask.control.always('hang', 'eth_requestAccounts')
    const outcome = login()
    await person.follow([
      chosen,
      ['wallet-list', { wallet: 'metamask' }],
      { on: 'awaiting-connection', close: true },
    ])
    await clock.advance(1_000)
    expect((await outcome).code).toBe('exited_auth_flow')
    expect(kit.user).toBeNull()
    expect(errors).toEqual([])
  })

  test('a wallet that never answers is given up after two minutes', async () => {
    const { metamask, login, person, clock } = await setUp()
    announce(metamask)
    metamask.control.always('hang', 'eth_requestAccounts')
    login()
    await person.follow([chosen, ['wallet-list', { wallet: 'metamask' }]])
    await clock.advance(121_000)
    await person.follow([
      {
        on: 'awaiting-connection',
        expect: (props) => expect(props).toMatchObject({ state: 'failed', action: 'retry' }),
        close: true,
      },
    ])
  })

  test('a signature that the server refuses can be made again', async () => {
    const refused: Reply = { status: 401, body: { error: 'no', code: 'invalid_credentials' } }
    const { metamask, login, person, api } = await setUp({
      routes: { [paths.authenticate]: refused },
    })
    announce(metamask)
    login()
    await person.follow([
      chosen,
      ['wallet-list', { wallet: 'metamask' }],
      {
        on: 'awaiting-connection',
        expect: (props) => expect(props).toMatchObject({ state: 'failed', action: 'retry' }),
        answer: 'retry',
      },
      { on: 'awaiting-connection', expect: (props) => expect(props.state).toBe('failed'), close: true },
    ])
    expect(api.to(paths.init)).toHaveLength(2)
  })

  test('an app that one may not enter says so, and leads back to the start', async () => {
    const refused: Reply = { status: 401, body: { error: 'no', code: 'allowlist_rejected' } }
    const { metamask, login, person } = await setUp({ routes: { [paths.authenticate]: refused } })
    announce(metamask)
    login()
    await person.follow([chosen, ['wallet-list', { wallet: 'metamask' }], ['allowlist', 'again']])
  })

  test('a wallet on a network of its own is asked to come to one of the app’s, and may decline', async () => {
    const { metamask, login, person, clock } = await setUp({
      options: { config: { supportedChains: [base] } },
    })
    announce(metamask)
    const outcome = login()
    await person.follow([chosen, ['wallet-list', { wallet: 'metamask' }]])
    await clock.advance(5_000)
    expect((await outcome).user?.id).toBe('did:privy:u1')
    expect(person.trace().join(' ')).toContain('awaiting-connection')
    expect(await metamask.provider.request({ method: 'eth_chainId' })).toBe('0x2105')
  })
})

const base = {
  id: 8453,
  name: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['https://mainnet.base.org'] } },
}

describe('logging in with a Solana wallet', () => {
  test('signs the message of Solana', async () => {
    const { login, person, api, clock } = await setUp({
      options: { config: { appearance: { walletChainType: 'ethereum-and-solana' } } },
    })
    const phantom = solanaWallet()
    announce(phantom)
    const outcome = login()
    await person.follow([
      chosen,
      {
        on: 'wallet-list',
        expect: ({ wallets }) =>
          expect(wallets).toContainEqual(
            expect.objectContaining({ key: 'phantom:solana', solana: true, here: true }),
          ),
        answer: { wallet: 'phantom:solana' },
      },
    ])
    await clock.advance(5_000)
    expect((await outcome).user?.id).toBe('did:privy:u1')
    expect(api.to(paths.solanaAuthenticate)[0]?.body).toMatchObject({
      message: expect.stringContaining('wants you to sign in with your Solana account:'),
      walletClientType: 'phantom',
      connectorType: 'solana_adapter',
    })
  })
})

describe('Phantom', () => {
  test('that opens no Ethereum account is told from other failures, and may be tried again', async () => {
    const { login, person } = await setUp({
      options: { config: { appearance: { walletList: ['phantom'] } } },
    })
    const phantom = ethereumWallet('Phantom', 'app.phantom')
    phantom.control.next('internal', 'eth_requestAccounts')
    announce(phantom)
    const outcome = login()
    await person.follow([
      chosen,
      ['wallet-list', { wallet: 'phantom' }],
      ['wallet-login-failed', 'retry'],
      { wait: 5_000 },
    ])
    expect((await outcome).user?.id).toBe('did:privy:u1')
  })

  test('on a phone opens the page in its own browser, which is told to go on there', async () => {
    const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148 Safari/604.1'
    const { login, person } = await setUp({
      page: testPage({ window: walletWindow, userAgent }),
      options: { config: { appearance: { walletList: ['phantom'] } } },
    })
    login()
    await person.follow([
      chosen,
      ['wallet-list', { wallet: 'phantom' }],
      {
        on: 'open-in-wallet',
        expect: ({ links }) => {
          const { universal = '' } = links as { universal?: string }
          expect(universal).toMatch(/^https:\/\/phantom\.app\/ul\/browse\//)
          const target = new URL(decodeURIComponent(new URL(universal).pathname.split('/').at(-1) ?? ''))
          expect(Object.fromEntries(target.searchParams)).toEqual({
            privy_connector: 'injected',
            privy_wallet_client: 'phantom',
          })
        },
        answer: 'back',
      },
      ['wallet-list', 'back'],
    ])
  })
})

describe('the list', () => {
  test('gets a wallet that announces itself late', async () => {
    const { metamask, login, person, clock, shown } = await setUp({
      options: { config: { appearance: { walletList: ['detected_wallets'] } } },
    })
    login()
    await person.follow([chosen])
    await clock.advance(1_000)
    expect(shown()).toMatchObject({ id: 'wallet-list', wallets: [] })
    announce(metamask)
    await clock.advance(500)
    expect(shown()).toMatchObject({ id: 'wallet-list', wallets: [{ key: 'metamask', here: true }] })
  })

  test('leads to the page of a wallet that is not here', async () => {
    const { login, person, page } = await setUp({
      options: { config: { appearance: { walletList: ['rabby_wallet'] } } },
    })
    login()
    await person.follow([
      chosen,
      ['wallet-list', { wallet: 'rabby_wallet' }],
      {
        on: 'install-wallet',
        expect: ({ installUrl }) => expect(installUrl).toMatch(/^https:/),
        answer: 'installed',
      },
    ])
    expect(page.reloads()).toBe(1)
  })
})

describe('wallets that stand on the landing screen', () => {
  const rows = ({ methods }: Record<string, unknown>) =>
    (methods as { id: string; label: string }[]).map(({ id, label }) => `${id}: ${label}`)

  test('stand there by their names where the host’s order names them, and lead to themselves', async () => {
    const { metamask, login, person } = await setUp({
      options: {
        config: { loginMethodsAndOrder: { primary: ['email', 'metamask', 'nobody-knows-this' as 'wallet'] } },
      },
    })
    announce(metamask)
    login()
    await person.follow([
      {
        on: 'landing',
        expect: (props) =>
          expect(rows(props)).toEqual(['email: Continue with email', 'wallet/metamask: MetaMask']),
        answer: { method: 'wallet/metamask' },
      },
    ])
    expect(person.trace().join(' ')).not.toContain('wallet-list')
  })

  test('come first in an app that wants it so, with a row for the others', async () => {
    const { login, person } = await setUp({ app: { show_wallet_login_first: true } })
    login()
    await person.follow([
      {
        on: 'landing',
        expect: (props) =>
          expect(rows(props)).toEqual([
            'wallet/metamask: MetaMask',
            'wallet/coinbase_wallet: Coinbase Wallet',
            'wallet: Other wallets',
            'email: Continue with email',
          ]),
        close: true,
      },
    ])
  })

  test('the one that was used last is marked and comes first, and not the row of them all', async () => {
    const storage = memoryStorage()
    createRecentLogin(appId, storage).set('wallet', { clientType: 'metamask', chainType: 'ethereum' })
    const marked = ({ methods }: Record<string, unknown>) =>
      (methods as { id: string; recent: boolean }[]).map(({ id, recent }) => (recent ? `${id}!` : id))
    const order = { primary: ['email', 'coinbase_wallet', 'metamask'] as const }
    const { login, kit, person } = await setUp({
      storage,
      options: { config: { loginMethodsAndOrder: order } },
    })
    login()
    await person.follow([
      {
        on: 'landing',
        expect: (props) =>
          expect(marked(props)).toEqual(['wallet/metamask!', 'email', 'wallet/coinbase_wallet']),
        close: true,
      },
    ])
    kit.configure({ config: { appearance: { loginGroupPriority: 'web3-first' } } })
    login()
    await person.follow([
      {
        on: 'landing',
        expect: (props) =>
          expect(marked(props)).toEqual(['wallet/metamask!', 'wallet/coinbase_wallet', 'wallet', 'email']),
        close: true,
      },
    ])
  })

  test.each([
    ['of Solana', () => solanaWallet(), 'solana-only', 'wallet/phantom/solana'],
    [
      'that nobody knows',
      () => ethereumWallet('Harbor Purse', 'example.harbor'),
      'ethereum-only',
      'wallet/harbor_purse',
    ],
    [
      'that calls itself as another way in',
      () => ethereumWallet('Google', 'a.b'),
      'ethereum-only',
      'wallet/google',
    ],
    [
      'that calls itself as the row of them all',
      () => ethereumWallet('Wallet', 'a.b'),
      'ethereum-only',
      'wallet/wallet',
    ],
  ] as const)('one %s leads to itself as well', async (_, make, walletChainType, method) => {
    const { login, person } = await setUp({
      options: { config: { appearance: { loginGroupPriority: 'web3-first', walletChainType } } },
    })
    announce(make())
    const outcome = login()
    await person.follow([['landing', { method }], { wait: 5_000 }])
    expect((await outcome).user?.id).toBe('did:privy:u1')
    expect(person.trace().join(' ')).not.toContain('wallet-list')
  })
})

describe('a wallet of somebody else', () => {
  test('that can’t be taken over is told of above the list, and is not asked again', async () => {
    const refused: Reply = { status: 400, body: { error: 'taken', code: 'account_transfer_required' } }
    const { metamask, login, person, api } = await setUp({ routes: { [paths.authenticate]: refused } })
    announce(metamask)
    login()
    await person.follow([
      chosen,
      ['wallet-list', { wallet: 'metamask' }],
      { on: 'wallet-list', expect: ({ error }) => expect(error).toMatch(/./), close: true },
    ])
    expect(api.to(paths.authenticate)).toHaveLength(1)
  })
})
