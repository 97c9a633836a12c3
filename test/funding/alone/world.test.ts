/** Transfers and bridges with the demo's own wallets, chains and bridge: a balance rises there, and nothing is simulated in between. */
import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { createTestClient, type Hex, http, parseEther, parseUnits, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Anvil } from '../../../demo/world/chains/anvil.ts'
import { createEthereumWallet } from '../../../demo/world/wallet/ethereum.ts'
import { createSolanaWallet } from '../../../demo/world/wallet/solana.ts'
import type { HostConfig } from '../../../src/app/config.ts'
import { createTranslate } from '../../../src/copy/copy.ts'
import type { FundWalletOptions } from '../../../src/kit/api.ts'
import type { KitContext } from '../../../src/kit/context.ts'
import { fundWallet } from '../../../src/kit/host/funding.ts'
import * as fundingTransfer from '../../../src/kit/host/funding-transfer.ts'
import type { BridgeDeposit } from '../../../src/lib/bridge-deposits.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import type { FundingSettings } from '../../../src/protocol/app-config.ts'
import { createExternalWallets } from '../../../src/wallets/external/external.ts'
import { appId } from '../../support/connectors.ts'
import { embeddedKit, onSolana, walletAccount } from '../../support/embedded-kit.ts'
import { fundingSettings } from '../../support/funding-settings.ts'
import { type PaymentsWorld, startPayments } from '../../support/payments-world.ts'
import type { Step } from '../../support/person.ts'
import { browserTabs } from '../../support/tabs.ts'
import { announce } from '../../support/wallets.ts'

let world: PaymentsWorld
let app: Hono
beforeAll(async () => {
  world = await startPayments('http://bridge.example')
  app = new Hono().route('/', world.bridge.app)
  deposits.push({ address: world.treasury.address, functions: ['transfer'] })
})
afterAll(() => world?.close())

const deposits: BridgeDeposit[] = []
const settings: FundingSettings = {
  ...fundingSettings,
  chain: 'eip155:8453',
  bridging: true,
  bridge: {
    url: 'http://bridge.example',
    testnetUrl: 'http://bridge.example',
    protocol: 'quote',
    deposits,
  },
}
const clientOf = ({ url }: Anvil) =>
  createTestClient({ mode: 'anvil', transport: http(url), pollingInterval: 20 }).extend(publicActions)
/** The networks move by themselves, so time does as well; a script only looks again a little later. */
const clock = {
  ...systemClock,
  advance: (ms: number) => systemClock.sleep(Math.min(ms, 150)),
  leap: async () => {},
  sleeping: 0,
}

