import type { FeeLimits } from '../lib/fee-concern.ts'

const milli = 10n ** 15n
/** By the coin's worth: a fee in the second group's coins costs a hundredth of the same figure in ETH. */
const ether: FeeLimits = { unusual: 20n * milli, absurd: 5_000n * milli }
const middle: FeeLimits = { unusual: 1_000n * milli, absurd: 200_000n * milli }
const small: FeeLimits = { unusual: 20_000n * milli, absurd: 5_000_000n * milli }
/** Nobody knows what such a coin is worth, so only the second look is as strict as for ETH. */
const unknown: FeeLimits = { unusual: ether.unusual, absurd: small.absurd }

const bySymbol: Readonly<Record<string, FeeLimits>> = {
  ETH: ether,
  AVAX: middle,
  HYPE: middle,
  POL: small,
  CELO: small,
  FIL: small,
  BERA: small,
  LYX: small,
}

/** What fees in the coin of a chain need another look, and which are refused. */
export const feeLimitsOf = (symbol: string | undefined): FeeLimits =>
  symbol !== undefined && Object.hasOwn(bySymbol, symbol) ? (bySymbol[symbol] ?? unknown) : unknown
