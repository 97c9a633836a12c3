import { isPlainObject, type Plain, type PlainObject } from '../../../wire/frame/plain.ts'
import { bounds } from '../../bounds.ts'
import { invalid } from '../invalid.ts'
import { type Encode, valueType } from './values.ts'

export type Type =
  | { readonly kind: 'value'; readonly encode: Encode }
  | { readonly kind: 'struct'; readonly name: string }
  /** Of any length when none is given. */
  | { readonly kind: 'list'; readonly of: Type; readonly length: number | undefined }
export interface Field {
  readonly name: string
  readonly type: Type
  /** The type as the request wrote it, which is what is hashed. */
  readonly text: string
}
export interface Struct {
  readonly name: string
  readonly fields: readonly Field[]
}
/** The structs of a request by name, without that of the domain. */
export type Structs = ReadonlyMap<string, Struct>

/** Solidity's identifiers; of structs with colons too, as some chains have them. Nothing that could end a name early. */
const STRUCT = /^[A-Za-z_$][\w$:]*$/
const FIELD = /^[A-Za-z_$][\w$]*$/
const TYPE = /^([A-Za-z_$][\w$:]*)((?:\[(?:[1-9]\d{0,8})?\])*)$/
/** Names that other signers read as a type of Solidity's, some of them short for another. */
const RESERVED = /^(u?int|bytes?|u?fixed|function)[\dx]*$/

export const DOMAIN = 'EIP712Domain'
/** EIP-712: what a domain may hold, in this order. */
const domainFields: readonly Field[] = Object.entries({
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}).map(([name, text]) => ({ name, text, type: typeOf(text) }))

/** Reads the `types` of a request: every type has to be one of EIP-712's or one of the request's own. */
export function readStructs(types: PlainObject): Structs {
  const names = Object.keys(types).filter((name) => name !== DOMAIN)
  if (names.length > bounds.typedDataTypes) throw invalid('The typed data has too many types')
  const structs = new Map<string, Struct>()
  for (const name of names) {
    if (!STRUCT.test(name) || RESERVED.test(name) || valueType(name))
      throw invalid('The typed data has a type without a proper name')
    structs.set(name, { name, fields: readFields(types[name]) })
  }
  for (const { fields } of structs.values())
    for (const { type } of fields) {
      const part = innermost(type)
      if (part.kind === 'struct' && !structs.has(part.name))
        throw invalid(`The typed data has no type ${part.name}`)
    }
  return structs
}

/** The struct of a domain: as the request has it among its types, or else what the domain holds. */
export function readDomainStruct(declared: Plain | undefined, domain: PlainObject): Struct {
  const fields =
    declared === undefined
      ? domainFields.filter(({ name }) => Object.hasOwn(domain, name))
      : readFields(declared)
  for (const field of fields)
    if (!domainFields.some(({ name, text }) => name === field.name && text === field.text))
      throw invalid(
        'The domain of the typed data may have a name, version, chainId, verifyingContract and salt',
      )
  if (fields.length === 0) throw invalid('The domain of the typed data is empty')
  return { name: DOMAIN, fields }
}

function readFields(list: Plain | undefined): readonly Field[] {
  // Solidity has no struct without fields, and a list of thousands of them would cost a hash each.
  if (!isList(list) || list.length === 0) throw invalid('The typed data has a type without fields')
  const fields = list.map(readField)
  if (new Set(fields.map(({ name }) => name)).size < fields.length)
    throw invalid('The typed data has a type with a field twice')
  return fields
}

function readField(field: Plain): Field {
  const { name, type: text, ...more } = isPlainObject(field) ? field : Object.create(null)
  if (typeof name !== 'string' || typeof text !== 'string' || Object.keys(more).length > 0)
    throw invalid('A field of a type has a name and a type')
  if (!FIELD.test(name)) throw invalid('The typed data has a field without a proper name')
  return { name, text, type: typeOf(text) }
}

function typeOf(text: string): Type {
  const [, name = '', lengths = ''] = TYPE.exec(text) ?? []
  if (name === '') throw invalid('The typed data has a type that can’t be read')
  const encode = valueType(name)
  let type: Type = encode ? { kind: 'value', encode } : { kind: 'struct', name }
  for (const [, length] of lengths.matchAll(/\[(\d*)\]/g))
    type = { kind: 'list', of: type, length: length ? Number(length) : undefined }
  return type
}

/** What lists of lists are made of in the end. */
function innermost(type: Type): Exclude<Type, { kind: 'list' }> {
  let inner = type
  while (inner.kind === 'list') inner = inner.of
  return inner
}

/**
 * EIP-712 `encodeType`: the struct with its fields, then those that it needs, by name. One text for one set of types.
 */
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
  if (text.length > bounds.typedDataTypeText) throw invalid('The typed data has a type that is too long')
  return text
}

const isList = (value: Plain | undefined): value is readonly Plain[] => Array.isArray(value)
