import { expect } from '@open-wc/testing'
import { anvilKeys, demoSeeds } from '../../../demo/world/wallet/accounts.ts'
import { createEthereumWallet } from '../../../demo/world/wallet/ethereum.ts'
import { createSolanaWallet } from '../../../demo/world/wallet/solana.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { pageOf } from '../../../src/lib/page.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { createTabs } from '../../../src/session/tabs.ts'
import type { ExternalContext, ExternalWallets } from '../../../src/wallets/external/connector.ts'
import { createExternalWallets } from '../../../src/wallets/external/external.ts'

const storage = memoryStorage()
const app = { raw: {}, loginMethods: new Set(['wallet', 'solana-wallet']) }
const context = {
  appId: 'latchkey-unit-test-app-01',
  app: () => app,
  config: () => ({ appName: 'Test', host: {}, app }),
  page: pageOf(() => window),
  clock: systemClock,
  serverNow: systemClock.now,
  storage,
  tabs: createTabs('latchkey-unit-test-app-01'),
} as unknown as ExternalContext

const chains = { 1: 'http://127.0.0.1:1', 8453: 'http://127.0.0.1:1' }
const ethereum = (name: string, rdns: string, key: 0 | 1, over: object = {}) =>
  createEthereumWallet({ privateKey: anvilKeys[key], chains, name, rdns, ...over })
const both = { chains: ['ethereum', 'solana'] } as const
const here = async (external: ExternalWallets) =>
  (await external.offers(both)).filter(({ reach }) => reach === 'here')

describe('wallets in a real page', () => {
  const ends: (() => void)[] = []
  const open = () => {
    const external = createExternalWallets(context)
    ends.push(() => external.close())
    return external
  }
  const announce = (wallet: { announce(target?: EventTarget, how?: object): () => void }, how?: object) =>
    void ends.push(wallet.announce(window, how))
  const errors: unknown[] = []
  const note = (event: ErrorEvent | PromiseRejectionEvent) => {
    errors.push('reason' in event ? event.reason : event.message)
    event.preventDefault()
  }
  before(() => {
    addEventListener('error', note)
    addEventListener('unhandledrejection', note)
  })
  after(() => {
    removeEventListener('error', note)
    removeEventListener('unhandledrejection', note)
  })
  afterEach(() => {
    for (const end of ends.splice(0)) end()
    expect(errors.splice(0)).to.deep.equal([])
  })

  it('are found side by side, connected, and taken up by the next page', async () => {
    const one = ethereum('MetaMask', 'io.metamask', 0)
    const other = ethereum('Rabby Wallet', 'io.rabby', 1)
    const solana = createSolanaWallet({ secretKey: demoSeeds[0], name: 'Phantom' })
    for (const wallet of [one, other, solana]) announce(wallet)
    const external = open()
    const offers = await here(external)
    expect(offers.map(({ meta }) => meta.id).sort()).to.deep.equal(['metamask', 'phantom', 'rabby_wallet'])
    for (const offer of offers) await external.connect(offer)
    expect(external.connected.get().map(({ address }) => address)).to.have.members([
      one.address,
      other.address,
      solana.address,
    ])
    for (const { connector, address } of external.connected.get())
      expect(await connector.sign({ address, message: 'hi' })).to.have.length.above(80)
    external.close()

    const next = open()
    await next.restore()
    expect(next.connected.get()).to.have.length(3)
    for (const account of next.connected.get()) await next.disconnect(account)
    expect(next.connected.get()).to.have.length(0)
  })

  it('that come late are reported', async () => {
    const external = open()
    const found = new Promise<void>((resolve) => ends.push(external.onFound(() => resolve())))
    announce(ethereum('Late', 'late.example', 0), { after: 800 })
    expect(await here(external)).to.have.length(0)
    await found
    expect((await here(external)).map(({ meta }) => meta.name)).to.deep.equal(['Late'])
  })

  it('of old, at window.ethereum, are found when they come late', async () => {
    const external = open()
    const found = new Promise<void>((resolve) => ends.push(external.onFound(() => resolve())))
    announce(ethereum('', 'old.example', 0, { flags: { isMetaMask: true } }), { legacy: 'only', after: 300 })
    await found
    expect((await here(external)).map(({ id }) => id)).to.deep.equal(['metamask'])
  })

  it('that announce nonsense break nothing', async () => {
    const external = open()
    for (const detail of [undefined, null, 7, {}, { info: null }, { info: { name: 'X' }, provider: null }])
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    dispatchEvent(new Event('eip6963:announceProvider'))
    announce(ethereum('MetaMask', 'io.metamask', 0))
    expect((await here(external)).map(({ id }) => id)).to.deep.equal(['metamask'])
  })

  it('with an icon that would act have one that can’t', async () => {
    Reflect.set(window, 'acted', 0)
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" onload="top.acted++"><script>top.acted++</script><image href="/x.png"/></svg>'
    const icon = `data:image/svg+xml,${encodeURIComponent(svg)}`
    announce(ethereum('Evil <img src=x onerror=acted++>', 'evil.example', 0, { icon }))
    const [offer] = await here(open())
    expect(offer?.meta.name).to.equal('Evil <img src=x onerror=acted++>')
    const image = new Image()
    image.src = offer?.meta.icon ?? ''
    document.body.append(image)
    await image.decode().catch(() => {})
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    image.remove()
    expect(Reflect.get(window, 'acted')).to.equal(0)
    expect(
      performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/x.png')),
    ).to.have.length(0)
  })
})
