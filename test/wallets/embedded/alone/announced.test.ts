import { getWallets } from '@wallet-standard/app'
import { createStore } from 'mipd'
import { beforeEach, describe, expect, test } from 'vitest'
import { reverseDomain } from '../../../../src/wallets/embedded/provider/announce.ts'
import { announcedIcon } from '../../../../src/wallets/embedded/provider/icon.ts'
import { createDiscovery } from '../../../../src/wallets/external/discovery.ts'
import { connectorContext } from '../../../support/connectors.ts'
import {
  embeddedKit,
  ethereumAccount,
  onSolana,
  secondAccount,
  smartAccount,
  walletAccount,
} from '../../../support/embedded-kit.ts'
import { testPage } from '../../../support/page.ts'

/** One window for all tests, as in a page: the libraries that find wallets hold on to the first that they have seen. */
const page = new EventTarget()
Reflect.set(globalThis, 'window', page)

let set: ReturnType<typeof embeddedKit>
beforeEach(() => {
  set?.kit.close()
  set = embeddedKit({ window: page, wallets: [walletAccount(), onSolana] })
})
const found = () => createStore().getProviders()
const solana = () => getWallets().get()

describe('libraries in the page', () => {
  test('find nothing before somebody is in', () => {
    expect([found(), solana()]).toEqual([[], []])
  })

  test('find the wallets under the app’s name, also those that ask later', async () => {
    const early = createStore()
    set.login()
    const late = createStore()
    for (const store of [early, late])
      expect(store.getProviders()).toMatchObject([
        {
          info: {
            name: 'Harbor',
            rdns: 'example.host.latchkey.latchkey-demo-recover-013',
            uuid: expect.stringMatching(/^[\da-f]{8}-/),
            icon: expect.stringMatching(/^data:image\//),
          },
        },
      ])
    const [own] = early.getProviders()
    expect(await own?.provider.request({ method: 'eth_requestAccounts' })).toEqual([ethereumAccount.address])
    expect(solana()).toMatchObject([{ name: 'Harbor', version: '1.0.0', chains: ['solana:mainnet'] }])
    expect(solana()[0]?.accounts.map(({ address }) => address)).toEqual([onSolana.address])
  })

  test('that come after a logout find nothing, and earlier ones are notified', async () => {
    const early = createStore()
    set.login()
    const [own] = early.getProviders()
    const heard: unknown[] = []
    own?.provider.on('accountsChanged', (accounts) => heard.push(accounts))
    own?.provider.on('disconnect', (error) => heard.push(error.code))
    const [wallet] = solana()
    set.logout()
    expect([found(), solana()]).toEqual([[], []])
    expect(heard).toEqual([[], 4900])
    expect(wallet?.accounts).toEqual([])
  })

  test('have the same provider again after the next login', async () => {
    const early = createStore()
    set.login()
    set.logout()
    set.login()
    expect(early.getProviders()).toHaveLength(1)
    expect(found()[0]?.provider).toBe(early.getProviders()[0]?.provider)
    expect(await early.getProviders()[0]?.provider.request({ method: 'eth_accounts' })).toHaveLength(1)
    expect(solana()).toHaveLength(1)
  })

  test('see all Ethereum accounts, the first one first, and hear of another one', async () => {
    set.login([walletAccount()])
    expect(solana()).toEqual([])
    const [own] = found()
    const heard: unknown[] = []
    own?.provider.on('accountsChanged', (accounts) => heard.push(accounts))
    set.login([walletAccount(), walletAccount({ address: secondAccount.address, walletIndex: 1 }), onSolana])
    expect(heard).toEqual([[ethereumAccount.address, secondAccount.address]])
    expect(await own?.provider.request({ method: 'eth_accounts' })).toEqual(heard[0])
    expect(solana()).toHaveLength(1)
  })

  test('find the smart wallets as a wallet of their own, also after a later login', async () => {
    const address = `0x${'ab'.repeat(20)}`
    const early = createStore()
    set.login([walletAccount(), smartAccount({ address, smartWalletType: 'light_account' })])
    const infos = found().map(({ info: { name, rdns } }) => [name, rdns])
    const rdns = 'example.host.latchkey.latchkey-demo-recover-013'
    expect(infos).toEqual([
      ['Harbor', rdns],
      ['Harbor smart wallet', `${rdns}.smart`],
    ])
    const kept = () => set.storage.get('lk:latchkey-demo-recover-013:announced-smart')
    expect(JSON.parse(kept() ?? '{}')).toMatchObject({ name: 'Harbor smart wallet', rdns: `${rdns}.smart` })
    const smart = early.getProviders().find(({ info }) => info.rdns.endsWith('.smart'))
    expect(await smart?.provider.request({ method: 'eth_requestAccounts' })).toEqual([address])
    const heard: unknown[] = []
    smart?.provider.on('disconnect', ({ code }) => heard.push(code))
    set.logout()
    expect([found(), heard]).toEqual([[], [4900]])
    set.login([walletAccount()])
    expect(found().map(({ info }) => info.name)).toEqual(['Harbor'])
    expect(kept()).toBeUndefined()
    await expect(smart?.provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({
      code: 4900,
    })
  })

  test('find nothing once the kit is destroyed', () => {
    set.login()
    set.kit.close()
    expect([found(), solana(), set.kit.wallets.get()]).toEqual([[], [], []])
  })
})

test('our own list of wallets outside does without them', async () => {
  set.login()
  const { cx } = connectorContext({}, { page: testPage({ window: page as Window }) })
  const discovery = createDiscovery(cx)
  discovery.begin().catch(() => {})
  expect(discovery.found.get()).toEqual([])
  discovery.close()
})

describe('the host', () => {
  test('sees the wallets as long as somebody is in; the same objects while nothing changes', () => {
    const heard: number[] = []
    set.kit.wallets.subscribe(() => heard.push(set.kit.wallets.get().length))
    set.login()
    const [first] = set.kit.wallets.get()
    expect(first).toMatchObject({
      address: ethereumAccount.address,
      chainType: 'ethereum',
      walletIndex: 0,
      imported: false,
    })
    set.login([walletAccount(), { ...onSolana, recoveryMethod: 'user-passcode' }])
    expect(set.kit.wallets.get()[0]).toBe(first)
    expect(set.kit.wallets.get()[1]?.recoveryMethod).toBe('user-passcode')
    expect(Object.isFrozen(first)).toBe(true)
    set.logout()
    expect(heard).toEqual([2, 2, 0])
  })

  test('has a provider for each wallet, that opens this one alone', async () => {
    set.login([walletAccount(), walletAccount({ address: secondAccount.address, walletIndex: 1 })])
    expect(await set.provider(1).request({ method: 'eth_accounts' })).toEqual([secondAccount.address])
    expect(set.provider(1)).toBe(set.provider(1))
    const other = set
      .provider(1)
      .request({ method: 'personal_sign', params: ['Hello', ethereumAccount.address] })
    await expect(other).rejects.toMatchObject({ code: 4100 })
  })

  test('moves one wallet to another chain, and the others stay', async () => {
    set.login([walletAccount(), walletAccount({ address: secondAccount.address, walletIndex: 1 })])
    await set.provider(1).request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2105' }] })
    const chains = await Promise.all([0, 1].map((at) => set.provider(at).request({ method: 'eth_chainId' })))
    expect(chains).toEqual(['0x1', '0x2105'])
  })
})

test.each([
  ['https://app.harbor.example', 'com', 'example.harbor.app.latchkey.com'],
  ['https://app.harbor.example:8443', 'A_b c', 'example.harbor.app.latchkey.a-b-c'],
  ['http://localhost:4100', 'app', 'localhost.latchkey.app'],
  ['http://127.0.0.1:4100', 'app', 'localhost.latchkey.app'],
  ['http://192.168.1.7', 'app', 'localhost.latchkey.app'],
  ['http://[::1]:80', '---', 'localhost.latchkey.app'],
])('%s with the app %s is %s', (origin, appId, rdns) => {
  expect(reverseDomain(origin, appId)).toBe(rdns)
})

describe('the picture', () => {
  test('is the logo, where that is one in itself', () => {
    expect(announcedIcon('data:image/png;base64,iVBORw==')).toBe('data:image/png;base64,iVBORw==')
    expect(atob(announcedIcon('data:image/svg+xml,%3Csvg/%3E').split(',')[1] ?? '')).toBe('<svg/>')
    expect(announcedIcon('data:image/svg+xml;charset=utf-8;base64,AAAA')).toBe(
      'data:image/svg+xml;base64,AAAA',
    )
  })
  test.each([
    undefined,
    'https://logo.example/logo.png',
    'data:text/html,x',
    'data:image/svg+xml,%',
    `data:image/png;base64,${'A'.repeat(70_000)}`,
  ])('is ours otherwise', (logo) => {
    expect(atob(announcedIcon(logo).split(',')[1] ?? '')).toMatch(/^<svg/)
  })
})
