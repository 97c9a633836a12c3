/** A quantity of JSON-RPC: `0x` and no zero in front. Up to 256 bits. */
const quantity = /^0x(0|[1-9a-f][0-9a-f]{0,63})$/i

/** Reads a quantity as JSON-RPC writes it; `undefined` for whatever is none. */
export const parseQuantity = (value: unknown): bigint | undefined =>
  typeof value === 'string' && quantity.test(value) ? BigInt(value) : undefined

export const formatQuantity = (value: number | bigint): `0x${string}` => `0x${value.toString(16)}`

/**
 * The number of a chain as wallets give it: a quantity, or, of some wallets, decimal digits, a plain number or zeros in
 * front. `undefined` for what is no chain's: zero, fractions, numbers beyond 2⁵³ (security T17).
 */
export function parseChainNumber(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,16})$/i.test(value)
  const id = typeof value === 'number' || isText ? Number(value) : undefined
  return id !== undefined && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Bytes as JSON-RPC writes them. */
export const isHexBytes = (value: unknown): value is `0x${string}` =>
  typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)
