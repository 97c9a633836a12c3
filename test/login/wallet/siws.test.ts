import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/login/wallet/siws.ts'
import { readSiwsMessage } from '../../../demo/backend/login/siws/message.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { createRecentLogin } from '../../../src/session/recent-login.ts'
import { appId, sessionBody, wireUser } from '../../support/api.ts'
import { testClock } from '../../support/clock.ts'
import { codeOf } from '../../support/failure.ts'
import type { KitSetUp } from '../../support/kit.ts'
import { testPage } from '../../support/page.ts'
import { kitForSignIn } from '../../support/wallet-sign-in.ts'

const init = '/api/v1/siws/init'
const authenticate = '/api/v1/siws/authenticate'
const link = '/api/v1/siws/link'
const address = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g'
const wallet = {
  type: 'wallet',
  address,
  chain_type: 'solana',
  wallet_client_type: 'phantom',
  connector_type: 'solana_adapter',
  verified_at: 1_700_000_200,
}

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function setUp(more: KitSetUp = {}) {
  const set = await kitForSignIn('siws', wallet, more)
  return { ...set, siws: set.kit.siws }
}

describe('the message for a Solana wallet', () => {
  test('names the page, the wallet, the chain, the nonce and the time, to the letter', async () => {
    const { siws, api, clock } = await setUp({ page: testPage({ origin: 'https://host.example:8443' }) })
    const message = await siws.generateMessage({ address: ` ${address}\n` })
    const issuedAt = new Date(clock.now()).toISOString()
    expect(message).toBe(
      [
        'host.example:8443 wants you to sign in with your Solana account:',
        address,
        '',
        'By signing, you prove that you own this wallet and log in with it. Nothing is sent to the chain and no fee is charged.',
        '',
        'URI: https://host.example:8443',
        'Version: 1',
        'Chain ID: mainnet',
        'Nonce: nonce00000000001',
        `Issued At: ${issuedAt}`,
        'Resources:',
        '- urn:latchkey:sign-in',
      ].join('\n'),
    )
    expect(readSiwsMessage(message)).toMatchObject({ domain: 'host.example:8443', address })
    expect(api.to(init).map(({ body }) => body)).toEqual([{ address }])
  })

  test('is made once for twenty who ask at the same time', async () => {
    const { siws, api } = await setUp()
    const made = await Promise.all(Array.from({ length: 20 }, () => siws.generateMessage({ address })))
    expect([new Set(made).size, api.to(init).length]).toEqual([1, 1])
  })

  test.each([
    '',
    '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    `${address}A`,
    address.slice(2),
    '0'.repeat(44),
    null,
  ])('is not made for %j, and the server is not asked', async (bad) => {
    const { siws, api } = await setUp()
    expect(await codeOf(siws.generateMessage({ address: bad as string }))).toBe('invalid_data')
    expect(api.to(init)).toEqual([])
  })
  test('is not made on a page without an address', async () => {
    const { siws } = await setUp({ page: testPage({ origin: 'null' }) })
    expect(await codeOf(siws.generateMessage({ address }))).toBe('invalid_configuration')
  })
})

describe('logging in with a Solana wallet', () => {
  test('sends what was signed, tells how far it is, and gives the person', async () => {
    const storage = memoryStorage()
    const { siws, api, states, kit } = await setUp({ storage })
    const heard: unknown[] = []
    kit.on('login', ({ loginMethod, loginAccount }) => heard.push([loginMethod, loginAccount]))
    const message = await siws.generateMessage({ address })
    const user = await siws.login({
      signature: 'c2lnbmVk',
      walletClientType: 'phantom',
      connectorType: 'solana_adapter',
    })
    expect(states).toEqual(['generating-message', 'awaiting-signature', 'submitting-signature', 'done'])
    expect(api.to(authenticate)[0]?.body).toEqual({
      message,
      signature: 'c2lnbmVk',
      mode: 'login-or-sign-up',
      walletClientType: 'phantom',
      connectorType: 'solana_adapter',
    })
    expect(heard).toEqual([['siws', user.wallet]])
    expect(createRecentLogin(appId, storage).wallet()).toEqual({ clientType: 'phantom', chainType: 'solana' })
  })

  test('needs a message first', async () => {
    const { siws, api } = await setUp()
    await expect(siws.login({ signature: 'c2lnbmVk' })).rejects.toMatchObject({
      code: 'invalid_state',
      shortMessage: 'Must initialize SIWE/SIWS flow first.',
    })
    expect(api.to(authenticate)).toEqual([])
  })

  test('an Ethereum message is none of it', async () => {
    const { siws, kit } = await setUp({
      routes: { '/api/v1/siwe/init': { body: { nonce: 'abcdefgh12', address: '', expires_at: '' } } },
    })
    const message = await kit.siwe.generateMessage({ address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' })
    expect(await codeOf(siws.login({ signature: 'c2lnbmVk', message }))).toBe('invalid_data')
  })

  test.each(['invalid_credentials', 'linked_to_another_user', 'signup_disabled'])(
    'passes the server’s %s on, and the state has it',
    async (refused) => {
      const { siws } = await setUp({
        routes: { [authenticate]: { status: 400, body: { error: 'no', code: refused } } },
      })
      await siws.generateMessage({ address })
      expect(await codeOf(siws.login({ signature: 'c2lnbmVk' }))).toBe(refused)
      expect(siws.state.get()).toMatchObject({ status: 'error', error: { code: refused } })
    },
  )
})

test('a Solana wallet is linked to who is logged in, without a word on its chain', async () => {
  const other = { ...wallet, address: '5zCZ3jk8EZnJyG7fhDqD6tmqiYTLZjik5HUpGMnHrZfC' }
  const after = wireUser('did:privy:u1', { linked_accounts: [wallet, other] })
  const { siws, api } = await setUp({
    routes: {
      [link]: { body: after },
      '/api/v1/sessions': { body: await sessionBody(testClock(), { user: after }) },
    },
  })
  await siws.generateMessage({ address })
  await siws.login({ signature: 'c2lnbmVk' })
  const message = await siws.generateMessage({ address: other.address })
  const user = await siws.link({ signature: 'c2lnbmVk', connectorType: 'solana_adapter' })
  expect(user.linkedAccounts).toHaveLength(2)
  expect(api.to(link)[0]?.body).toEqual({
    message,
    signature: 'c2lnbmVk',
    walletClientType: null,
    connectorType: 'solana_adapter',
  })
})
