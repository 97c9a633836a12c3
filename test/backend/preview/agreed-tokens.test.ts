/** Two nodes that describe the tokens of one transaction: what they don't agree on nobody is shown. */
import { expect, test } from 'vitest'
import { agreedTokens } from '../../../demo/backend/preview/solana.ts'
import type { SplToken } from '../../../src/solana/token-metadata.ts'

const token = (rules: Partial<SplToken['rules']> = {}, more: Partial<SplToken> = {}): SplToken => ({
  decimals: 6,
  symbol: 'GOLD',
  rules: { scale: 10, accountSize: 170, beginsFrozen: false, ...rules },
  ...more,
})
const fee = (basisPoints: number, maximum = 5n) => ({ transferFee: { basisPoints, maximum } })

test.each<[string, SplToken, SplToken]>([
  ['how its amounts are displayed', token(), token({ scale: 1 })],
  ['whether anybody can say how its amounts are displayed', token(), token({ scale: undefined })],
  ['its fee', token(fee(100)), token(fee(1))],
  ['the maximum of its fee', token(fee(100)), token(fee(100, 6n))],
  ['whether it has a fee', token(fee(100)), token()],
  ['its decimals', token(), token({}, { decimals: 9 })],
  ['its symbol', token(), token({}, { symbol: 'USDC' })],
])('token: two nodes that differ in %s leave it out, and are said to differ', (_, one, other) => {
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const)
    expect(agreedTokens({ mint: first, same: token() }, { mint: second, same: token() })).toEqual({
      tokens: { same: token() },
      isDisputed: true,
    })
})

test('token: interest that has grown between two clocks is no difference', () => {
  const one = token({ scale: 1.05 })
  expect(agreedTokens({ mint: one }, { mint: token({ scale: 1.05 + 1e-9 }) })).toEqual({
    tokens: { mint: one },
    isDisputed: false,
  })
})

test('token: one that a single node knows is taken from that one', () => {
  expect(agreedTokens({}, { mint: token() })).toEqual({ tokens: { mint: token() }, isDisputed: false })
})
