/** Typed data as values, and what binds a descriptor to it. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Leaf, Value } from '../ethereum/calls/values.ts'
import { parseTypedData, type TypedData, type TypedDataField } from '../ethereum/typed-data.ts'
import { encodeType, type Struct, type Structs, type Type } from '../ethereum/typed-data-types.ts'
import { encodeValue } from '../ethereum/typed-data-values.ts'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { isPlainObject, type Plain, type PlainObject, parsePlain, readPlain } from '../lib/plain.ts'
import { typeHash } from './descriptor.ts'

export interface ReadTypedData {
  readonly typed: TypedData
  /** Addresses have a checksum that is wrong: a typing error, or another address than somebody has meant. */
  readonly hasWrongChecksum: boolean
  /** Its domain lacks fields that its types declare: no wallet signs that. */
  readonly isDomainIncomplete: boolean
}

/** Characters of typed data as JSON, as in src/ethereum. */
const MAX_SIZE = 122_880

/**
 * Reads typed data for a description. The strict reading comes first. What it refuses for the case of an address, or for a domain
 * without a declared field, can still be described: the hash does not depend on the first, and the second can't be signed anyway.
 */
export function readTypedData(raw: unknown): ReadTypedData | undefined {
  const strict = tryParse(raw)
  if (strict) return { typed: strict, hasWrongChecksum: false, isDomainIncomplete: false }
  const data = typeof raw === 'string' ? parsePlain(raw, MAX_SIZE) : readPlain(raw, MAX_SIZE)
  if (!isPlainObject(data)) return undefined
  const lower = lowerAddresses(data)
  const lowered = tryParse(lower)
  if (lowered) return { typed: lowered, hasWrongChecksum: true, isDomainIncomplete: false }
  const types = isPlainObject(lower.types) ? { ...lower.types, EIP712Domain: undefined } : undefined
  const bare = types && tryParse({ ...lower, types })
  return (
    bare && {
      typed: bare,
      hasWrongChecksum: lower !== data && !tryParse({ ...data, types }),
      isDomainIncomplete: true,
    }
  )
}

function tryParse(raw: unknown): TypedData | undefined {
  try {
    return parseTypedData(raw)
  } catch (error) {
    if (error instanceof InvalidRequest) return undefined
    throw error
  }
}

const ADDRESS = /^0x[0-9a-f]{40}$/i

/** The same data with all values of type `address` in lower case. */
function lowerAddresses(data: PlainObject): PlainObject {
  const { types, primaryType, domain, message } = data
  if (!isPlainObject(types) || typeof primaryType !== 'string') return data
  let left = 65_536
  const visit = (type: string, value: Plain | undefined, depth: number): Plain | undefined => {
    if (--left < 0 || depth > 40) return value
    if (Array.isArray(value)) {
      const inner = type.endsWith(']') ? type.slice(0, type.lastIndexOf('[')) : type
      return value.map((item: Plain) => visit(inner, item, depth + 1) ?? null)
    }
    if (type === 'address')
      return typeof value === 'string' && ADDRESS.test(value) ? value.toLowerCase() : value
    const fields = Object.hasOwn(types, type) ? types[type] : undefined
    if (!isPlainObject(value) || !Array.isArray(fields)) return value
    const copy: Record<string, Plain | undefined> = Object.assign(Object.create(null), value)
    for (const field of fields) {
      if (!isPlainObject(field) || typeof field.name !== 'string' || typeof field.type !== 'string') continue
      if (Object.hasOwn(copy, field.name)) copy[field.name] = visit(field.type, copy[field.name], depth + 1)
    }
    return copy
  }
  const contract = isPlainObject(domain) ? domain.verifyingContract : undefined
  const lowerDomain =
    isPlainObject(domain) && typeof contract === 'string' && ADDRESS.test(contract)
      ? { ...domain, verifyingContract: contract.toLowerCase() }
      : domain
  return { ...data, domain: lowerDomain, message: visit(primaryType, message, 0) }
}

/** The message as values. */
export function toMessageValue({ fields, primaryType, structs }: TypedData): Value {
  const struct = structs.get(primaryType)
  return struct
    ? structValue(struct, fields, structs)
    : { kind: 'struct', type: primaryType, names: [], items: [] }
}

function structValue(struct: Struct, values: readonly TypedDataField[], structs: Structs): Value {
  return {
    kind: 'struct',
    type: struct.name,
    names: struct.fields.map(({ name }) => name),
    items: struct.fields.map(({ type, text }, at) =>
      typedValue(type, text, values[at]?.value ?? '', structs),
    ),
  }
}

function typedValue(type: Type, text: string, value: TypedDataField['value'], structs: Structs): Value {
  if (typeof value === 'string') return leafValue(text, value)
  if (type.kind === 'list') {
    const of = type.of.kind === 'list' ? text.slice(0, text.lastIndexOf('[')) : type.of.name
    return {
      kind: 'list',
      type: text,
      items: value.map((item) => typedValue(type.of, of, item.value, structs)),
    }
  }
  const struct = structs.get(type.name)
  return struct ? structValue(struct, value, structs) : { kind: 'struct', type: text, names: [], items: [] }
}

function leafValue(type: string, text: string): Leaf {
  if (type === 'address') return { kind: 'address', type, hex: text.toLowerCase() }
  if (type === 'bool') return { kind: 'bool', type, value: text === 'true' }
  if (type === 'string') return { kind: 'text', type, value: text }
  if (type.startsWith('bytes')) return { kind: 'bytes', type, hex: text }
  return { kind: 'number', type, value: BigInt(text) }
}

/** The hash of the message's type text, by which descriptors name it. */
export function hashMessageType({ primaryType, structs }: TypedData): string {
  const struct = structs.get(primaryType)
  return struct ? typeHash(encodeType(struct, structs)) : ''
}

/** The hash of the domain (EIP-712 `domainSeparator`). All of its fields are plain values. */
export function hashDomain({ domainStruct, domainFields, structs }: TypedData): string {
  const type = keccak_256(utf8ToBytes(encodeType(domainStruct, structs)))
  const values = domainFields.map(({ type, value }) =>
    encodeValue(type, typeof value === 'string' ? value : ''),
  )
  return `0x${bytesToHex(keccak_256(concatBytes(type, ...values)))}`
}

/**
 * The chain that typed data is for. Domains of meta-transactions, made before EIP-712 domains had one, have it in their salt: a number
 * of 32 bytes.
 */
export function messageChainId({ domain: { chainId, salt } }: TypedData): number | undefined {
  const id = chainId ?? (salt === undefined ? 0n : BigInt(salt))
  return id > 0n && id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : undefined
}
