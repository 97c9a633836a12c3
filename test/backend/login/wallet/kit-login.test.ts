import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../../src/lib/clock.ts'
import { memoryStorage } from '../../../../src/lib/storage.ts'
import { createStore } from '../../../../src/lib/store.ts'
import type { FlowState } from '../../../../src/login/flow-state.ts'
import type { AuthContext } from '../../../../src/login/service-context.ts'
import { createSiweAuth } from '../../../../src/login/wallet/siwe.ts'
import { createSiwsAuth } from '../../../../src/login/wallet/siws.ts'
import { createHttp, type Http } from '../../../../src/protocol/http.ts'
import { transferOf } from '../../../../src/protocol/transfer.ts'
import { createSession } from '../../../../src/session/session.ts'
import { createTokens } from '../../../../src/session/tokens.ts'
import { testPage } from '../../../support/page.ts'
import { browserTabs } from '../../../support/tabs.ts'
import { Client } from '../../support/client.ts'
import { apiUrl, site, startWorld, stores, type World } from '../../support/world.ts'

const appId = 'latchkey-test-signin-0001'
const otherApp = 'latchkey-test-signin-0002'
const app = (id: string) => ({
  id,
  clientIds: [],
  name: 'Sign in',
  accentColor: '#5B5BD6',
  allowedDomains: ['http://localhost:*'],
  methods: ['wallet', 'solana-wallet', 'email'] as const,
})

