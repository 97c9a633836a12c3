/** Whole numbers as nodes, wallets and pages write them. */

/** A JSON-RPC quantity: `0x` without leading zeros, up to 256 bits. */
const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]{0,63})$/i
const HEX_INTEGER = /^0x[0-9a-fA-F]{1,64}$/
/** Leading zeros are not allowed: some programs read such text as octal. */
const DECIMAL_INTEGER = /^(0|-?[1-9]\d{0,77})$/

/** Reads a quantity as a node writes it; `undefined` for anything else. */
export const parseQuantity = (value: unknown): bigint | undefined =>
  typeof value === 'string' && QUANTITY.test(value) ? BigInt(value) : undefined

export const formatQuantity = (value: number | bigint): `0x${string}` => `0x${value.toString(16)}`

/**
 * Reads a whole number as pages write it: an exact number, a bigint, or text in hex with `0x` or in decimal.
 * `undefined` for anything that could be read in two ways.
 */
export function parseInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  const isText = typeof value === 'string' && (HEX_INTEGER.test(value) || DECIMAL_INTEGER.test(value))
  return isText ? BigInt(value) : undefined
}

/**
 * Reads the id of a chain as wallets write it: a quantity, or, from some wallets, decimal digits, a plain number or hex
 * with leading zeros. `undefined` for what is no chain id: zero, fractions, numbers above 2⁵³, which are not exact.
 */
export function parseChainNumber(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,16})$/i.test(value)
  const id = typeof value === 'number' || isText ? Number(value) : undefined
  return id !== undefined && Number.isSafeInteger(id) && id > 0 ? id : undefined
}
