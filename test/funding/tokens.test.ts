/** Tokens beside coins and USDC: which ones the app lets pages name, how they are received, and what can't be done with them. */

import { encodeAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import '../../src/ethereum/rpc.ts'
import { type HostConfig, resolveConfig } from '../../src/app/config.ts'
import { sourcesFor } from '../../src/funding/bridge/networks.ts'
import { soldAsset } from '../../src/funding/card/quotes.ts'
import { paymentLink } from '../../src/funding/receive/payment-link.ts'
import { readFundingToken } from '../../src/funding/target.ts'
import type { FundWalletOptions } from '../../src/kit/api.ts'
import { fundWallet } from '../../src/kit/host/funding.ts'
import type { FundingSettings } from '../../src/protocol/app-config.ts'
import { fakeNode } from '../support/chain-node.ts'
import { ethereumAccount } from '../support/embedded-kit.ts'
import { fundingSettings } from '../support/funding-settings.ts'
import type { Step } from '../support/person.ts'
import { fundingKit } from './funding-kit.ts'

const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
const settings: FundingSettings = {
  ...fundingSettings,
  methods: ['external', 'moonpay'],
  tokens: [
    { chain: 'eip155:1', address: DAI },
    { chain: 'solana:mainnet', address: BONK },
  ],
  providers: [{ id: 'moonpay', name: 'MoonPay', methods: ['card'], isSandbox: true }],
}

describe('which tokens', () => {
  test.each<[Pick<FundWalletOptions, 'asset' | 'chain'>, string | undefined]>([
    [{}, undefined],
    [{ asset: 'USDC' }, undefined],
    [{ asset: 'native-currency' }, undefined],
    [{ asset: DAI }, DAI],
    [{ asset: DAI.toLowerCase() }, DAI],
    [{ asset: { erc20: DAI }, chain: 'eip155:1' }, DAI],
    [{ asset: BONK, chain: 'solana:mainnet' }, BONK],
  ])('token: %j is read as %s', (choice, address) => {
    expect(readFundingToken(settings, choice)?.address).toBe(address)
  })

  test.each<[Pick<FundWalletOptions, 'asset' | 'chain'>]>([
    [{ asset: DAI, chain: 'eip155:8453' }],
    [{ asset: BONK }],
    [{ asset: ethereumAccount.address }],
    [{ asset: 'DAI' }],
    [{ asset: '' }],
    [{ asset: { erc20: 'x' } }],
    [{ asset: {} as never }],
    [{ asset: 7 as never }],
  ])('token: %j is refused, since the app does not name it there', (choice) => {
    expect(() => readFundingToken(settings, choice)).toThrow('Invalid funding data')
  })
})

const words = (text: string) => ({ result: encodeAbiParameters([{ type: 'string' }], [text]) })
const number = (value: bigint) => ({ result: `0x${value.toString(16).padStart(64, '0')}` })

function setUp({ isToken = true, over = {} }: { isToken?: boolean; over?: Partial<FundingSettings> } = {}) {
  let balance = 5n * 10n ** 18n
  let isDown = false
  const node = fakeNode({
    eth_getBalance: () => ({ result: '0x5' }),
    eth_call([{ data }]: [{ data: string }]) {
      if (isDown) throw new TypeError('Failed to fetch')
      if (!isToken) return { result: '0x' }
      if (data.startsWith('0x95d89b41')) return words('DAI')
      if (data.startsWith('0x06fdde03')) return words('Dai Stablecoin')
      return number(data.startsWith('0x313ce567') ? 18n : balance)
    },
  } as never)
  const host: HostConfig = { rpcConfig: { rpcUrls: { 1: 'https://node.example/1' } } }
  const server = { call: async () => ({ purchases: [] }) }
  const kit = fundingKit({ funding: { ...settings, ...over }, server, host, fetch: node.fetch })
  kit.login()
  return {
    ...kit,
    arrive(amount: bigint) {
      balance += amount
    },
    fail() {
      isDown = true
    },
    open: (options: FundWalletOptions, script: readonly Step[]) =>
      kit.run(fundWallet(kit.context, kit.sending, { asset: DAI, ...options }), script),
  }
}

test('token: it is received by a link with contract and whole number of units, until its balance rises', async () => {
  const { open, arrive } = setUp()
  const { value, error } = await open({ amount: '2.5' }, [
    {
      on: 'funding-method',
      expect: ({ methods, target }) => {
        expect(methods).toEqual(['manual'])
        expect(target).toMatchObject({ symbol: 'DAI', decimals: 18, token: DAI, asset: DAI })
      },
      answer: 'manual',
    },
    {
      on: 'receive-funds',
      expect({ link }) {
        expect(link).toBe(
          `ethereum:${DAI}@1/transfer?address=${ethereumAccount.address}&uint256=2500000000000000000`,
        )
      },
    },
    {
      on: 'receive-funds',
      expect: () => arrive(25n * 10n ** 17n),
    },
    { wait: 2_000 },
    ['receive-funds', 'continue'],
  ])
  expect(error).toBeUndefined()
  expect(value).toMatchObject({ method: 'manual', asset: DAI, symbol: 'DAI', amount: '2.5' })
})

test('token: a provider that is asked for it by the page is refused, with the reason', async () => {
  const { open, person } = setUp()
  const { error } = await open({ defaultMethod: 'card' }, [])
  expect(error).toMatchObject({ code: 'not_supported', shortMessage: 'Invalid funding data' })
  expect(error?.details).toBe('No provider sells this token')
  expect(person.trace()).toEqual([])
  const onlySold = setUp({ over: { methods: ['moonpay'] } })
  expect((await onlySold.open({}, [])).error?.code).toBe('not_supported')
  expect(() => soldAsset(DAI)).toThrow('Invalid funding data')
})

test('token: an address without a token, and a network that is down, are told as such', async () => {
  const none = await setUp({ isToken: false }).open({}, [])
  expect(none.error).toMatchObject({
    code: 'invalid_configuration',
    shortMessage: 'Unable to fetch token details',
  })
  const down = setUp()
  down.fail()
  expect((await down.open({}, [{ wait: 60_000 }])).error).toMatchObject({
    code: 'network_unavailable',
    shortMessage: 'Unable to fetch token details',
  })
})

test('token: more decimals than it has make no amount', async () => {
  const { error } = await setUp().open({ amount: `0.${'0'.repeat(18)}1` }, [])
  expect(error).toMatchObject({ code: 'invalid_request_arguments', shortMessage: 'Invalid funding data' })
})

test('token: on Solana its link has the mint and whole units', () => {
  const target = {
    address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
    chain: 'solana:mainnet',
    network: 'Solana',
    chainType: 'solana',
    asset: BONK,
    token: BONK,
    symbol: 'BONK',
    decimals: 5,
    amount: 250_000n,
  } as const
  expect(paymentLink(target, 'ref')).toBe(
    `solana:${target.address}?amount=2.5&spl-token=${BONK}&reference=ref`,
  )
})

test('token: wallets pay with the token itself, and with a bridge by coins and USDC', () => {
  const config = resolveConfig({}, { name: 'Harbor', loginMethods: new Set() } as never)
  const target = {
    address: ethereumAccount.address,
    chain: 'eip155:1',
    network: 'Ethereum',
    chainType: 'ethereum',
    asset: DAI,
    token: DAI,
    symbol: 'DAI',
    decimals: 18,
  } as const
  const names = (hasBridge: boolean) =>
    sourcesFor(config, target, 'ethereum', hasBridge).map(({ chain, symbol }) => `${chain} ${symbol}`)
  expect(names(false)).toEqual(['eip155:1 DAI'])
  expect(names(true)[0]).toBe('eip155:1 DAI')
  expect(names(true)).toEqual(expect.arrayContaining(['eip155:1 ETH', 'eip155:1 USDC', 'eip155:8453 ETH']))
})
