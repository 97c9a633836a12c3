import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import '../../../src/login/wallet/siwe.ts'
import '../../../src/login/wallet/siwe-message.ts'
import '../../../src/login/wallet/siws.ts'
import { createServerClock } from '../../../src/lib/clock.ts'
import { walletAddress } from '../../support/kit.ts'
import { kitForSignIn } from '../../support/wallet-sign-in.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const minute = 60_000
const offsets = [0, 7, -7, 60, -60, 90, -150, 24 * 60, -24 * 60, 365 * 24 * 60, -365 * 24 * 60].map(
  (minutes) => minutes * minute,
)
const solana = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g'

test.each(offsets)(
  'siwe: the message is issued at the server’s time, which is %i ms ahead',
  async (ahead) => {
    const { kit, clock } = await kitForSignIn('siwe', { type: 'wallet', address: walletAddress }, {}, ahead)
    const message = await kit.siwe.generateMessage({ address: walletAddress })
    expect(message).toContain(`Issued At: ${new Date(clock.now() + ahead).toISOString()}`)
  },
)

test.each(offsets)(
  'siws: the message is issued at the server’s time, which is %i ms ahead',
  async (ahead) => {
    const { kit, clock } = await kitForSignIn('siws', { type: 'wallet', address: solana }, {}, ahead)
    const message = await kit.siws.generateMessage({ address: solana })
    expect(message).toContain(`Issued At: ${new Date(clock.now() + ahead).toISOString()}`)
  },
)

test('server clock: it is unknown before the first response, and a response without a date changes nothing', () => {
  const server = createServerClock({ now: () => 0 })
  expect(server.ahead()).toBeUndefined()
  server.learn(new Headers({ date: 'Thu, 01 Jan 1970 00:01:00 GMT' }))
  for (const headers of [{}, { date: '' }, { date: 'yesterday' }])
    server.learn(new Headers(headers as HeadersInit))
  expect(server.ahead()).toBe(minute)
})
