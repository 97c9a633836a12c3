import type { Plain } from '../../wire/frame/plain.ts'

const HEX = /^0x[0-9a-fA-F]{1,64}$/
/** No zeros in front: some read them as octal. */
const DECIMAL = /^(0|-?[1-9]\d{0,77})$/

/**
 * Reads a whole number as pages write them (wire 7.4): a number that is exact, a bigint, or its text, decimal or
 * 0x-hex. Gives `undefined` for anything that could be read in two ways.
 */
export function readInteger(value: Plain | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && (HEX.test(value) || DECIMAL.test(value)) ? BigInt(value) : undefined
}
