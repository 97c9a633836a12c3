import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/login/wallet/siwe.ts'
import '../../../src/login/wallet/siwe-message.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { readSiweMessage } from '../../../demo/backend/login/siwe/message.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { createRecentLogin } from '../../../src/session/recent-login.ts'
import { appId, sessionBody, wireUser } from '../../support/api.ts'
import { testClock } from '../../support/clock.ts'
import { codeOf } from '../../support/failure.ts'
import { embeddedWallet, type KitSetUp, paths, walletAddress } from '../../support/kit.ts'
import { testPage } from '../../support/page.ts'
import { kitForSignIn } from '../../support/wallet-sign-in.ts'

const init = '/api/v1/siwe/init'
const authenticate = '/api/v1/siwe/authenticate'
const link = '/api/v1/siwe/link'
const refresh = '/api/v1/sessions'
/** The first of the accounts that everybody knows. */
const signer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const wallet = {
  type: 'wallet',
  address: signer.address,
  chain_type: 'ethereum',
  chain_id: 'eip155:1',
  wallet_client: 'metamask',
  wallet_client_type: 'metamask',
  connector_type: 'injected',
  verified_at: 1_700_000_200,
}
const email = { type: 'email', address: 'ada@example.com', verified_at: 1_700_000_000 }

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function setUp(more: KitSetUp = {}) {
  const set = await kitForSignIn('siwe', wallet, more)
  const byEmail = async () => {
    await set.kit.email.sendCode({ email: 'ada@example.com' })
    await set.kit.email.loginWithCode({ code: '123456' })
  }
  return { ...set, siwe: set.kit.siwe, byEmail }
}
const { address } = signer

describe('the message for an Ethereum wallet', () => {
  test('names the page, the wallet, the chain, the nonce and the time, to the letter', async () => {
    const { siwe, api, clock } = await setUp()
    const message = await siwe.generateMessage({ address: address.toLowerCase(), chainId: 'eip155:8453' })
    expect(message).toBe(
      [
        'host.example wants you to sign in with your Ethereum account:',
        address,
        '',
        'By signing, you prove that you own this wallet and log in with it. Nothing is sent to the chain and no fee is charged.',
        '',
        'URI: https://host.example',
        'Version: 1',
        'Chain ID: 8453',
        'Nonce: nonce00000000001',
        `Issued At: ${new Date(clock.now()).toISOString()}`,
        'Resources:',
        '- urn:latchkey:sign-in',
      ].join('\n'),
    )
    expect(api.to(init).map(({ body }) => body)).toEqual([{ address }])
  })

  test('has the host’s port, and chain 1 where none is named', async () => {
    const { siwe } = await setUp({ page: testPage({ origin: 'http://localhost:4810' }) })
    const message = parseSiweMessage(await siwe.generateMessage({ address }))
    expect(message).toMatchObject({ domain: 'localhost:4810', uri: 'http://localhost:4810', chainId: 1 })
  })

  test.each([
    'http://intranet:8080',
    'https://xn--e1afmkfd.xn--p1ai',
    'http://[::1]:4810',
    'https://a_b.example',
  ])('can be made on %s, and the server understands it', async (origin) => {
    const { siwe } = await setUp({ page: testPage({ origin }) })
    const message = await siwe.generateMessage({ address })
    expect(message.startsWith(`${new URL(origin).host} wants you`)).toBe(true)
    expect(await readSiweMessage(message)).toMatchObject({
      domain: new URL(origin).host,
      uri: origin,
      address,
    })
  })

  test.each(['null', 'file://', ''])('can’t be made on a page whose origin is “%s”', async (origin) => {
    const { siwe } = await setUp({ page: testPage({ origin }) })
    expect(await codeOf(siwe.generateMessage({ address }))).toBe('invalid_configuration')
  })

  test('is made once for twenty who ask at the same time', async () => {
    const { siwe, api } = await setUp()
    const made = await Promise.all(Array.from({ length: 20 }, () => siwe.generateMessage({ address })))
    expect(new Set(made).size).toBe(1)
    expect(api.to(init)).toHaveLength(1)
    await siwe.generateMessage({ address })
    expect(api.to(init)).toHaveLength(2)
  })

  test('is another one for another wallet or another chain', async () => {
    const { siwe, api } = await setUp()
    const other = walletAddress
    const made = await Promise.all([
      siwe.generateMessage({ address }),
      siwe.generateMessage({ address: other }),
      siwe.generateMessage({ address, chainId: 'eip155:8453' }),
    ])
    expect(new Set(made.map((each) => parseSiweMessage(each).nonce)).size).toBe(3)
    expect(api.to(init)).toHaveLength(3)
  })

  test('takes a captcha token along', async () => {
    const { siwe, api } = await setUp()
    await siwe.generateMessage({ address, captchaToken: 'human' })
    expect(api.to(init)[0]?.body).toEqual({ address, token: 'human' })
  })

  test.each([
    '',
    '0x',
    'ada.eth',
    `${address}0`,
    ` ${address}`,
    address.replace('f39F', 'F39F'),
    '0xg000000000000000000000000000000000000000',
    7,
    null,
  ])('is not made for %j, and the server is not asked', async (bad) => {
    const { siwe, api } = await setUp()
    expect(await codeOf(siwe.generateMessage({ address: bad as string }))).toBe('invalid_data')
    expect(api.to(init)).toEqual([])
  })
  test.each([
    '1',
    'eip155:',
    'eip155:0',
    'eip155:0x1',
    'eip155:-1',
    'eip155:1.5',
    'eip155:9999999999999999',
    'solana:1',
  ])('is not made for the chain %s', async (chainId) => {
    const { siwe } = await setUp()
    expect(await codeOf(siwe.generateMessage({ address, chainId }))).toBe('unsupported_chain_id')
  })
  test.each(['', 'short', 'with a space', 'evil\nURI: https://evil.example', 7, undefined])(
    'is not made with the nonce %j',
    async (nonce) => {
      const { siwe } = await setUp({ routes: { [init]: { body: { nonce, address, expires_at: 'soon' } } } })
      expect(await codeOf(siwe.generateMessage({ address }))).toBe('malformed_response')
    },
  )
})

