/** A buyer comes back from the provider's page: to the tab that waits, or to one that finds the purchase again. */
import { afterEach, expect, test } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import { followReturns, returnUrlOf } from '../../src/funding/card/returns.ts'
import type { FundedWallet } from '../../src/kit/api.ts'
import type { KitContext } from '../../src/kit/context.ts'
import { resumePurchase } from '../../src/kit/host/purchases.ts'
import { arrive } from '../../src/login/redirect/arrive.ts'
import type { Purchase, PurchaseStatus } from '../../src/protocol/funding.ts'
import { ethereumAccount } from '../support/embedded-kit.ts'
import type { Step } from '../support/person.ts'
import { fundingKit } from './funding-kit.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A page that has come back with a purchase. */
function comeBack(id: string, isScripted = true) {
  let isClosed = false
  const window = {
    BroadcastChannel,
    get closed() {
      return isClosed
    },
    close() {
      isClosed = isScripted
    },
  } as unknown as Window & typeof globalThis
  return { window, arrived: arrive({ kind: 'purchase', query: `lk_purchase=${id}` }, window) }
}

test('return: a window whose purchase another page follows closes, and that page learns of it', async () => {
  const returns: string[] = []
  stops.push(followReturns('lk1', () => void returns.push('lk1')))
  stops.push(followReturns('lk2', () => void returns.push('lk2')))
  const { window, arrived } = comeBack('lk2')
  expect(await arrived).toBeUndefined()
  expect([window.closed, returns]).toEqual([true, ['lk2']])
})

test('return: a window whose purchase nobody follows any more stays, and so does a tab that can not be closed', async () => {
  followReturns('lk1', () => {})()
  const left = comeBack('lk1')
  expect(await left.arrived).toEqual({ kind: 'purchase', id: 'lk1' })
  expect(left.window.closed).toBe(false)
  stops.push(followReturns('lk1', () => {}))
  expect(await comeBack('lk1', false).arrived).toEqual({ kind: 'purchase', id: 'lk1' })
})

test.each([
  ['https://app.example/wallet?session=secret#token', 'https://app.example/wallet'],
  ['http://localhost:3000/', 'http://localhost:3000/'],
  ['http://shop.localhost:3000/a/b', 'http://shop.localhost:3000/a/b'],
  ['http://app.example/', undefined],
  ['about:srcdoc', undefined],
  ['file:///home/index.html', undefined],
])('return: the address of %s is %s', (page, address) => {
  expect(returnUrlOf(page)).toBe(address)
})

const at = new Date('2026-01-01T00:00:00Z')
const purchaseOf = (status: PurchaseStatus): Purchase => ({
  ...{ id: 'lk1', status, provider: 'moonpay', name: 'MoonPay', method: 'card', isSandbox: false },
  ...{ address: ethereumAccount.address, chain: 'eip155:1', asset: 'native-currency', symbol: 'ETH' },
  ...{ amount: '0.02', currency: 'USD', createdAt: at, updatedAt: at },
})

/** The page of a user who comes back. The provider says these states, one after the other. */
function setUp(states: readonly (PurchaseStatus | KitError)[], listed: readonly Purchase[] = []) {
  const asked: string[] = []
  const funded: FundedWallet[] = []
  const server = {
    async call({ path }: { path: string }) {
      asked.push(path)
      if (path === '/api/v1/funding/purchases') return { purchases: listed }
      const state = states[Math.min(asked.length, states.length) - 1]
      if (state === undefined || state instanceof KitError) throw state
      return purchaseOf(state)
    },
  }
  const kit = fundingKit({ server })
  const context = {
    ...kit.context,
    events: { emit: (_: string, detail: FundedWallet) => void funded.push(detail) },
  } as unknown as KitContext
  return {
    ...kit,
    asked,
    funded,
    async resume(script: readonly Step[], id = 'lk1') {
      const work = resumePurchase(context, id)
      await kit.person.follow(script)
      return work
    },
  }
}

test('return: a purchase that is paid is followed to its end, and the host learns of it', async () => {
  const { login, resume, funded } = setUp(['pending', 'pending', 'completed'])
  login()
  await resume([
    { on: 'funding-status', expect: (props) => expect(props).toMatchObject({ phase: 'processing' }) },
    { wait: 3_000 },
    { on: 'funding-status', expect: (props) => expect(props.phase).toBe('done'), answer: 'close' },
  ])
  expect(funded).toEqual([
    {
      method: 'card',
      status: 'completed',
      address: ethereumAccount.address,
      chain: 'eip155:1',
      asset: 'native-currency',
      symbol: 'ETH',
      amount: '0.02',
      transactionHash: undefined,
      purchase: { id: 'lk1', provider: 'moonpay', isSandbox: false },
    },
  ])
})

test('return: a purchase that is not paid is shown, and may be continued or closed', async () => {
  const { login, resume, funded } = setUp(['started'])
  login()
  await resume([
    {
      on: 'funding-purchase',
      expect: (props) => expect(props).toMatchObject({ actions: ['continue', 'abandon'] }),
      close: true,
    },
  ])
  expect(funded).toEqual([])
})

test('return: a provider that does not answer leaves the state that the server knows', async () => {
  const down = new KitError('network_unavailable', 'MoonPay could not be reached.', { status: 502 })
  const { login, resume } = setUp([down], [purchaseOf('completed')])
  login()
  await resume([
    { on: 'funding-status', expect: (props) => expect(props.phase).toBe('done'), answer: 'close' },
  ])
})

test("return: another user's purchase, and one of nobody who is logged in, are not shown", async () => {
  const missing = new KitError('invalid_data', 'There is no such purchase.', { status: 404 })
  const strange = setUp([missing])
  strange.login()
  await strange.resume([])
  const loggedOut = setUp(['pending'])
  await loggedOut.resume([])
  expect([strange.person.trace(), loggedOut.person.trace(), loggedOut.asked]).toEqual([[], [], []])
})
