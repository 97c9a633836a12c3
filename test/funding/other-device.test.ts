/** Bridges that were started on another device, or in a tab that is closed: found by the server's memory, decided by the bridge alone. */
import { expect, test } from 'vitest'
import { openActivity } from '../../src/kit/host/activity.ts'
import { bridgedActivity } from '../../src/kit/host/bridges.ts'
import { fundWallet } from '../../src/kit/host/funding.ts'
import * as fundingTransfer from '../../src/kit/host/funding-transfer.ts'
import type { FundingSettings } from '../../src/protocol/app-config.ts'
import type { StoredBridge } from '../../src/protocol/bridges.ts'
import { fakeNode } from '../support/chain-node.ts'
import { ethereumAccount } from '../support/embedded-kit.ts'
import { fundingSettings } from '../support/funding-settings.ts'
import type { Step } from '../support/person.ts'
import { fundingKit } from './funding-kit.ts'

const requestId = `0x${'5e'.repeat(32)}`
const funding: FundingSettings = {
  ...fundingSettings,
  bridging: true,
  bridge: {
    url: 'https://bridge.example',
    testnetUrl: 'https://bridge.example',
    protocol: 'quote',
    deposits: undefined,
  },
}
const storedBridge: StoredBridge = {
  id: '5f2b6a50-4f3c-4a36-9d7e-7d4f6f2f8f11',
  requestId,
  address: ethereumAccount.address,
  chain: 'eip155:1',
  receives: { symbol: 'ETH', decimals: 18, amount: '20000000000000000' },
  wallet: {
    id: 'metamask',
    name: 'MetaMask',
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    chainType: 'ethereum',
  },
  from: 'eip155:8453',
  network: 'Base',
  pays: { symbol: 'ETH', decimals: 18, amount: '20100000000000000' },
  seconds: 2,
  status: 'open',
  startedAt: new Date('2026-01-01T00:00:00Z'),
}

type State = 'waiting' | 'pending' | 'success' | 'refund' | 'lost'

/** A device that has started nothing itself, the server's memory, and the bridge's states. */
function setUp(stored: readonly StoredBridge[] | 'lost', states: readonly State[]) {
  const node = fakeNode({
    eth_getBalance: () => ({ result: '0x5' }),
    eth_getTransactionReceipt: () => ({ result: { status: '0x1' } }),
  })
  const ended: unknown[] = []
  const asked: string[] = []
  const server = {
    async call({ method, path }: { method: string; path: string }, body: unknown) {
      if (method === 'GET') {
        if (stored === 'lost') throw new TypeError('Failed to fetch')
        return path === '/api/v1/funding/bridges' ? stored : { purchases: [] }
      }
      ended.push([path, body])
      return undefined
    },
  }
  const kit = fundingKit({
    funding,
    server,
    host: { rpcConfig: { rpcUrls: { 1: 'https://node.example/1' } } },
    fetch: async (url, init) => {
      if (!url.startsWith('https://bridge.example/')) return node.fetch(url, init)
      asked.push(url)
      const state = states[Math.min(asked.length, states.length) - 1]
      if (state === 'lost') throw new TypeError('Failed to fetch')
      const isPaid = state === 'success' || state === 'refund'
      return Response.json({
        status: state,
        inTxHashes: [],
        txHashes: isPaid ? [`0x${'a1'.repeat(32)}`] : [],
      })
    },
  })
  kit.login()
  const follow = async () => fundingTransfer
  return {
    ...kit,
    asked,
    ended,
    fund: (script: readonly Step[]) =>
      kit.run(fundWallet(kit.context, kit.sending, {}, { transfer: follow, follow }), script),
    async openActivity(script: readonly Step[]) {
      const parts = { loadBridges: async () => ({ bridgedActivity }), loadTransfer: follow }
      const work = openActivity(kit.context, kit.sending, {}, parts)
      await kit.person.follow(script)
      return work
    },
  }
}

test('other device: a bridge that is under way is offered with the methods, and followed to its end', async () => {
  const { fund, ended } = setUp([storedBridge], ['pending', 'pending', 'success'])
  const { value } = await fund([
    { wait: 0 },
    {
      on: 'funding-method',
      expect: ({ purchases }) =>
        expect(purchases).toMatchObject([
          { id: requestId, amount: '0.02 ETH', provider: 'From Base', state: 'On its way', tone: 'accent' },
        ]),
      answer: { purchase: requestId },
    },
    { on: 'awaiting-ethereum-bridge', expect: ({ state }) => expect(state).toBe('bridging') },
    { wait: 2_000 },
    { wait: 1_500 },
  ])
  expect(value).toMatchObject({ method: 'wallet', status: 'confirmed', amount: '0.02' })
  expect(ended).toEqual([[`/api/v1/funding/bridges/${requestId}/end`, { status: 'success' }]])
})

test('other device: a bridge that came back is told, and the server remembers that', async () => {
  const { fund, ended } = setUp([storedBridge], ['pending', 'refund'])
  await fund([
    { wait: 0 },
    ['funding-method', { purchase: requestId }],
    {
      on: 'transfer-failed',
      expect: ({ title }) => expect(title).toBe('Transfer from Base came back: 0.0201 ETH'),
      answer: 'continue',
    },
    { on: 'funding-method', close: true },
  ])
  expect(ended).toEqual([[`/api/v1/funding/bridges/${requestId}/end`, { status: 'refund' }]])
})

test.each<[string, readonly StoredBridge[] | 'lost', readonly State[]]>([
  ['that nobody has paid', [storedBridge], ['waiting']],
  ['that the bridge says nothing of', [storedBridge], ['lost']],
  ['whose end was seen', [{ ...storedBridge, status: 'success' }], ['success']],
  ['of another wallet', [{ ...storedBridge, address: storedBridge.wallet.address }], ['pending']],
  ['of another asset', [{ ...storedBridge, token: storedBridge.wallet.address }], ['pending']],
  ['of a server that is lost', 'lost', ['pending']],
])('other device: a bridge %s is not offered, and keeps nobody from funding', async (_, stored, states) => {
  const { fund } = setUp(stored, states)
  const { error } = await fund([
    { wait: 12_000 },
    {
      on: 'funding-method',
      expect: ({ methods, purchases }) => expect([methods, purchases]).toEqual([['wallet', 'manual'], []]),
      close: true,
    },
  ])
  expect(error?.code).toBe('exited_funding_flow')
})

test('activity: bridges of all devices are listed with networks and state, and lead to their end', async () => {
  const done = { ...storedBridge, requestId: '0xd0', status: 'success', chain: 'eip155:424242' } as const
  const { openActivity } = setUp([storedBridge, done], ['success'])
  await openActivity([
    { wait: 0 },
    {
      on: 'activity-list',
      expect: ({ transfers }) =>
        expect(transfers).toMatchObject([
          { id: requestId, amount: '0.02 ETH', from: 'Base', to: 'Ethereum', state: 'On its way' },
          { id: '0xd0', to: 'eip155:424242', state: 'Completed', tone: 'success' },
        ]),
      answer: { transfer: requestId },
    },
    { on: 'awaiting-ethereum-bridge' },
    { wait: 3_000 },
    { on: 'activity-list', close: true },
  ])
})
