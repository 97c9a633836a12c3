import { limits } from '../core/limits.ts'
import { isPlainObject, type Plain, type PlainObject, parsePlain, readPlain } from '../wire/frame/plain.ts'
import { InvalidRequest } from './invalid-request.ts'
import { readTypes, type Struct, type Structs, type Type } from './typed-data-types.ts'
import { valueText } from './typed-data-values.ts'

/** One field of typed data with what it says; a struct and a list have fields of their own. */
export interface TypedDataField {
  readonly name: string
  readonly type: string
  readonly value: string | readonly TypedDataField[]
}

/** Typed data of EIP-712, read strictly: what `fields` and `domain` say is all that its digest covers. */
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
  /** The same as plain data: what is to be signed, and nothing else that an object may turn into later. */
  readonly data: PlainObject
}

/** EIP-712: what a domain may hold. */
const DOMAIN = [
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'address'],
  ['salt', 'bytes32'],
] as const
const DOMAIN_TYPE = 'EIP712Domain'

/**
 * Reads typed data, as an object or as its JSON text. All its types must be known, and its message must have exactly
 * the fields of its types, each with a value of its type (security T15). Throws {@link InvalidRequest}.
 */
export function readTypedData(raw: unknown): TypedData {
  const size = limits.walletRequestSize
  const data = typeof raw === 'string' ? parsePlain(raw, size) : readPlain(raw, size)
  if (!isPlainObject(data)) throw new InvalidRequest('The typed data can’t be read')
  const { types, primaryType, domain, message, ...more } = data
  if (!isPlainObject(types) || !isPlainObject(domain) || Object.keys(more).length > 0)
    throw new InvalidRequest('Typed data has types, a primaryType, a domain and a message')

  const structs = readTypes(types, DOMAIN_TYPE)
  const primary = typeof primaryType === 'string' ? structs.get(primaryType) : undefined
  if (!primary || primary.name === DOMAIN_TYPE)
    throw new InvalidRequest('The typed data has no such primaryType')
  return {
    domain: readDomain(structs.get(DOMAIN_TYPE), domain),
    primaryType: primary.name,
    fields: readStruct(primary, message, structs, 1),
    data,
  }
}

function readDomain(declared: Struct | undefined, domain: PlainObject): TypedData['domain'] {
  const struct = declared ?? {
    name: DOMAIN_TYPE,
    fields: DOMAIN.filter(([name]) => domain[name] !== undefined).map(([name, type]) => ({
      ...{ name, text: type },
      type: { kind: 'value', name: type } as const,
    })),
  }
  const strange = struct.fields.some(
    ({ name, text }) => !DOMAIN.some(([known, type]) => known === name && type === text),
  )
  if (strange || struct.fields.length === 0)
    throw new InvalidRequest('A domain has a name, version, chainId, verifyingContract and salt at most')
  const read = readStruct(struct, domain, new Map(), 1)
  const { name, version, chainId, verifyingContract, salt } = Object.fromEntries(
    read.map((field) => [field.name, field.value as string]),
  )
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(chainId !== undefined && { chainId: BigInt(chainId) }),
    ...(verifyingContract !== undefined && { contract: verifyingContract }),
    ...(salt !== undefined && { salt }),
  }
}

function readStruct(
  { name, fields }: Struct,
  value: Plain | undefined,
  structs: Structs,
  depth: number,
): readonly TypedDataField[] {
  if (!isPlainObject(value)) throw new InvalidRequest(`The typed data has no ${name} where one should be`)
  if (
    Object.keys(value).length !== fields.length ||
    !fields.every((field) => Object.hasOwn(value, field.name))
  )
    throw new InvalidRequest(`The typed data has not exactly the fields of ${name}`)
  return fields.map((field) => ({
    name: field.name,
    type: field.text,
    value: readValue(field.type, value[field.name], structs, depth),
  }))
}

function readValue(
  type: Type,
  value: Plain | undefined,
  structs: Structs,
  depth: number,
): TypedDataField['value'] {
  if (type.kind === 'value') return readAtom(type.name, value)
  if (depth >= limits.typedDataDepth) throw new InvalidRequest('The typed data is too deep')
  if (type.kind === 'list') {
    if (!Array.isArray(value) || (type.length !== undefined && value.length !== type.length))
      throw new InvalidRequest('The typed data has no list where one should be, or one of another length')
    return value.map((item: Plain, at) => ({
      name: String(at),
      type: type.of.kind === 'list' ? 'list' : type.of.name,
      value: readValue(type.of, item, structs, depth + 1),
    }))
  }
  const struct = structs.get(type.name)
  if (!struct) throw new InvalidRequest('The typed data has a type that it does not define')
  return readStruct(struct, value, structs, depth + 1)
}

function readAtom(type: string, value: Plain | undefined): string {
  const read = valueText(type, value)
  if (read === undefined) throw new InvalidRequest(`The typed data has a value that is no ${type}`)
  return read
}
