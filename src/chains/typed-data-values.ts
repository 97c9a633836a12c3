import type { Plain } from '../wire/frame/plain.ts'
import { parseEthereumAddress } from './address.ts'
import { isHexBytes } from './hex.ts'

const SIZED = /^(bytes|u?int)([1-9]\d{0,2})$/
const INTEGER = /^(0x[0-9a-fA-F]{1,64}|0|-?[1-9]\d{0,77})$/

/** Whether a type is one of EIP-712's own. */
export function isValueType(name: string): boolean {
  if (['bool', 'address', 'string', 'bytes'].includes(name)) return true
  const [, kind, digits] = SIZED.exec(name) ?? []
  const size = Number(digits)
  return kind === 'bytes' ? size <= 32 : kind !== undefined && size % 8 === 0 && size <= 256
}

/** A value as a person reads it; `undefined` where it is none of its type, or could be read in two ways. */
export function valueText(type: string, value: Plain | undefined): string | undefined {
  if (type === 'bool') return typeof value === 'boolean' ? String(value) : undefined
  if (type === 'address') return parseEthereumAddress(value)
  if (type === 'string') return typeof value === 'string' && !/\p{Surrogate}/u.test(value) ? value : undefined
  if (type === 'bytes') return isHexBytes(value) ? value.toLowerCase() : undefined
  const [, kind, digits] = SIZED.exec(type) ?? []
  if (kind === 'bytes')
    return isHexBytes(value) && value.length === 2 + 2 * Number(digits) ? value.toLowerCase() : undefined
  return integerText(value, BigInt(digits ?? 0), kind === 'int')
}

function integerText(value: Plain | undefined, bits: bigint, signed: boolean): string | undefined {
  const isText = typeof value === 'string' && INTEGER.test(value)
  const isExact = typeof value === 'bigint' || isText || Number.isSafeInteger(value)
  if (!isExact) return undefined
  const number = BigInt(value as string | number | bigint)
  const most = 2n ** (signed ? bits - 1n : bits)
  return number < most && number >= (signed ? -most : 0n) ? String(number) : undefined
}
