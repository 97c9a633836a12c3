import { InvalidRequest } from '../lib/invalid-request.ts'
import { isPlainObject, type Plain, type PlainObject } from '../lib/plain.ts'
import { isValueType } from './typed-data-values.ts'

export type Type =
  | { readonly kind: 'value' | 'struct'; readonly name: string }
  /** Without a length it may have any. */
  | { readonly kind: 'list'; readonly of: Type; readonly length: number | undefined }
export interface Field {
  readonly name: string
  /** The type as the request writes it, which is what is hashed. */
  readonly text: string
  readonly type: Type
}
export interface Struct {
  readonly name: string
  readonly fields: readonly Field[]
}
/** The structs of a request by name, the domain's not among them. */
export type Structs = ReadonlyMap<string, Struct>

export const DOMAIN = 'EIP712Domain'
/** The types of one request, and the characters of one type's text (EIP-712 `encodeType`): each costs work for all others. */
export const MAX_TYPES = 64
export const MAX_TYPE_TEXT = 16_384

/** Solidity's identifiers; struct names may contain a colon, because Hyperliquid's do. */
const STRUCT_NAME = /^[A-Za-z_$][\w$:]*$/
const FIELD_NAME = /^[A-Za-z_$][\w$]*$/
const TYPE = /^([A-Za-z_$][\w$:]*)((?:\[(?:[1-9]\d{0,8})?\])*)$/
/** Names that other signers take for a type of Solidity, some of them for a short form of another one. */
const RESERVED = /^(u?int|bytes?|u?fixed|function)[\dx]*$/

/** EIP-712: the fields that a domain may have, in the standard's order. */
const domainFields: readonly Field[] = Object.entries({
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}).map(([name, text]) => ({ name, text, type: parseType(text) }))

/** Reads the `types` of a request: every type has to be one of EIP-712's or one of the request's own. */
export function parseStructs(types: PlainObject): Structs {
  const names = Object.keys(types).filter((name) => name !== DOMAIN)
  if (names.length > MAX_TYPES) throw new InvalidRequest('The typed data has too many types')
  const structs = new Map(
    names.map((name) => {
      if (!STRUCT_NAME.test(name) || RESERVED.test(name) || isValueType(name))
        throw new InvalidRequest('The typed data has a type with an invalid name')
      return [name, { name, fields: parseFields(name, types[name]) }] as const
    }),
  )
  for (const { fields } of structs.values())
    for (const { type } of fields) {
      const { kind, name } = innermost(type)
      if (kind === 'struct' && !structs.has(name))
        throw new InvalidRequest(`The typed data has no type ${name.slice(0, 128)}`)
    }
  for (const struct of structs.values()) encodeType(struct, structs)
  return structs
}

/** The domain's struct: as the request declares it, in its order, or else made of the fields that the domain has. */
export function parseDomainStruct(declared: Plain | undefined, domain: PlainObject): Struct {
  const fields =
    declared === undefined
      ? domainFields.filter(({ name }) => Object.hasOwn(domain, name))
      : parseFields(DOMAIN, declared)
  for (const field of fields)
    if (!domainFields.some(({ name, text }) => name === field.name && text === field.text))
      throw new InvalidRequest('A domain may only have a name, version, chainId, verifyingContract and salt')
  return { name: DOMAIN, fields }
}

function parseFields(struct: string, list: Plain | undefined): readonly Field[] {
  // Solidity has no struct without fields, and a list of thousands of them would cost a hash each. A domain may be empty.
  if (!Array.isArray(list) || (list.length === 0 && struct !== DOMAIN))
    throw new InvalidRequest('The typed data has a type without fields')
  const fields = list.map(parseField)
  if (new Set(fields.map(({ name }) => name)).size < fields.length)
    throw new InvalidRequest('The typed data has a type with the same field twice')
  return fields
}

function parseField(field: Plain): Field {
  const { name, type: text, ...more } = isPlainObject(field) ? field : (Object.create(null) as PlainObject)
  if (typeof name !== 'string' || typeof text !== 'string' || Object.keys(more).length > 0)
    throw new InvalidRequest('Each field of a type must have a name and a type')
  if (!FIELD_NAME.test(name)) throw new InvalidRequest('The typed data has a field with an invalid name')
  return { name, text, type: parseType(text) }
}

function parseType(text: string): Type {
  const [, name = '', lengths = ''] = TYPE.exec(text) ?? []
  if (!name) throw new InvalidRequest("The typed data has a type that can't be read")
  let type: Type = { kind: isValueType(name) ? 'value' : 'struct', name }
  for (const [, length] of lengths.matchAll(/\[(\d*)\]/g))
    type = { kind: 'list', of: type, length: length ? Number(length) : undefined }
  return type
}

/** The type of the items of a list, of its lists' items, and so on. */
export function innermost(type: Type): Exclude<Type, { kind: 'list' }> {
  let inner = type
  while (inner.kind === 'list') inner = inner.of
  return inner
}

/** EIP-712 `encodeType`: the struct with its fields, then all structs that it needs, by name. Throws {@link InvalidRequest}. */
export function encodeType(struct: Struct, structs: Structs): string {
  const needed = new Map<string, string>()
  const visit = ({ name, fields }: Struct) => {
    if (needed.has(name)) return
    needed.set(name, `${name}(${fields.map((field) => `${field.text} ${field.name}`).join(',')})`)
    for (const { type } of fields) {
      const part = innermost(type)
      const found = part.kind === 'struct' ? structs.get(part.name) : undefined
      if (found) visit(found)
    }
  }
  visit(struct)
  const [own, ...others] = needed.values()
  const text = [own, ...others.sort()].join('')
  if (text.length > MAX_TYPE_TEXT) throw new InvalidRequest('The typed data has a type that is too long')
  return text
}
