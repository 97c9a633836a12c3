/** Payments that this browser stores, and bridges that the server remembers beside them. */
import { expect, test } from 'vitest'
import { createPaymentStore, type Payment } from '../../src/funding/transfer/payments.ts'
import { sharePayments, toPayment } from '../../src/funding/transfer/share-payments.ts'
import { memoryStorage } from '../../src/lib/storage.ts'

const direct: Payment = {
  id: 'a',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain: 'eip155:8453',
  receives: { symbol: 'ETH', decimals: 18, amount: '1' },
  wallet: { id: 'metamask', name: 'MetaMask', address: '0x70', chainType: 'ethereum' },
  from: 'eip155:8453',
  network: 'Base',
  pays: { symbol: 'ETH', decimals: 18, amount: '1' },
  startedAt: 0,
  state: 'asked',
  trace: { nonce: '1', block: '2', to: '0x4c', value: '1', data: '0xab' },
}
const bridged: Payment = { ...direct, id: 'b', from: 'eip155:1', network: 'Ethereum', requestId: '0x5e' }

function setUp() {
  const said: unknown[] = []
  const store = sharePayments(createPaymentStore(memoryStorage(), { key: 'payments', now: () => 0 }), {
    save: (bridge) => void said.push(bridge),
    end: (requestId, status) => void said.push([requestId, status]),
  })
  return { store, said }
}

test('shared payments: the server learns of bridges alone, and of no call that was signed', () => {
  const { store, said } = setUp()
  store.save(direct)
  store.save(bridged)
  store.save({ ...bridged, state: 'sent', hash: '0xab' })
  expect(said).toMatchObject([{ requestId: '0x5e' }, { requestId: '0x5e', hash: '0xab' }])
  expect(JSON.stringify(said)).not.toMatch(/trace|raw|nonce|state/)
  store.remove(direct)
  store.remove(bridged, 'success')
  expect(said.slice(2)).toEqual([['0x5e', 'success']])
  expect(store.find(direct)).toBeUndefined()
})

test('shared payments: a bridge for which nothing was sent is forgotten', () => {
  const { store, said } = setUp()
  store.save(bridged)
  store.remove(bridged)
  expect(said.at(-1)).toEqual(['0x5e', 'none'])
})

test('shared payments: a bridge of another device is followed by its own hash, or by the one that the bridge has seen', () => {
  const { trace: _, state: __, startedAt, ...more } = bridged
  const stored = { ...more, requestId: '0x5e', status: 'open', startedAt: new Date(startedAt) } as const
  expect(toPayment(stored)).toMatchObject({ id: 'b', state: 'sent', startedAt: 0 })
  expect(toPayment(stored).hash).toBeUndefined()
  expect(toPayment(stored, ['0xcd']).hash).toBe('0xcd')
  expect(toPayment({ ...stored, hash: '0xab' }, ['0xcd']).hash).toBe('0xab')
})
