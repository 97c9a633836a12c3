/** Giving a permission in the vault's window, against the server itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppSettings } from '../../../demo/backend/settings/app.ts'
import { Closed } from '../../../src/dialog/stage.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { limits } from '../../../src/lib/limits.ts'
import { frameEvents, recoveryMethods } from '../../../src/protocol/frame/calls.ts'
import { grant } from '../../../src/vault/approval/grant/flow.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { createVault } from '../../../src/vault/entry/vault.ts'
import { readToken } from '../../../src/vault/token.ts'
import { createWallet } from '../../../src/vault/wallets/create-wallet.ts'
import { newIp } from '../../backend/support/client.ts'
import { Vault } from '../../backend/support/embedded-world.ts'
import { startFakeChain } from '../../backend/support/fake-chain.ts'
import { createActing, SignerKey, verdictOf } from '../../backend/support/grants-world.ts'
import { apiUrl, site, startWorld, stores, vaultOrigin, type World } from '../../backend/support/world.ts'
import { limit } from '../../support/limit.ts'
import { approvalOf } from '../support/approval.ts'
import { createDevice, partsOf, settings } from '../support/device.ts'

const signer = new SignerKey()
const friend = '0x2222222222222222222222222222222222222222'
const app: AppSettings = {
  id: 'latchkey-test-permission1',
  name: 'Harbor',
  allowedDomains: [site],
  permissions: [
    {
      id: 'daily',
      signer: { name: 'Night watch', publicKey: signer.pem },
      purpose: 'Pays for your mooring',
      allow: [
        { chain: 'eip155:1', transfer: 'native', to: [friend] },
        { chain: 'solana:mainnet', transfer: 'native' },
      ],
      limits: [
        {
          chain: 'eip155:1',
          asset: 'native',
          symbol: 'ETH',
          decimals: 18,
          perTransaction: '0.5',
          perWindow: '1',
          windowSeconds: 86_400,
          total: '3',
        },
        {
          chain: 'solana:mainnet',
          asset: 'native',
          symbol: 'SOL',
          decimals: 9,
          perTransaction: '1',
          perWindow: '2',
          windowSeconds: 43_200,
          total: '4',
        },
      ],
      days: 30,
      maxUses: 10,
      simulate: 'off',
    },
  ],
}
/** Its page asks its users by itself. */
const byPage: AppSettings = {
  ...app,
  id: 'latchkey-test-permission2',
  vault: 'compatible',
  grantsByPage: true,
}
/** A compatible app that leaves it to the vault's window. */
const byWindow: AppSettings = { ...app, id: 'latchkey-test-permission3', vault: 'compatible' }
const [store] = stores

