import { expect, test, vi } from 'vitest'
import { readHoldings } from '../../src/funding/transfer/holdings.ts'
import { watchBalance } from '../../src/funding/watch-balance.ts'
import { testClock } from '../support/clock.ts'

const lost = new Error('The node is gone')

test('funding: a balance that can not be read while funds are waited for is told at debug level', async () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
  const read = watchBalance({ clock: testClock() }, async () => {
    throw lost
  })
  expect(await read(new AbortController().signal)).toBeUndefined()
  expect(debug.mock.calls).toEqual([['Unable to fetch the balance of what is funded', lost]])
})

test('funding: nothing is told of a balance that nobody waits for any more', async () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
  const left = new AbortController()
  const read = watchBalance({ clock: testClock() }, async () => {
    left.abort(lost)
    throw lost
  })
  await expect(read(left.signal)).rejects.toBe(lost)
  expect(debug).not.toHaveBeenCalled()
})

test('funding: what another wallet holds on a network that fails is told at debug level', async () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
  const source = { chain: 'eip155:8453', chainType: 'ethereum', network: 'Base', symbol: 'ETH', decimals: 18 }
  const services = { nodeOf: () => undefined }
  const { unread } = await readHoldings(services as never, testClock(), {
    address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    sources: [source as never],
    signal: new AbortController().signal,
  })
  expect(unread).toBe(1)
  expect(debug.mock.calls).toEqual([['Unable to fetch the balance of ETH on eip155:8453', expect.any(Error)]])
})