describe.each(stores)('the kit’s own sign-in with a wallet, on $name', (store) => {
  let world: World
  beforeAll(async () => {
    const moreApps = [appId, otherApp].map((id) => ({ ...app(id), methods: [...app(id).methods] }))
    world = await startWorld(store, { moreApps, outside: { chainRpcUrls: {} } })
  })
  afterAll(() => world.stop())

  /** A page of the app in a browser of its own, with what the kit has for wallets. */
  function browser(id = appId, origin = site) {
    const client = new Client(world, { appId: id, kit: true, origin })
    const clock = { now: () => world.clock.now, sleep: systemClock.sleep }
    const storage = memoryStorage()
    const tokens = createTokens({ appId: id, storage, clock })
    const tab = browserTabs().open()
    const session = createSession({ tokens, shared: tab, tabs: tab, http: () => http, clock })
    const http: Http = createHttp({
      base: apiUrl,
      appId: id,
      clientId: undefined,
      analyticsId: () => '',
      tokens: () => session,
      clock,
      async fetch(input, init = {}) {
        const { cookie, origin, ...browserOnly } = client.headers()
        const headers = { ...browserOnly, ...(cookie && { cookie }), ...(origin && { origin }) }
        const answer = await client.request(new URL(input).pathname, {
          ...init,
          headers: { ...headers, ...(init.headers as Record<string, string>) },
        })
        return new Response(answer.text, { status: answer.status, headers: answer.headers })
      },
    })
    const cx = {
      appId: id,
      session,
      clock,
      storage,
      tabStorage: memoryStorage(),
      page: testPage({ origin }),
      http: () => http,
      state: () => createStore<FlowState>({ status: 'initial' }),
      onLogin() {},
      track() {},
    } as unknown as AuthContext
    return { session, siwe: createSiweAuth(cx), siws: createSiwsAuth(cx) }
  }
  const ethereum = () => privateKeyToAccount(generatePrivateKey())
  const solana = () => {
    const secret = ed25519.utils.randomSecretKey()
    const sign = (text: string) =>
      Buffer.from(ed25519.sign(new TextEncoder().encode(text), secret)).toString('base64')
    return { address: base58.encode(ed25519.getPublicKey(secret)), sign }
  }
  const injected = { walletClientType: 'metamask', connectorType: 'injected' }

  async function loginWith({ siwe }: ReturnType<typeof browser>, wallet = ethereum(), chainId = 'eip155:1') {
    const message = await siwe.generateMessage({ address: wallet.address, chainId })
    return siwe.login({ signature: await wallet.signMessage({ message }), ...injected })
  }

  test('an Ethereum wallet makes a user, and finds them again on any chain', async () => {
    const wallet = ethereum()
    const first = await loginWith(browser(), wallet)
    expect(first).toMatchObject({ isNewUser: true, method: 'siwe', account: { address: wallet.address } })
    const again = await loginWith(browser(), wallet, 'eip155:8453')
    expect([again.isNewUser, again.user.id]).toEqual([false, first.user.id])
  })

  test('a Solana wallet does', async () => {
    const wallet = solana()
    const login = async ({ siws }: ReturnType<typeof browser>) => {
      const message = await siws.generateMessage({ address: wallet.address })
      return siws.login({
        signature: wallet.sign(message),
        walletClientType: 'phantom',
        connectorType: 'solana_adapter',
      })
    }
    const first = await login(browser())
    expect(first).toMatchObject({ isNewUser: true, method: 'siws', account: { address: wallet.address } })
    expect(first.user.wallet).toMatchObject({ chainType: 'solana', walletClientType: 'phantom' })
    expect((await login(browser())).user.id).toBe(first.user.id)
  })

  test('a signature counts once, and only that of the wallet', async () => {
    const [wallet, thief] = [ethereum(), ethereum()]
    const here = browser()
    const message = await here.siwe.generateMessage({ address: wallet.address })
    const signature = await wallet.signMessage({ message })
    await here.siwe.login({ signature })
    await expect(browser().siwe.login({ signature, message })).rejects.toMatchObject({
      code: 'invalid_credentials',
    })
    const there = browser()
    const other = await there.siwe.generateMessage({ address: wallet.address })
    // Another key than that of the address: it could be a contract's, on a chain that somebody can ask.
    const forged = there.siwe.login({ signature: await thief.signMessage({ message: other }) })
    await expect(forged).rejects.toMatchObject({ code: 'not_supported' })
    expect(there.session.user.get()).toBeNull()
  })

  test('a message made on another page is refused', async () => {
    const wallet = ethereum()
    const message = await browser(appId, 'http://localhost:3999').siwe.generateMessage(wallet)
    const login = browser().siwe.login({ signature: await wallet.signMessage({ message }), message })
    await expect(login).rejects.toMatchObject({ code: 'invalid_credentials' })
  })

  test('a second wallet is linked, taken off, and taken over', async () => {
    const here = browser()
    const { user } = await loginWith(here)
    const [ether, sol] = [ethereum(), solana()]
    const message = await here.siwe.generateMessage({ address: ether.address })
    const linked = await here.siwe.link({ signature: await ether.signMessage({ message }), ...injected })
    const forSolana = await here.siws.generateMessage({ address: sol.address })
    const both = await here.siws.link({ signature: sol.sign(forSolana), connectorType: 'solana_adapter' })
    expect([linked.user.linkedAccounts.length, both.user.linkedAccounts.length]).toEqual([2, 3])
    expect((await here.siws.unlink(sol.address)).linkedAccounts).toHaveLength(2)
    expect((await here.siwe.unlink(ether.address)).linkedAccounts).toHaveLength(1)

    const theirs = await loginWith(browser(), ether)
    expect(theirs.user.id).not.toBe(user.id)
    const once = await here.siwe.generateMessage({ address: ether.address })
    const refused = await here.siwe
      .link({ signature: await ether.signMessage({ message: once }), ...injected })
      .catch((cause) => cause)
    expect(refused).toMatchObject({ code: 'account_transfer_required' })
    const offer = transferOf(refused)
    expect(offer?.displayName).toBe(ether.address)
    const { address } = ether
    const moved = await here.siwe.transfer({
      nonce: offer?.nonce ?? '',
      address,
      chainId: 'eip155:1',
      ...injected,
    })
    expect([moved.user.id, moved.account]).toMatchObject([user.id, { address }])
    expect((await loginWith(browser(), ether)).user.id).toBe(user.id)
  })

  test('a page gets no forked session out of its cookie', async () => {
    const here = browser()
    const { user } = await loginWith(here)
    await expect(here.session.fork()).rejects.toMatchObject({ code: 'approval_required' })
    expect((await here.session.refreshUser())?.id).toBe(user.id)
  })
})

vi.spyOn(console, 'warn').mockImplementation(() => {})