describe('permissions in the vault’s window', { timeout: limit(60_000) }, () => {
  let world: World
  let node: Awaited<ReturnType<typeof startFakeChain>>
  beforeAll(async () => {
    node = await startFakeChain()
    world = await startWorld(store, {
      moreApps: [app, byPage, byWindow],
      outside: { chainRpcUrls: { 1: node.url }, solanaRpcUrls: {} },
      limits: { previewNodeTime: limit(20_000), previewComparison: 0 },
    })
  })
  afterAll(async () => {
    await world?.stop()
    node?.stop()
  })

  function openParts(of: AppSettings) {
    const ip = newIp()
    const clock: Clock = {
      now: () => world.clock.now,
      sleep: (ms, signal) => systemClock.sleep(ms >= limits.requestTimeout ? ms : ms / 100, signal),
    }
    const fetch = async (input: string, init: RequestInit = {}) => {
      const headers = { ...(init.headers as Record<string, string>), origin: vaultOrigin }
      const connection = { incoming: { socket: { remoteAddress: ip } } }
      return world.backend.api.request(new URL(input).href, { ...init, headers } as RequestInit, connection)
    }
    const vault = of.vault ?? 'strict'
    const own = { ...settings, appId: of.id, apiUrl, allowedOrigins: [site], vault }
    return { settings: own, fetch, clock, ...partsOf(createDevice()) }
  }
  async function withWallet(chainType: 'ethereum' | 'solana' = 'ethereum', of: AppSettings = app) {
    const login = await Vault.open(world, { appId: of.id })
    const text = login.token ?? ''
    const parts = openParts(of)
    const vault = createContext({ approves: true, ...parts })
    const token = readToken(text, of.id, world.clock.now)
    const address = await createWallet(vault, token, chainType, { method: recoveryMethods.automatic })
    const request = { root: { chainType, address }, chainType, walletIndex: 0, address }
    const ask = (more: object = {}) => approvalOf<'grant'>(vault, text, { ...request, ...more }, of.id)
    const frame = createVault(parts)
    /** As the page of an unmodified client sends it, once it has asked the user. */
    const consent = async (over: object = {}) => {
      const rootWallet = { address, chainType, imported: false }
      const delegatedWallets = [{ address, chainType, walletIndex: 0 }]
      const data = { accessToken: text, rootWallet, delegatedWallets, ...over }
      const answer = await frame.answer({ id: 'id-1', event: frameEvents.consentToGrants, data })
      return answer.error ?? answer.data
    }
    return { address, ask, consent, page: login.page() }
  }

  test('permission: the window shows who, what, how much at worst and until when, as the server says', async () => {
    const { address, ask } = await withWallet()
    const asked = ask()
    const done = grant(asked.cx)
    await asked.act({ on: 'give-permission' })
    const props = asked.seen.findLast(({ screen }) => screen === 'give-permission')
    expect(props?.place).toBe('window')
    expect(props?.props).toMatchObject({
      signer: 'Night watch',
      purpose: 'Pays for your mooring',
      address,
      networks: ['Ethereum', 'Solana'],
      allowed: [
        { label: 'Send ETH to (Ethereum)', places: [friend] },
        { label: 'Send SOL (Solana)', value: 'To anyone', places: [] },
      ],
      limits: [
        ['ETH (Ethereum) at once', '0.5 ETH'],
        ['ETH (Ethereum) in 1 day', '1 ETH'],
        ['SOL (Solana) at once', '1 SOL'],
        ['SOL (Solana) in 12 hours', '2 SOL'],
        ['Times in all', '10'],
      ],
      worst: ['3 ETH (Ethereum)', '4 SOL (Solana)'],
      days: 30,
    })
    await asked.act(['give-permission', 'cancel'])
    await expect(done).rejects.toBeInstanceOf(Closed)
  })

  test.each(['ethereum', 'solana'] as const)(
    'permission: accepted for a wallet of %s, it lets the server act, and is asked about once',
    async (chainType) => {
      const { address, ask, page } = await withWallet(chainType)
      const asked = ask()
      const done = grant(asked.cx)
      await asked.act(['give-permission', 'accept'])
      const { id, expiresAt } = await done
      expect(expiresAt).toBe(Math.floor(world.clock.now / 1_000) + 30 * 86_400)
      expect(asked.risks).toEqual(['high'])
      const { body } = await page.get('grants')
      expect(body.grants[0]).toMatchObject({ id, address, status: 'active', signer: { name: 'Night watch' } })
      const acting = createActing(world, app.id, signer)
      if (chainType === 'ethereum')
        expect(verdictOf(await acting.send(id, { to: friend, value: '1' }))).toBe('ok')
      const again = grant(ask().cx)
      await expect(again).rejects.toMatchObject({ type: 'already_delegated' })
      expect((await page.post('wallets/revoke')).status).toBe(200)
      expect(verdictOf(await acting.send(id, { to: friend, value: '1' }))).toBe('ended')
    },
  )

  test('consent of an unmodified client: the page of a compatible app lets the server act, within the app’s first permission', async () => {
    const { address, consent, page } = await withWallet('ethereum', byPage)
    expect(await consent()).toEqual({ success: true })
    const { body } = await page.get('grants')
    expect(body.grants).toMatchObject([{ address, status: 'active', signer: { name: 'Night watch' } }])
    const acting = createActing(world, byPage.id, signer)
    expect(verdictOf(await acting.send(body.grants[0].id, { to: friend, value: '1' }))).toBe('ok')
    expect(await consent()).toMatchObject({ type: 'already_delegated' })
  })

  test('consent of an unmodified client: a page gives nothing by itself in any other app, and lends no other wallet', async () => {
    const strict = await withWallet()
    expect(await strict.consent()).toMatchObject({ type: 'error' })
    expect((await strict.page.get('grants')).body.grants).toEqual([])
    const byVault = await withWallet('ethereum', byWindow)
    expect(await byVault.consent()).toMatchObject({ type: 'approval_required' })
    const { consent, address } = await withWallet('ethereum', byPage)
    for (const over of [
      { rootWallet: { address: 'nobody', chainType: 'ethereum' } },
      { delegatedWallets: [] },
      { delegatedWallets: [{ address: friend, chainType: 'ethereum', walletIndex: 0 }] },
      { delegatedWallets: [{ address, chainType: 'ethereum', walletIndex: -1 }] },
    ])
      expect(await consent(over)).toMatchObject({ type: 'invalid_request_arguments' })
  })

  test('permission: one that the app doesn’t have, and another wallet’s root, open no window', async () => {
    const { ask } = await withWallet()
    const unknown = ask({ permission: 'yearly' })
    await expect(grant(unknown.cx)).rejects.toMatchObject({ type: 'feature_not_enabled' })
    const other = ask({ address: friend })
    await expect(grant(other.cx)).rejects.toMatchObject({ type: 'invalid_request_arguments' })
    expect([...unknown.risks, ...other.risks]).toEqual([])
  })
})
