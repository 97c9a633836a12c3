/** Decoded values of a call or message, whichever of the two they come from. */
import { checksumAddress } from '../address.ts'

export type Value =
  | { readonly kind: 'number'; readonly type: string; readonly value: bigint }
  | { readonly kind: 'bool'; readonly type: string; readonly value: boolean }
  /** In lower case: a checksum costs a hash, and most are never shown. */
  | { readonly kind: 'address'; readonly type: string; readonly hex: string }
  | { readonly kind: 'bytes'; readonly type: string; readonly hex: string }
  | { readonly kind: 'text'; readonly type: string; readonly value: string }
  | { readonly kind: 'list'; readonly type: string; readonly items: readonly Value[] }
  | {
      readonly kind: 'struct'
      readonly type: string
      readonly names: readonly string[]
      readonly items: readonly Value[]
    }
export type Leaf = Exclude<Value, { kind: 'list' | 'struct' }>

/** A field of a struct by its name. */
export function getMember(value: Value | undefined, name: string): Value | undefined {
  if (value?.kind !== 'struct') return undefined
  const at = value.names.indexOf(name)
  return at < 0 ? undefined : value.items[at]
}

export const isLeaf = (value: Value | undefined): value is Leaf =>
  value !== undefined && value.kind !== 'list' && value.kind !== 'struct'

/** A value in its natural form: what the format `raw` displays. */
export function rawText(value: Value): string {
  switch (value.kind) {
    case 'number':
    case 'bool':
      return String(value.value)
    case 'address':
      return checksumAddress(value.hex.slice(2))
    case 'bytes':
      return value.hex
    case 'text':
      return value.value
    case 'list':
      return `[${value.items.map(rawText).join(', ')}]`
    case 'struct':
      return `{${value.items.map((item, at) => `${value.names[at]}: ${rawText(item)}`).join(', ')}}`
  }
}

/** The bytes of a value, for slices: numbers have 32, as in call data. */
export function toBytes(value: Value | undefined): string | undefined {
  switch (value?.kind) {
    case 'address':
    case 'bytes':
      return value.hex
    case 'number':
      return `0x${BigInt.asUintN(256, value.value).toString(16).padStart(64, '0')}`
    case 'bool':
      return value.value ? '0x01' : '0x00'
    case 'text':
      return `0x${Array.from(new TextEncoder().encode(value.value), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
    default:
      return undefined
  }
}

/** An address that a value holds: some contracts carry addresses in the last 20 bytes of numbers and of longer bytes. */
export function readAddress(value: Value | undefined): string | undefined {
  if (value?.kind === 'address') return value.hex
  if (value?.kind === 'text') return ADDRESS.test(value.value) ? value.value.toLowerCase() : undefined
  const hex = value?.kind === 'number' || value?.kind === 'bytes' ? toBytes(value) : undefined
  return hex && hex.length >= 42 ? `0x${hex.slice(-40)}` : undefined
}

/** A whole number that a value holds. */
export function readNumber(value: Value | undefined): bigint | undefined {
  if (value?.kind === 'number') return value.value
  // A literal of 20 bytes looks like an address.
  if (value?.kind === 'address') return BigInt(value.hex)
  if (value?.kind === 'text') return parseNumber(value.value)
  if (value?.kind === 'bytes')
    return value.hex.length <= 66 ? BigInt(value.hex === '0x' ? 0 : value.hex) : undefined
  return undefined
}

const ADDRESS = /^0x[0-9a-f]{40}$/i
const NUMBER = /^(-?\d{1,78}|0x[0-9a-f]{1,64})$/i

export const isAddress = (text: unknown): boolean => typeof text === 'string' && ADDRESS.test(text)

/** A whole number as descriptors write it. */
export function parseNumber(literal: unknown): bigint | undefined {
  if (typeof literal === 'bigint') return literal
  if (typeof literal === 'number') return Number.isSafeInteger(literal) ? BigInt(literal) : undefined
  return typeof literal === 'string' && NUMBER.test(literal.trim()) ? BigInt(literal.trim()) : undefined
}

/** A literal of a descriptor as a value: what it looks like says what it is. */
export function literalValue(literal: unknown): Leaf | undefined {
  if (typeof literal === 'boolean') return { kind: 'bool', type: 'bool', value: literal }
  if (typeof literal === 'number') {
    const value = parseNumber(literal)
    return value === undefined
      ? { kind: 'text', type: 'string', value: String(literal) }
      : { kind: 'number', type: 'int256', value }
  }
  if (typeof literal !== 'string') return undefined
  if (isAddress(literal)) return { kind: 'address', type: 'address', hex: literal.toLowerCase() }
  if (/^0x([0-9a-f]{2})*$/i.test(literal)) return { kind: 'bytes', type: 'bytes', hex: literal.toLowerCase() }
  const value = /^-?\d{1,78}$/.test(literal) ? BigInt(literal) : undefined
  if (value !== undefined) return { kind: 'number', type: 'int256', value }
  return { kind: 'text', type: 'string', value: literal }
}

/** Whether a value is what a literal of a descriptor says: numbers also match the bytes that encode them. */
export function matchesLiteral(value: Value, literal: unknown): boolean {
  const number = parseNumber(literal)
  switch (value.kind) {
    case 'number':
      return number === value.value
    case 'bool':
      return literal === value.value || literal === String(value.value)
    case 'address':
      return typeof literal === 'string'
        ? literal.toLowerCase() === value.hex
        : number !== undefined && BigInt(value.hex) === number
    case 'bytes': {
      if (typeof literal === 'string' && literal.startsWith('0x')) return literal.toLowerCase() === value.hex
      return (
        number !== undefined &&
        value.hex.length <= 66 &&
        BigInt(value.hex === '0x' ? 0 : value.hex) === number
      )
    }
    case 'text':
      return literal === value.value
    default:
      return false
  }
}