describe('logging in with an Ethereum wallet', () => {
  test('sends what was signed, tells how far it is, and gives the person', async () => {
    const storage = memoryStorage()
    const { siwe, api, states, kit } = await setUp({ storage })
    const heard: unknown[] = []
    kit.on('login', ({ loginMethod, loginAccount }) => heard.push([loginMethod, loginAccount]))
    const message = await siwe.generateMessage({ address, chainId: 'eip155:8453' })
    expect(states).toEqual(['generating-message', 'awaiting-signature'])
    const signature = await signer.signMessage({ message })
    const user = await siwe.login({ signature, walletClientType: 'metamask', connectorType: 'injected' })
    expect(states.slice(2)).toEqual(['submitting-signature', 'done'])
    expect(user.wallet?.address).toBe(address)
    expect(api.to(authenticate)[0]?.body).toEqual({
      message,
      signature,
      chainId: 'eip155:8453',
      mode: 'login-or-sign-up',
      walletClientType: 'metamask',
      connectorType: 'injected',
    })
    expect(heard).toEqual([['siwe', user.wallet]])
    const recent = createRecentLogin(appId, storage)
    expect([recent.get(), recent.wallet()]).toEqual([
      'wallet',
      { clientType: 'metamask', chainType: 'ethereum' },
    ])
  })

  test('without a word on the wallet says so to the server', async () => {
    const { siwe, api } = await setUp()
    await siwe.generateMessage({ address })
    await siwe.login({ signature: '0x1', disableSignup: true })
    expect(api.to(authenticate)[0]?.body).toMatchObject({
      chainId: 'eip155:1',
      walletClientType: null,
      connectorType: null,
      mode: 'no-signup',
    })
  })

  test('cuts what a wallet calls itself to what the wire allows', async () => {
    const { siwe, api } = await setUp()
    await siwe.generateMessage({ address })
    await siwe.login({ signature: '0x1', walletClientType: 'x'.repeat(900), connectorType: 'y'.repeat(900) })
    const { walletClientType, connectorType } = api.to(authenticate)[0]?.body ?? {}
    expect([String(walletClientType).length, String(connectorType).length]).toEqual([64, 64])
  })

  test('needs a message first, each time', async () => {
    const { siwe, api, states } = await setUp()
    await expect(siwe.login({ signature: '0x1' })).rejects.toMatchObject({
      code: 'invalid_state',
      shortMessage: 'Must initialize SIWE/SIWS flow first.',
    })
    await siwe.generateMessage({ address })
    await siwe.login({ signature: '0x1' })
    expect(await codeOf(siwe.login({ signature: '0x1' }))).toBe('invalid_state')
    expect(api.to(authenticate)).toHaveLength(1)
    expect(states.at(-1)).toBe('error')
  })

  test('can be done with a message that the host kept', async () => {
    const { siwe, api } = await setUp()
    const message = await siwe.generateMessage({ address, chainId: 'eip155:10' })
    await siwe.generateMessage({ address: walletAddress })
    await siwe.login({ signature: '0x1', message })
    expect(api.to(authenticate)[0]?.body).toMatchObject({ message, chainId: 'eip155:10' })
  })

  test.each([
    ['a message of something else', { signature: '0x1', message: 'Transfer all my coins' }],
    ['an empty message', { signature: '0x1', message: '' }],
    ['no signature', { signature: '' }],
    ['a signature that is no text', { signature: ['0x1'] }],
  ])('with %s is refused here', async (_, input) => {
    const { siwe, api } = await setUp()
    await siwe.generateMessage({ address })
    expect(await codeOf(siwe.login(input as { signature: string }))).toBe('invalid_data')
    expect(api.to(authenticate)).toEqual([])
  })

  test.each([
    'invalid_credentials',
    'allowlist_rejected',
    'account_transfer_required',
    'max_accounts_reached',
  ])('passes the server’s %s on, and the state has it', async (refused) => {
    const { siwe } = await setUp({
      routes: { [authenticate]: { status: 400, body: { error: 'no', code: refused } } },
    })
    await siwe.generateMessage({ address })
    expect(await codeOf(siwe.login({ signature: '0x1' }))).toBe(refused)
    expect(siwe.state.get()).toMatchObject({ status: 'error', error: { code: refused } })
  })

  test('with the embedded wallet is refused', async () => {
    const { siwe, api } = await setUp()
    await siwe.generateMessage({ address })
    await expect(siwe.login({ signature: '0x1', walletClientType: 'privy' })).rejects.toMatchObject({
      shortMessage: 'Cannot link or login with embedded wallet',
    })
    expect(api.to(authenticate)).toEqual([])
  })

  test('a login of another kind is the recent one afterwards, and no wallet is', async () => {
    const storage = memoryStorage()
    const { siwe, kit, byEmail } = await setUp({ storage })
    await siwe.generateMessage({ address })
    await siwe.login({ signature: '0x1' })
    const recent = createRecentLogin(appId, storage)
    expect(recent.wallet()).toEqual({ clientType: undefined, chainType: 'ethereum' })
    await kit.logout()
    await byEmail()
    expect([recent.get(), recent.wallet()]).toEqual(['email', undefined])
  })
})

