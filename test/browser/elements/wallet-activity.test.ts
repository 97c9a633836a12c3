import { expect } from '@open-wc/testing'
import type { WalletActivity } from '../../../elements/wallet-activity.ts'
import type { WalletBalances } from '../../../elements/wallet-balances.ts'
import type { ActivityEntry, Balance } from '../../../src/kit/api.ts'
import { createStore } from '../../../src/lib/store.ts'
import { fakeKit } from './support/fake-kit.ts'
import { clear, headingOf, pressOn, record, until, within } from './support/page.ts'

const sent: ActivityEntry = {
  chain: 'eip155:1',
  wallet: '0xa',
  hash: '0xh',
  title: 'transfer',
  sentAt: 0,
  status: 'pending',
}
const ether: Balance = {
  chain: 'eip155:1',
  network: 'Ethereum',
  wallet: '0xa',
  kind: 'coin',
  symbol: 'ETH',
  decimals: 18,
  amount: 5n,
  status: 'loaded',
}

function place<T extends WalletActivity | WalletBalances>(tag: string) {
  const activity = createStore<readonly ActivityEntry[]>([])
  const balances = createStore<readonly Balance[]>([])
  const kit = Object.assign(fakeKit(), {
    activity,
    balances: {
      ...balances,
      async refresh() {
        balances.set([ether])
        return balances.get()
      },
    },
  })
  const element = document.createElement(tag) as T
  element.kit = kit
  document.body.append(element)
  return { element, activity, balances }
}
async function pressThrough(element: HTMLElement) {
  await until(() => within(element, '#next') !== null)
  await pressOn(element, '#next')
  await until(() => headingOf(element) === 'Second screen')
  await pressOn(element, '#done')
}

describe('<wallet-activity>', () => {
  afterEach(clear)

  it('opens by its method and by its attribute, and resolves once it is closed', async () => {
    const { element } = place<WalletActivity>('wallet-activity')
    const seen = record(element, 'lk-open', 'lk-close')
    element.open = true
    const shown = element.show()
    await pressThrough(element)
    expect(await shown).to.equal(undefined)
    await until(() => seen.some(({ name }) => name === 'lk-close'))
    expect(seen.map(({ name, event }) => [name, event.detail])).to.deep.equal([
      ['lk-open', { intent: 'settings' }],
      ['lk-close', { completed: true }],
    ])
  })

  it('lists the activity, and fires an event with each change', async () => {
    const { element, activity } = place<WalletActivity>('wallet-activity')
    await until(() => element.kit !== undefined)
    const seen = record(element, 'lk-activity')
    expect(element.activity).to.deep.equal([])
    activity.set([sent])
    activity.set([{ ...sent, status: 'confirmed' }])
    expect(element.activity).to.deep.equal([{ ...sent, status: 'confirmed' }])
    expect(seen.map(({ event }) => event.detail.activity[0].status)).to.deep.equal(['pending', 'confirmed'])
  })
})

describe('<wallet-balances>', () => {
  afterEach(clear)

  it('opens by its method, and resolves once it is closed', async () => {
    const { element } = place<WalletBalances>('wallet-balances')
    const shown = element.show()
    await pressThrough(element)
    expect(await shown).to.equal(undefined)
  })

  it('reads the balances without a dialog, and fires an event as they arrive', async () => {
    const { element } = place<WalletBalances>('wallet-balances')
    const seen = record(element, 'lk-balances')
    expect(element.balances).to.deep.equal([])
    expect(await element.refresh()).to.deep.equal([ether])
    expect(element.balances).to.deep.equal([ether])
    expect(seen.map(({ event }) => event.detail)).to.deep.equal([{ balances: [ether] }])
    expect(element.open).to.equal(false)
  })
})
