/**
 * EIP-712 typed data. The kit shows what `parseTypedData` returns, and the vault signs the hash of the same thing, so
 * what a person reads and what is signed can't differ.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { isPlainObject, type Plain, type PlainObject, parsePlain, readPlain } from '../lib/plain.ts'
import {
  DOMAIN,
  encodeType,
  innermost,
  parseDomainStruct,
  parseStructs,
  type Struct,
  type Structs,
  type Type,
} from './typed-data-types.ts'
import { encodeValue, parseValue } from './typed-data-values.ts'

/** Characters of one request as JSON: the message to the vault also contains an access token. */
const MAX_TYPED_DATA = 122_880
/** Structs and lists within one another. */
export const MAX_DEPTH = 32
/** All values of one request together: each may cost a hash. */
export const MAX_VALUES = 16_384

/** One field with its value as text; the value of a struct or a list are its fields or items. */
export interface TypedDataField {
  readonly name: string
  readonly type: string
  readonly value: string | readonly TypedDataField[]
}

/** Typed data of EIP-712, completely read: its hash covers exactly what `domain` and `fields` contain. */
export interface TypedData {
  readonly domain: {
    readonly name?: string
    readonly version?: string
    readonly chainId?: bigint
    readonly contract?: string
    readonly salt?: string
  }
  readonly primaryType: string
  readonly fields: readonly TypedDataField[]
  /** A copy of the request as plain data, which a page can't change afterwards. */
  readonly data: PlainObject
  readonly structs: Structs
  readonly domainStruct: Struct
  readonly domainFields: readonly TypedDataField[]
}

/**
 * Reads typed data, as an object or as its JSON text. All types must be known, and the message must have exactly the
 * fields of its types, each with a value of its type. Throws {@link InvalidRequest}.
 */
export function parseTypedData(raw: unknown): TypedData {
  const data = typeof raw === 'string' ? parsePlain(raw, MAX_TYPED_DATA) : readPlain(raw, MAX_TYPED_DATA)
  if (!isPlainObject(data)) throw new InvalidRequest("The typed data can't be read")
  const { types, primaryType, domain, message, ...more } = data
  if (!isPlainObject(types) || !isPlainObject(domain) || Object.keys(more).length > 0)
    throw new InvalidRequest('Typed data must have types, a primaryType, a domain and a message')
  const structs = parseStructs(types)
  const domainStruct = parseDomainStruct(types[DOMAIN], domain)
  const primary = typeof primaryType === 'string' ? structs.get(primaryType) : undefined
  if (!primary) throw new InvalidRequest('The typed data does not define its primaryType')
  const parseStruct = createParser(structs)
  const domainFields = parseStruct(domainStruct, domain)
  return {
    primaryType: primary.name,
    data,
    structs,
    domainStruct,
    domainFields,
    domain: describeDomain(domainFields),
    fields: parseStruct(primary, message),
  }
}

function createParser(structs: Structs) {
  let values = 0

  function parseStruct({ name, fields }: Struct, value: Plain | undefined, depth: number) {
    if (!isPlainObject(value)) throw new InvalidRequest(`The typed data has no ${name} where one is required`)
    if (
      Object.keys(value).length !== fields.length ||
      !fields.every((field) => Object.hasOwn(value, field.name))
    )
      throw new InvalidRequest(`The typed data does not have exactly the fields of ${name}`)
    return fields.map(
      (field): TypedDataField => ({
        name: field.name,
        type: field.text,
        value: parse(field.type, value[field.name], depth),
      }),
    )
  }

  function parse(type: Type, value: Plain | undefined, depth: number): TypedDataField['value'] {
    if (++values > MAX_VALUES) throw new InvalidRequest('The typed data has too many values')
    if (type.kind === 'value') {
      const text = parseValue(type.name, value)
      if (text === undefined)
        throw new InvalidRequest(`The typed data has a value that is not a valid ${type.name}`)
      return text
    }
    if (depth >= MAX_DEPTH) throw new InvalidRequest('The typed data is nested too deeply')
    if (type.kind === 'list') return parseList(type, value, depth + 1)
    return parseStruct(structOf(structs, type.name), value, depth + 1)
  }

  function parseList(
    { of, length }: Extract<Type, { kind: 'list' }>,
    value: Plain | undefined,
    depth: number,
  ) {
    if (!Array.isArray(value) || (length !== undefined && value.length !== length))
      throw new InvalidRequest('The typed data has no list where one is required, or one of the wrong length')
    const type = of.kind === 'list' ? 'list' : of.name
    return value.map(
      (item: Plain, at): TypedDataField => ({ name: String(at), type, value: parse(of, item, depth) }),
    )
  }

  return (struct: Struct, value: Plain | undefined) => parseStruct(struct, value, 1)
}

function describeDomain(fields: readonly TypedDataField[]): TypedData['domain'] {
  const { name, version, chainId, verifyingContract, salt } = Object.fromEntries(
    fields.map((field) => [field.name, field.value as string]),
  )
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(chainId !== undefined && { chainId: BigInt(chainId) }),
    ...(verifyingContract !== undefined && { contract: verifyingContract }),
    ...(salt !== undefined && { salt }),
  }
}

/** The 32 bytes that `eth_signTypedData_v4` signs. */
export function hashTypedData(typed: TypedData): Uint8Array {
  const { domain, message } = hashStructs(typed)
  return keccak_256(concatBytes(Uint8Array.of(0x19, 0x01), domain, message))
}

/** The two hashes that are signed together: the separator of the domain, and the hash of the message as a struct. */
export function hashStructs(typed: TypedData): {
  readonly domain: Uint8Array
  readonly message: Uint8Array
} {
  const { structs, domainStruct, domainFields, primaryType, fields } = typed
  // A type's text is hashed once, however many structs have it: a library that does so for each can be kept busy for minutes.
  const typeHashes = new Map<Struct, Uint8Array>()
  const typeHash = (struct: Struct) => {
    const hash = typeHashes.get(struct) ?? keccak_256(utf8ToBytes(encodeType(struct, structs)))
    typeHashes.set(struct, hash)
    return hash
  }
  const hashStruct = (struct: Struct, values: readonly TypedDataField[]): Uint8Array =>
    keccak_256(
      concatBytes(typeHash(struct), ...struct.fields.map(({ type }, at) => encode(type, values[at]?.value))),
    )
  function encode(type: Type, value: TypedDataField['value'] | undefined): Uint8Array {
    if (typeof value === 'string') return encodeValue(innermost(type).name, value)
    if (type.kind === 'list')
      return keccak_256(concatBytes(...(value ?? []).map((item) => encode(type.of, item.value))))
    return hashStruct(structOf(structs, type.name), value ?? [])
  }
  return {
    domain: hashStruct(domainStruct, domainFields),
    message: hashStruct(structOf(structs, primaryType), fields),
  }
}

function structOf(structs: Structs, name: string): Struct {
  const struct = structs.get(name)
  if (!struct) throw new InvalidRequest(`The typed data has no type ${name.slice(0, 128)}`)
  return struct
}
