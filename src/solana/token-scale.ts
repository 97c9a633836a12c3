/** Tokens whose units people see are others than those that the network moves. Exact: no amount passes through floating point. */

/** Units that people see for each unit that the network moves, as the mint has the number: 1 where they are the same. */
export type TokenScale = number

/** Whether a number can be a scale. */
export const isScale = (value: number): boolean => Number.isFinite(value) && value > 0

/** What people see of an amount, rounded down. */
export function toShown(raw: bigint, scale: TokenScale): bigint {
  const { numerator, denominator } = fractionOf(scale)
  return (raw * numerator) / denominator
}

/** What the network moves for an amount that people see, rounded down: never more than was typed. */
export function toRaw(shown: bigint, scale: TokenScale): bigint {
  const { numerator, denominator } = fractionOf(scale)
  return (shown * denominator) / numerator
}

/** The least amount, as people see it, for which the network moves as much as this. */
export function leastShown(raw: bigint, scale: TokenScale): bigint {
  const { numerator, denominator } = fractionOf(scale)
  return (raw * numerator + denominator - 1n) / denominator
}

const MANTISSA_BITS = 52n
const EXPONENT_BIAS = 1_075

/** A number as the fraction that its bits are. */
function fractionOf(scale: TokenScale): { numerator: bigint; denominator: bigint } {
  if (!isScale(scale)) throw new RangeError('A scale is a number above 0')
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, scale)
  const bits = view.getBigUint64(0)
  const exponent = Number(bits >> MANTISSA_BITS)
  const mantissa = bits & ((1n << MANTISSA_BITS) - 1n)
  const digits = exponent === 0 ? mantissa : mantissa | (1n << MANTISSA_BITS)
  const shift = BigInt((exponent === 0 ? 1 : exponent) - EXPONENT_BIAS)
  return shift >= 0n
    ? { numerator: digits << shift, denominator: 1n }
    : { numerator: digits, denominator: 1n << -shift }
}
