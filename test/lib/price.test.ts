import { describe, expect, test } from 'vitest'
import { formatDollars } from '../../src/ethereum/amounts.ts'
import { isFresh, PRICE_AGE, readPrice, worthOf } from '../../src/lib/price.ts'

describe('price', () => {
  test.each([
    [3_125.4, 31_254n, 1],
    [1, 1n, 0],
    [1e-7, 1n, 7],
    [1.5e-9, 15n, 10],
    [1e21, 10n ** 21n, 0],
    [0.0001, 1n, 4],
  ])('price: %d dollars are read exactly', (usd, units, scale) => {
    expect(readPrice(usd, 5)).toEqual({ units, scale, at: 5 })
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('price: %d is no price', (usd) => {
    expect(readPrice(usd, 5)).toBeUndefined()
  })

  test.each([
    [1_250_000_000_000_000_000n, 18, 3_125.4, '$3,906.75'],
    [1n, 0, 3, '$3.00'],
    [1_304_530_000n, 6, 0.9998, '$1,304.27'],
    [1n, 18, 3_000, '<$0.01'],
    [0n, 18, 3_000, '$0.00'],
  ])('price: %d smallest units of %d decimals at %d dollars are %s', (amount, decimals, usd, words) => {
    const price = readPrice(usd, 0)
    if (!price) throw new Error('There is no price')
    const worth = worthOf(amount, decimals, price)
    expect(formatDollars(worth.amount, worth.decimals)).toBe(words)
  })

  test('price: one is fresh for ten minutes, and one from the future is not', () => {
    const price = { units: 1n, scale: 0, at: 1_000_000_000 }
    expect(isFresh(price, price.at + PRICE_AGE)).toBe(true)
    expect(isFresh(price, price.at + PRICE_AGE + 1)).toBe(false)
    expect(isFresh(price, price.at - PRICE_AGE - 1)).toBe(false)
  })
})
