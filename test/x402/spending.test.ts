/** What a browser remembers of payments, and of what the user has agreed to. */
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../src/lib/storage.ts'
import type { Limit } from '../../src/x402/caps.ts'
import { x402Limits } from '../../src/x402/limits.ts'
import { createSpending, type NewPayment } from '../../src/x402/spending.ts'

const payment = (id: string): NewPayment => ({
  id,
  state: 'reserved',
  chain: 'eip155:8453',
  token: '0xusdc',
  symbol: 'USDC',
  decimals: 6,
  amount: '10',
  wallet: '0xwallet',
  payTo: '0xseller',
  origin: 'https://seller.example',
})
const { id: _, state: __, symbol: ___, decimals: ____, amount: _____, ...covered } = payment('')
const limits: readonly Limit[] = [{ per: 'day', unit: 'units', most: 15n }]

function tabs() {
  let now = 1_000
  const storage = memoryStorage()
  const open = () =>
    createSpending({
      storage,
      key: 'payments',
      now: () => now,
      serverTime: async () => now,
      exclusively: (work) => work(),
    })
  return {
    open,
    pass: (time: number) => {
      now += time
    },
  }
}

describe('payments that a browser remembers', () => {
  test('a signature that comes after its reservation is over is refused, since another tab has spent the rest of the day', async () => {
    const { open, pass } = tabs()
    const [slow, other] = [open(), open()]
    await slow.reserve(payment('slow'), limits)
    pass(x402Limits.reservation)
    await other.reserve(payment('other'), limits)
    expect(await other.noteSigned('other', 1)).toBe(true)
    expect(await slow.noteSigned('slow', 1)).toBe(false)
    expect(slow.unsettled().map(({ id }) => id)).toEqual(['other'])
  })

  test('a payment is signed once', async () => {
    const spending = tabs().open()
    await spending.reserve(payment('one'), limits)
    expect(await spending.noteSigned('one', 1)).toBe(true)
    expect(await spending.noteSigned('one', 2)).toBe(false)
  })

  test('a page that was closed before it signed leaves the sum that the user has agreed to as it was', async () => {
    const { open, pass } = tabs()
    const closed = open()
    await closed.consent({ ...covered, most: '10', left: '10', until: x402Limits.day })
    await closed.reserve(payment('closed'), [])
    expect(await closed.takeFromConsent(payment('closed'))).toBe(true)
    const next = open()
    await next.reserve(payment('early'), [])
    expect(await next.takeFromConsent(payment('early'))).toBe(false)
    pass(x402Limits.reservation)
    await next.reserve(payment('late'), [])
    expect(await next.takeFromConsent(payment('late'))).toBe(true)
  })

  test('a consent that the user has given since gets nothing of what was taken from the one before it', async () => {
    const spending = tabs().open()
    const consent = { ...covered, most: '10', left: '10' }
    await spending.consent({ ...consent, until: x402Limits.day })
    await spending.reserve(payment('one'), [])
    expect(await spending.takeFromConsent(payment('one'))).toBe(true)
    await spending.consent({ ...consent, left: '5', until: x402Limits.day + 1 })
    await spending.release('one')
    await spending.reserve(payment('two'), [])
    expect(await spending.takeFromConsent(payment('two'))).toBe(false)
  })
})
