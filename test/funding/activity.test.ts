/** Purchases in the list of the user's activity: their pages, their states, and going on with one that is not paid. */
import { expect, test } from 'vitest'
import { openActivity } from '../../src/kit/host/activity.ts'
import { boughtActivity } from '../../src/kit/host/purchases.ts'
import type { FundingSettings } from '../../src/protocol/app-config.ts'
import type { Purchase, PurchaseStatus } from '../../src/protocol/funding.ts'
import { ethereumAccount } from '../support/embedded-kit.ts'
import { fundingSettings } from '../support/funding-settings.ts'
import type { Step } from '../support/person.ts'
import { fundingKit } from './funding-kit.ts'

const at = new Date('2026-01-01T00:00:00Z')
const purchaseOf = (id: string, status: PurchaseStatus, over: Partial<Purchase> = {}): Purchase => ({
  ...{ id, status, provider: 'moonpay', name: 'MoonPay', method: 'card', isSandbox: false },
  ...{ address: ethereumAccount.address, chain: 'eip155:1', asset: 'native-currency', symbol: 'ETH' },
  ...{ amount: '0.02', currency: 'USD', createdAt: at, updatedAt: at },
  ...over,
})

function setUp({
  providers = [{ id: 'moonpay', name: 'MoonPay', methods: ['card'], isSandbox: false }],
  pages,
  read = {},
}: {
  providers?: FundingSettings['providers']
  pages: readonly (readonly Purchase[] | 'lost')[]
  read?: Record<string, Purchase>
}) {
  const calls: string[] = []
  const server = {
    async call({ method, path }: { method: string; path: string }) {
      calls.push(`${method} ${path}`)
      const [, before] = /^\/api\/v1\/funding\/purchases(?:\?before=(\d+))?$/.exec(path) ?? [undefined]
      if (path.split('?')[0] === '/api/v1/funding/purchases') {
        const page = pages[Number(before ?? 0)]
        if (!page || page === 'lost') throw new TypeError('Failed to fetch')
        const next = Number(before ?? 0) + 1
        return { purchases: page, next: pages[next] ? String(next) : undefined }
      }
      const [, id = '', action] = /purchases\/(\w+)(?:\/(\w+))?$/.exec(path) ?? []
      if (action === 'open')
        return {
          purchase: purchaseOf(id, 'started'),
          opening: { kind: 'url', url: 'https://provider.example/' },
        }
      if (action === 'abandon') return purchaseOf(id, 'abandoned')
      return read[id] ?? purchaseOf(id, 'started')
    },
  }
  const kit = fundingKit({ server, funding: { ...fundingSettings, providers } })
  kit.login()
  return {
    ...kit,
    calls,
    async open(script: readonly Step[]) {
      const parts = { loadPurchases: async () => ({ boughtActivity }) }
      const work = openActivity(kit.context, kit.sending, {}, parts)
      await kit.person.follow(script)
      return work
    },
  }
}
const listShows = (expected: object): Step => ({
  on: 'activity-list',
  expect: (props) => expect(props).toMatchObject(expected),
})
const close: Step = { on: 'activity-list', close: true }

test('activity: purchases of all devices are listed with provider, amount, network and state, page by page', async () => {
  const { open } = setUp({
    pages: [
      [purchaseOf('a', 'pending'), purchaseOf('b', 'completed', { received: '1250.5', symbol: 'USDC' })],
      [purchaseOf('c', 'failed', { chain: 'eip155:424242' })],
    ],
  })
  await open([
    { wait: 0 },
    listShows({
      purchases: [
        {
          id: 'a',
          amount: '0.02 ETH',
          provider: 'MoonPay',
          network: 'Ethereum',
          state: 'Processing',
          tone: 'accent',
        },
        { id: 'b', amount: '1,250.5 USDC', tone: 'success' },
      ],
      hasMorePurchases: true,
    }),
    ['activity-list', 'more-purchases'],
    { wait: 0 },
    listShows({
      purchases: [{ id: 'a' }, { id: 'b' }, { id: 'c', network: 'eip155:424242', tone: 'plain' }],
      hasMorePurchases: false,
    }),
    close,
  ])
})

test('activity: what was sent is there where purchases can not be loaded', async () => {
  const { open } = setUp({ pages: ['lost'] })
  await open([{ wait: 60_000 }, listShows({ pending: [], purchases: undefined }), close])
})

test('activity: an app that sells nothing asks for no purchases', async () => {
  const { open, calls } = setUp({ pages: [[]], providers: [] })
  await open([{ wait: 0 }, listShows({ purchases: undefined }), close])
  expect(calls).toEqual([])
})

test('activity: a purchase that is not paid is continued from its detail', async () => {
  const { open, calls } = setUp({
    pages: [[purchaseOf('a', 'started')]],
    read: { a: purchaseOf('a', 'started') },
  })
  await open([
    { wait: 0 },
    ['activity-list', { purchase: 'a' }],
    {
      on: 'funding-purchase',
      expect: (props) => expect(props).toMatchObject({ status: 'started', actions: ['continue', 'abandon'] }),
    },
    ['funding-purchase', 'continue'],
    // No browser opens a window in this test.
    { on: 'funding-status', expect: (props) => expect(props.phase).toBe('blocked') },
    ['funding-status', 'back'],
    { wait: 0 },
    listShows({ purchases: [{ id: 'a' }], at: 'a' }),
    close,
  ])
  expect(calls).toContain('POST /api/v1/funding/purchases/a/open')
})

test('activity: the detail of a completed purchase says so, and a paid one is followed', async () => {
  const done = purchaseOf('b', 'completed', { total: '61.5', fee: '1.5', transactionHash: '0xabc' })
  const { open } = setUp({
    pages: [[purchaseOf('a', 'pending'), done]],
    read: { a: purchaseOf('a', 'completed'), b: done },
  })
  await open([
    { wait: 0 },
    ['activity-list', { purchase: 'b' }],
    {
      on: 'funding-purchase',
      expect: (props) =>
        expect(props).toMatchObject({
          ...{ status: 'completed', total: '$61.50', fee: '$1.50', hash: '0xabc', actions: [] },
        }),
    },
    ['funding-purchase', 'back'],
    ['activity-list', { purchase: 'a' }],
    { wait: 0 },
    { on: 'funding-status', expect: (props) => expect(props.phase).toBe('done') },
    ['funding-status', 'close'],
    { wait: 0 },
    close,
  ])
})
