/** The amount with which a wallet is funded: what its field takes, what an amount is, and the price beside it. */
import { describe, expect, test } from 'vitest'
import { createRuns } from '../../src/dialog/runs.ts'
import { readAmountText, toAmountText, writeAmountText } from '../../src/funding/amount/amount-text.ts'
import { type AmountOptions, askAmount } from '../../src/funding/amount/flow.ts'
import type { Price } from '../../src/lib/price.ts'
import { testClock } from '../support/clock.ts'
import { testPage } from '../support/page.ts'
import { type Step, scriptedPerson } from '../support/person.ts'

describe('field', () => {
  test.each([
    ['0.02', 'en', '0.02'],
    ['.', 'en', '0.'],
    ['.5', 'en', '0.5'],
    ['', 'en', ''],
    ['12.', 'en', '12.'],
    ['٠٫٥', 'ar-EG', '0.5'],
    ['0,5', 'de', '0.5'],
    [' 5 ', 'en', '5'],
    ['1.2.3', 'en', undefined],
    ['1,5', 'en', undefined],
    ['1.304,53', 'de', undefined],
    ['1,304.53', 'de', undefined],
    ['1e3', 'en', undefined],
    ['-1', 'en', undefined],
    ['9'.repeat(65), 'en', undefined],
  ])('amount: %j in %s is %j', (text, locale, expected) => {
    expect(toAmountText(text, locale)).toBe(expected)
  })
})

describe('amount', () => {
  test.each([
    ['0.02', 18, 20_000_000_000_000_000n],
    ['0.5', 6, 500_000n],
    ['12.', 6, 12_000_000n],
    ['1.500000000', 6, 1_500_000n],
    ['0007', 0, 7n],
  ])('amount: %s with %i decimals is read exactly', (text, decimals, amount) => {
    expect(readAmountText(text, decimals)).toEqual({ amount })
  })

  test.each([
    ['', 'empty'],
    ['0.', 'zero'],
    ['0.000000', 'zero'],
    ['0.0000001', 'decimals'],
    [`1${'0'.repeat(40)}`, 'too-large'],
  ])('amount: %j is refused as %s', (text, problem) => {
    expect(readAmountText(text, 6)).toEqual({ problem })
  })

  test.each([
    [20_000_000_000_000_000n, 18, '0.02'],
    [1_250_000_000n, 6, '1250'],
    [1n, 6, '0.000001'],
    [7n, 0, '7'],
  ])('amount: %s with %i decimals is written as the field shows it', (amount, decimals, text) => {
    expect(writeAmountText(amount, decimals)).toBe(text)
  })
})

const target: AmountOptions['target'] = {
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain: 'eip155:8453',
  network: 'Base',
  symbol: 'ETH',
  decimals: 18,
  amount: 20_000_000_000_000_000n,
}

function setUp({
  error,
  amount = target.amount,
  prices = [],
}: {
  error?: string
  amount?: bigint | undefined
  /** Answers of the server; the last one is repeated. */
  prices?: readonly (((now: number) => Price) | undefined)[]
} = {}) {
  const clock = testClock()
  const person = scriptedPerson(clock)
  const runs = createRuns({ clock, makeSurface: () => person.surface, openWindow: () => null })
  let asked = 0
  const price = async () => prices[Math.min(asked++, prices.length - 1)]?.(clock.now())
  const work = runs
    .run('fund', {}, (stage) =>
      askAmount({ stage, clock, page: testPage() }, { target: { ...target, amount }, error, price }),
    )
    .catch((cause: { code: string }) => cause.code)
  return {
    clock,
    reads: () => asked,
    async run(script: readonly Step[]) {
      await person.follow(script)
      return work
    },
  }
}
const shows = (expected: object): Step => ({
  on: 'funding-amount',
  expect: (props) => expect(props).toMatchObject(expected),
})

describe('screen', () => {
  test('amount: what is proposed can be confirmed', async () => {
    const { run } = setUp()
    const script: Step[] = [shows({ filled: { text: '0.02' } }), ['funding-amount', { amount: '0.02' }]]
    expect(await run(script)).toBe(20_000_000_000_000_000n)
  })

  test('amount: zero, nothing and too many decimals never continue', async () => {
    const { run } = setUp({ amount: undefined })
    const texts = ['0.', '', `0.${'0'.repeat(18)}1`, '0.5']
    const script = texts.map((amount): Step => ['funding-amount', { amount }])
    expect(await run(script)).toBe(500_000_000_000_000_000n)
  })

  test('amount: going back is no amount, and closing ends the run', async () => {
    expect(await setUp().run([['funding-amount', 'back']])).toBe('back')
    expect(await setUp().run([{ on: 'funding-amount', close: true }])).toBe('exited_funding_flow')
  })

  test('amount: a reason why an amount can not be used is shown', async () => {
    const { run } = setUp({ error: 'At least 1 ETH can be bought.' })
    await run([shows({ error: 'At least 1 ETH can be bought.' }), ['funding-amount', 'back']])
  })

  test('amount: a price is shown when it comes, and read again once it is too old', async () => {
    const at = (age: number) => (now: number) => ({ units: 3000n, scale: 0, at: now - age })
    const { run, clock, reads } = setUp({ prices: [at(0), at(0)] })
    const start = clock.now()
    await run([
      shows({ price: { units: 3000n, at: start } }),
      { wait: 600_001 },
      shows({ price: { at: start + 600_001 }, now: start + 600_001 }),
      ['funding-amount', 'back'],
    ])
    expect(reads()).toBe(2)
    await clock.advance(1_000)
    expect(clock.sleeping).toBe(0)
  })

  test('amount: a stale price is none, and a server without a price is asked once', async () => {
    const stale = (now: number) => ({ units: 3000n, scale: 0, at: now - 600_001 })
    for (const prices of [[stale], [undefined]]) {
      const { run, reads } = setUp({ prices })
      await run([{ wait: 3_600_000 }, shows({ price: undefined }), ['funding-amount', 'back']])
      expect(reads()).toBe(1)
    }
  })
})
