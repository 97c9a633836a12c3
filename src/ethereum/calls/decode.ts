/**
 * Decodes call data. Only the one canonical encoding of its values is accepted, that which encoding them again gives: offsets in
 * order, no bits beyond a value's size, padding of zeros. So no two data have the same decoded values. What follows the encoding is
 * handed back apart: contracts read such bytes, and many applications append some. (The libraries that decode ABI data take a
 * second for 16,384 addresses, whose checksums are most of the work, and accept other encodings.)
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import { MAX_VALUES } from './limits.ts'
import type { AbiType, Parameter } from './signature.ts'
import type { Value } from './values.ts'

export interface Decoded {
  readonly values: Extract<Value, { kind: 'struct' }>
  /** Bytes behind the encoding: `0x` if there are none. */
  readonly trailing: string
}

/** Thrown within this file alone. */
class NotCanonical extends Error {}

/** Decodes the arguments of a call: its data in lower-case hex, without `0x` and selector. `undefined` if not canonically encoded. */
export function decodeArguments(parameters: readonly Parameter[], data: string): Decoded | undefined {
  try {
    const [values, end] = createDecoder(data).tuple(parameters, '', 0)
    return { values, trailing: `0x${data.slice(2 * end)}` }
  } catch (error) {
    if (error instanceof NotCanonical) return undefined
    throw error
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const ZEROS = '0'.repeat(64)

/** Positions are those of bytes; each has two digits in `data`. */
function createDecoder(data: string) {
  const size = data.length / 2
  let count = 0

  function digits(at: number, length: number): string {
    if (at + length > size) throw new NotCanonical()
    return data.slice(2 * at, 2 * (at + length))
  }

  const word = (at: number): bigint => BigInt(`0x${digits(at, 32)}`)

  /** A length or an offset: no data is so long that it needs more than 32 bits. */
  function small(at: number): number {
    zeros(at, 28)
    return Number.parseInt(digits(at + 28, 4), 16)
  }

  function zeros(at: number, length: number): void {
    if (digits(at, length) !== ZEROS.slice(0, 2 * length)) throw new NotCanonical()
  }

  function spend(): void {
    if (++count > MAX_VALUES) throw new NotCanonical()
  }

  type Struct = Extract<Value, { kind: 'struct' }>
  /** Values whose heads begin at `start`, with the end of their tails. */
  function tuple(members: readonly Parameter[], type: string, start: number): [Struct, number] {
    const [items, end] = sequence(members.length, (at) => (members[at] as Parameter).type, start)
    return [{ kind: 'struct', type, names: members.map(({ name }) => name), items }, end]
  }

  function sequence(length: number, typeOf: (at: number) => AbiType, start: number): [Value[], number] {
    let tail = start
    for (let at = 0; at < length; at++) tail += headSize(typeOf(at))
    if (tail > size) throw new NotCanonical()
    let head = start
    const items: Value[] = []
    for (let at = 0; at < length; at++) {
      const type = typeOf(at)
      if (isDynamic(type)) {
        if (small(head) !== tail - start) throw new NotCanonical()
        const [value, end] = dynamic(type, tail)
        items.push(value)
        tail = end
      } else items.push(fixed(type, head))
      head += headSize(type)
    }
    return [items, tail]
  }

  function dynamic(type: AbiType, at: number): [Value, number] {
    if (type.kind === 'tuple') return tuple(type.members, type.text, at)
    if (type.kind === 'list') {
      const length = type.length ?? small(at)
      const start = type.length === undefined ? at + 32 : at
      if (length > MAX_VALUES || length * headSize(type.of) > size - start) throw new NotCanonical()
      const [items, end] = sequence(length, () => type.of, start)
      return [{ kind: 'list', type: type.text, items }, end]
    }
    spend()
    const length = small(at)
    const start = at + 32
    const padding = (32 - (length % 32)) % 32
    const hex = digits(start, length)
    zeros(start + length, padding)
    const end = start + length + padding
    const text = type.name === 'string' ? readText(hex) : undefined
    if (text !== undefined) return [{ kind: 'text', type: type.text, value: text }, end]
    return [{ kind: 'bytes', type: type.text, hex: `0x${hex}` }, end]
  }

  function fixed(type: AbiType, at: number): Value {
    if (type.kind === 'tuple') return tuple(type.members, type.text, at)[0]
    if (type.kind === 'list') {
      const length = type.length ?? 0
      if (length > MAX_VALUES) throw new NotCanonical()
      const [items] = sequence(length, () => type.of, at)
      return { kind: 'list', type: type.text, items }
    }
    spend()
    switch (type.name) {
      case 'address':
        zeros(at, 12)
        return { kind: 'address', type: type.text, hex: `0x${digits(at + 12, 20)}` }
      case 'bytesN':
        zeros(at + type.size, 32 - type.size)
        return { kind: 'bytes', type: type.text, hex: `0x${digits(at, type.size)}` }
      case 'bool': {
        const number = word(at)
        if (number > 1n) throw new NotCanonical()
        return { kind: 'bool', type: type.text, value: number === 1n }
      }
      case 'int': {
        const number = BigInt.asIntN(256, word(at))
        if (BigInt.asIntN(type.size, number) !== number) throw new NotCanonical()
        return { kind: 'number', type: type.text, value: number }
      }
      default:
        zeros(at, 32 - type.size / 8)
        return { kind: 'number', type: type.text, value: word(at) }
    }
  }

  return { tuple }
}

/** `undefined` for bytes that are no UTF-8: they stay bytes, so that each of them is seen. */
function readText(hex: string): string | undefined {
  try {
    return utf8.decode(hexToBytes(hex))
  } catch {
    return undefined
  }
}

const dynamicTypes = new WeakMap<AbiType, boolean>()
/** Whether a value is encoded behind the others, with an offset in its place. */
export function isDynamic(type: AbiType): boolean {
  if (type.kind === 'value') return type.name === 'bytes' || type.name === 'string'
  let known = dynamicTypes.get(type)
  if (known === undefined) {
    known =
      type.kind === 'list'
        ? type.length === undefined || isDynamic(type.of)
        : type.members.some((each) => isDynamic(each.type))
    dynamicTypes.set(type, known)
  }
  return known
}

const headSizes = new WeakMap<AbiType, number>()
/** Bytes that a value takes in place. */
export function headSize(type: AbiType): number {
  if (type.kind === 'value' || isDynamic(type)) return 32
  let known = headSizes.get(type)
  if (known === undefined) {
    known =
      type.kind === 'list'
        ? (type.length ?? 0) * headSize(type.of)
        : type.members.reduce((sum, each) => sum + headSize(each.type), 0)
    headSizes.set(type, known)
  }
  return known
}