describe('linking an Ethereum wallet', () => {
  const linked = async (more: KitSetUp = {}) => {
    const clock = testClock()
    const before = wireUser('did:privy:u1', { linked_accounts: [email] })
    const after = wireUser('did:privy:u1', { linked_accounts: [email, wallet] })
    return setUp({
      accounts: [email],
      ...more,
      routes: {
        [paths.authenticate]: { body: await sessionBody(clock, { user: before }) },
        [link]: { body: after },
        [refresh]: { body: await sessionBody(clock, { user: after }) },
        ...more.routes,
      },
    })
  }

  test('sends what was signed, and the kit knows the person anew', async () => {
    const { siwe, api, kit, byEmail } = await linked()
    await byEmail()
    const message = await siwe.generateMessage({ address })
    const user = await siwe.link({
      signature: '0x1',
      walletClientType: 'metamask',
      connectorType: 'injected',
    })
    expect(user.wallet?.address).toBe(address)
    expect(kit.user?.wallet?.address).toBe(address)
    expect(api.to(link)[0]?.body).toEqual({
      message,
      signature: '0x1',
      chainId: 'eip155:1',
      walletClientType: 'metamask',
      connectorType: 'injected',
    })
    expect(api.to(refresh)).toHaveLength(1)
    expect(siwe.state.get().status).toBe('done')
  })

  test('needs somebody who is logged in', async () => {
    const { siwe, api } = await linked()
    await siwe.generateMessage({ address })
    expect(await codeOf(siwe.link({ signature: '0x1' }))).toBe('must_be_authenticated')
    expect(api.to(link)).toEqual([])
  })

  test('of a person who has it already says so', async () => {
    const { siwe, api } = await setUp()
    await siwe.generateMessage({ address })
    await siwe.login({ signature: '0x1' })
    await siwe.generateMessage({ address })
    await expect(siwe.link({ signature: '0x1' })).rejects.toMatchObject({
      shortMessage: 'Wallet was already linked.',
    })
    expect(api.to(link)).toEqual([])
  })

  test('that is the person’s embedded one is refused', async () => {
    const user = wireUser('did:privy:u1', { linked_accounts: [email, embeddedWallet] })
    const { siwe, byEmail } = await linked({
      accounts: [email, embeddedWallet],
      routes: { [paths.authenticate]: { body: await sessionBody(testClock(), { user }) } },
    })
    await byEmail()
    await siwe.generateMessage({ address: walletAddress })
    await expect(siwe.link({ signature: '0x1' })).rejects.toMatchObject({
      shortMessage: 'Cannot link or login with embedded wallet',
    })
  })
})