async function setUp() {
  const chain = (id: number, name: string, url: string) => ({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const host: HostConfig = {
    supportedChains: [chain(1, 'Ethereum', world.ethereum.url), chain(8453, 'Base', world.base.url)],
    solanaClusters: [{ name: 'mainnet-beta', rpcUrl: world.solana.url }],
  }
  const address = privateKeyToAddress(generatePrivateKey())
  const owned = createSolanaWallet({ secretKey: randomBytes(32).toString('hex'), name: 'Own' }).address
  const ask = async (url: string, init?: RequestInit) =>
    url.startsWith('http://bridge.example')
      ? app.request(url.slice('http://bridge.example'.length), init)
      : fetch(url, init)
  const storage = memoryStorage()
  const kit = embeddedKit({
    wallets: [walletAccount({ address }), { ...onSolana, address: owned }],
    host,
    fetch: ask,
    clock: clock as never,
    storage,
  })
  const privateKey = generatePrivateKey()
  const secretKey = randomBytes(32).toString('hex')
  const metamask = createEthereumWallet({
    privateKey,
    chains: { 1: world.ethereum.url, 8453: world.base.url },
    name: 'MetaMask',
    rdns: 'io.metamask',
  })
  const phantom = createSolanaWallet({ secretKey, name: 'Phantom' })
  announce(metamask)
  announce(phantom)
  const config = () => kit.hostContext.app.known()
  const external = createExternalWallets({
    appId,
    app: () => config().app,
    config,
    page: kit.page,
    clock,
    serverNow: clock.now,
    storage,
    tabs: browserTabs().open(),
  })
  const known = () => ({ ...config(), app: { ...config().app, funding: settings } })
  const context = {
    ...kit.hostContext,
    appId,
    storage,
    fetch: ask,
    app: { ...kit.hostContext.app, known },
    services: async () => ({ wallets: { external: async () => external } }),
    flow: (stage: never) => ({ ...kit.hostContext.flow(stage), config: known(), t: createTranslate({}) }),
  } as unknown as KitContext
  kit.login()
  for (const chains of [['ethereum'], ['solana']] as const) {
    const offers = await external.offers({ chains, all: true })
    const offer = offers.find(({ reach }) => reach === 'here')
    if (offer) await external.connect(offer)
  }
  return {
    ...kit,
    address,
    owned,
    payer: privateKeyToAddress(privateKey),
    solanaPayer: phantom.address,
    metamask,
    async open(options: FundWalletOptions, script: readonly Step[]) {
      const work = fundWallet(
        context,
        kit.sending,
        { defaultMethod: 'wallet', ...options },
        { transfer: async () => fundingTransfer },
      ).then(
        (value) => ({ value, error: undefined }),
        (error: { code: string }) => ({ value: undefined, error }),
      )
      await kit.person.follow(script)
      return work
    },
  }
}
const pay = (name: string, type: string, chainType: string, address: string, amount: string): Step[] => [
  ['transfer-wallet', { connected: `${name} ${type} ${chainType} ${address}` }],
  ['funding-amount', { amount }],
]
const byMetamask = (address: string, amount: string) =>
  pay('metamask', 'injected', 'ethereum', address, amount)
const byPhantom = (address: string, amount: string) =>
  pay('phantom', 'solana_adapter', 'solana', address, amount)
const confirm: Step = ['bridge-confirm', 'confirm']

test('on the chains: ether of a wallet that is switched to Base arrives there', async () => {
  const { open, payer, address, activity } = await setUp()
  await clientOf(world.base).setBalance({ address: payer, value: parseEther('1') })
  const { value, error } = await open({}, byMetamask(payer, '0.02'))
  expect(error).toBeUndefined()
  expect(value).toMatchObject({ method: 'wallet', status: 'confirmed', address, amount: '0.02' })
  expect(await clientOf(world.base).getBalance({ address })).toBe(parseEther('0.02'))
  expect(activity.get()).toMatchObject([{ chain: 'eip155:8453', status: 'confirmed', to: address }])
}, 60_000)

test('on the chains: USDC arrives as USDC', async () => {
  const { open, payer, address } = await setUp()
  await clientOf(world.base).setBalance({ address: payer, value: parseEther('1') })
  await world.treasury.deliver({ chain: 'eip155:8453', symbol: 'USDC', address: payer, amount: 90_000_000n })
  const { value } = await open({ asset: 'USDC', amount: '25' }, byMetamask(payer, '25'))
  expect(value).toMatchObject({ status: 'confirmed', amount: '25', symbol: 'USDC' })
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}` as Hex
  const found = await clientOf(world.base).call({ to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', data })
  expect(BigInt(found.data ?? 0)).toBe(25_000_000n)
}, 60_000)

test('on the chains: SOL arrives on Solana', async () => {
  const { open, solanaPayer, owned } = await setUp()
  await world.treasury.deliver({
    chain: 'solana:mainnet',
    symbol: 'SOL',
    address: solanaPayer,
    amount: 3_000_000_000n,
  })
  const { value, error } = await open(
    { chain: 'solana:mainnet', amount: '0.5' },
    byPhantom(solanaPayer, '0.5'),
  )
  expect(error).toBeUndefined()
  expect(value).toMatchObject({ status: 'confirmed', amount: '0.5', symbol: 'SOL' })
  expect(await world.lamportsOf(owned)).toBe(500_000_000n)
}, 60_000)

test('on the chains: USDC of Solana arrives in an account that the wallet pays for', async () => {
  const { open, solanaPayer } = await setUp()
  await world.treasury.deliver({
    chain: 'solana:mainnet',
    symbol: 'SOL',
    address: solanaPayer,
    amount: 3_000_000_000n,
  })
  await world.treasury.deliver({
    chain: 'solana:mainnet',
    symbol: 'USDC',
    address: solanaPayer,
    amount: 9_000_000n,
  })
  const { value } = await open(
    { chain: 'solana:mainnet', asset: 'USDC', amount: '4' },
    byPhantom(solanaPayer, '4'),
  )
  expect(value).toMatchObject({ status: 'confirmed', amount: '4', symbol: 'USDC' })
}, 60_000)

test('on the chains: ether of Ethereum is bridged to Base', async () => {
  const { open, payer, address } = await setUp()
  await clientOf(world.ethereum).setBalance({ address: payer, value: parseEther('1') })
  const { value, error } = await open({}, [...byMetamask(payer, '0.02'), confirm])
  expect(error).toBeUndefined()
  expect(value).toMatchObject({ status: 'confirmed', amount: '0.02' })
  expect(await clientOf(world.base).getBalance({ address })).toBe(parseEther('0.02'))
}, 60_000)

test('on the chains: USDC of Ethereum is bridged after an allowance of exactly that much', async () => {
  const { open, payer, metamask } = await setUp()
  await clientOf(world.ethereum).setBalance({ address: payer, value: parseEther('0.001') })
  await world.treasury.deliver({ chain: 'eip155:1', symbol: 'USDC', address: payer, amount: 90_000_000n })
  const { value, error } = await open({ asset: 'USDC', amount: '20' }, [...byMetamask(payer, '20'), confirm])
  expect(error).toBeUndefined()
  expect(value).toMatchObject({ status: 'confirmed', amount: '20', symbol: 'USDC' })
  const sent = metamask.control.calls.filter(({ method }) => method === 'eth_sendTransaction')
  expect(sent).toHaveLength(2)
}, 60_000)

test('on the chains: ether of Ethereum arrives as SOL', async () => {
  const { open, payer, owned } = await setUp()
  await clientOf(world.ethereum).setBalance({ address: payer, value: parseEther('2') })
  const { value, error } = await open({ chain: 'solana:mainnet', amount: '0.5' }, [
    ...byMetamask(payer, '0.5'),
    confirm,
  ])
  expect(error).toBeUndefined()
  expect(value).toMatchObject({ status: 'confirmed', amount: '0.5', symbol: 'SOL' })
  expect(await world.lamportsOf(owned)).toBe(500_000_000n)
}, 60_000)

test('on the chains: SOL arrives as ether on Base, after the transaction was run', async () => {
  const { open, solanaPayer, address } = await setUp()
  await world.treasury.deliver({
    chain: 'solana:mainnet',
    symbol: 'SOL',
    address: solanaPayer,
    amount: 50_000_000_000n,
  })
  const { value, error } = await open({}, [...byPhantom(solanaPayer, '0.02'), confirm])
  expect(error).toBeUndefined()
  expect(value).toMatchObject({ status: 'confirmed', amount: '0.02', symbol: 'ETH' })
  expect(await clientOf(world.base).getBalance({ address })).toBe(parseEther('0.02'))
}, 60_000)

test('on the chains: SOL of a wallet pays for USDC on Solana itself', async () => {
  const { open, solanaPayer, owned, activity } = await setUp()
  const sol = { chain: 'solana:mainnet', symbol: 'SOL', address: solanaPayer, amount: 3_000_000_000n }
  await world.treasury.deliver(sol)
  const { value, error } = await open({ chain: 'solana:mainnet', asset: 'USDC', amount: '4' }, [
    ...byPhantom(solanaPayer, '4'),
    {
      on: 'bridge-confirm',
      expect: (props) => expect(props).toMatchObject({ receives: '4 USDC', symbol: 'SOL', to: 'Solana' }),
      answer: 'confirm',
    },
  ])
  expect(error).toBeUndefined()
  expect(value).toMatchObject({ status: 'confirmed', amount: '4', symbol: 'USDC' })
  expect(await world.solanaUsdcOf(owned)).toBe('4000000')
  expect(activity.get()).toMatchObject([
    { chain: 'solana:mainnet', wallet: solanaPayer, status: 'confirmed' },
  ])
}, 60_000)

test('on the chains: USDC of a wallet pays for SOL on Solana itself, and takes no more than was shown', async () => {
  const { open, solanaPayer, owned } = await setUp()
  const to = { chain: 'solana:mainnet', address: solanaPayer } as const
  // Too little to send on, and enough for the fee.
  await world.treasury.deliver({ ...to, symbol: 'SOL', amount: 20_000_000n })
  await world.treasury.deliver({ ...to, symbol: 'USDC', amount: 900_000_000n })
  let shown = ''
  const { value, error } = await open({ chain: 'solana:mainnet', amount: '0.5' }, [
    ...byPhantom(solanaPayer, '0.5'),
    {
      on: 'bridge-confirm',
      expect: ({ pays }) => {
        shown = String(pays)
      },
      answer: 'confirm',
    },
  ])
  expect(error).toBeUndefined()
  expect(value).toMatchObject({ status: 'confirmed', amount: '0.5', symbol: 'SOL' })
  expect(await world.lamportsOf(owned)).toBe(500_000_000n)
  const paid = parseUnits(shown.replace(' USDC', ''), 6)
  expect(await world.solanaUsdcOf(solanaPayer)).toBe(String(900_000_000n - paid))
}, 60_000)

test('on the chains: what the bridge refunds is back in the wallet, and the user is told', async () => {
  const { open, payer, address, told } = await setUp()
  await clientOf(world.ethereum).setBalance({ address: payer, value: parseEther('1') })
  world.bridge.setOutcome('refund')
  const { error } = await open({}, [
    ...byMetamask(payer, '0.02'),
    confirm,
    {
      on: 'transfer-failed',
      expect: (props) => expect(props.title).toBe('Transfer from Ethereum came back: 0.0201 ETH'),
      close: true,
    },
  ])
  world.bridge.setOutcome('success')
  expect(error?.code).toBe('transaction_failure')
  expect(told.map(({ code }) => code)).toEqual(['transaction_failure'])
  expect(await clientOf(world.base).getBalance({ address })).toBe(0n)
  expect(await clientOf(world.ethereum).getBalance({ address: payer })).toBeGreaterThan(parseEther('0.999'))
}, 60_000)
