import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAmount } from '../../src/ethereum/amount-input.ts'
import { formatDollars, formatRounded, formatUnits, formatWorth } from '../../src/ethereum/amounts.ts'

describe('typed amounts', () => {
  test.each([
    ['1.5', 'en', 1_500_000n],
    ['1,5', 'de', 1_500_000n],
    ['0.000001', 'en', 1n],
    ['.5', 'en', 500_000n],
    ['5.', 'en', 5_000_000n],
    ['007', 'en', 7_000_000n],
    ['1.500000000', 'en', 1_500_000n],
    ['  1.5\u200b ', 'en', 1_500_000n],
    ['１.５', 'en', 1_500_000n],
    ['١٫٥', 'ar-EG', 1_500_000n],
    ['1304.53', 'en-US', 1_304_530_000n],
    ['1.5', 'no such locale!', 1_500_000n],
  ])('%o in %s', (text, locale, amount) => {
    expect(parseAmount(text, 6, locale)).toEqual({ amount })
  })

  test.each([
    ['1,304.53', 'en', 'ambiguous'],
    ['1.304,53', 'en', 'ambiguous'],
    ['1.304,53', 'de', 'ambiguous'],
    ['1,5', 'en', 'ambiguous'],
    ['1.5', 'de', 'ambiguous'],
    ['1 000', 'en', 'ambiguous'],
    ['1\u202f000', 'fr', 'ambiguous'],
    ['1’000', 'de-CH', 'ambiguous'],
    ['1.2.3', 'en', 'ambiguous'],
    ['1e-7', 'en', 'not-a-number'],
    ['1E5', 'en', 'not-a-number'],
    ['0x10', 'en', 'not-a-number'],
    ['1 ETH', 'en', 'not-a-number'],
    ['+1', 'en', 'not-a-number'],
    ['.', 'en', 'not-a-number'],
    ['Infinity', 'en', 'not-a-number'],
    ['½', 'en', 'not-a-number'],
    ['-1', 'en', 'negative'],
    ['−1', 'en', 'negative'],
    ['', 'en', 'empty'],
    [' \u200b', 'en', 'empty'],
    ['0.0000001', 'en', 'too-many-decimals'],
    [`1${'0'.repeat(80)}`, 'en', 'too-large'],
    ['9'.repeat(1_000_000), 'en', 'not-a-number'],
  ])('%.20o in %s is %s', (text, locale, problem) => {
    expect(parseAmount(text, 6, locale)).toEqual({ problem })
  })

  test('are read as they are formatted, to the last figure', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.nat(36), (amount, decimals) => {
        const text = formatUnits(amount, decimals)
        expect(text).toMatch(/^[\d,]+(\.\d+)?$/)
        expect(parseAmount(text.replaceAll(',', ''), decimals, 'en')).toEqual({ amount })
      }),
      { numRuns: 300 },
    )
  })
})

describe('rounded amounts', () => {
  test.each([
    [1n, 9, '<0.001'],
    [999_999n, 9, '<0.001'],
    [1_000_000n, 9, '0.001'],
    [1_999_999n, 9, '0.001'],
    [0n, 9, '0'],
    [1_234_567_899_999_999n, 9, '1,234,567.899'],
    [1n, 2, '0.01'],
    [7n, 0, '7'],
    [1n, 18, '<0.001'],
  ])('%d with %i decimals: %s', (amount, decimals, text) => {
    expect(formatRounded(amount, decimals)).toBe(text)
  })
})

describe('dollars', () => {
  test.each([
    [1n, '<$0.01'],
    [9_999n, '<$0.01'],
    [10_000n, '$0.01'],
    [0n, '$0.00'],
    [1_234_567_895_000n, '$1,234,567.90'],
    [1_500_000n, '$1.50'],
    [-1_500_000n, '-$1.50'],
  ])('%d millionths: %s', (amount, text) => {
    expect(formatDollars(amount, 6)).toBe(text)
  })
})

describe('worth in dollars', () => {
  test.each([
    [10n ** 18n, 18, 2_501.37, '$2,501.37'],
    [21_000n * 10n ** 9n, 18, 2_500, '$0.05'],
    [1n, 18, 2_500, '<$0.01'],
    [0n, 18, 2_500, '$0.00'],
    [5n, 0, 0.1, '$0.50'],
    [10n ** 30n, 18, 1e-15, '<$0.01'],
    [
      2n ** 200n,
      6,
      1e14,
      '$160,693,804,425,899,027,554,196,209,234,116,260,252,220,299,378,279,283,530,137,600,000,000.00',
    ],
  ])('%d of %i decimals at %d', (amount, decimals, usd, text) => {
    expect(formatWorth(amount, decimals, usd)).toBe(text)
  })
})
