import { isPlainObject, type Plain, type PlainObject } from '../wire/frame/plain.ts'
import { InvalidRequest } from './invalid-request.ts'
import { isValueType } from './typed-data-values.ts'

export type Type =
  | { readonly kind: 'value' | 'struct'; readonly name: string }
  | { readonly kind: 'list'; readonly of: Type; readonly length: number | undefined }
export interface Field {
  readonly name: string
  /** The type as the request writes it. */
  readonly text: string
  readonly type: Type
}
export interface Struct {
  readonly name: string
  readonly fields: readonly Field[]
}
export type Structs = ReadonlyMap<string, Struct>

const NAME = /^[A-Za-z_$][\w$]*$/
const TYPE = /^([A-Za-z_$][\w$:]*)((?:\[(?:[1-9]\d{0,8})?\])*)$/
const MOST_NAMES = 128

/** Reads the `types` of a request: each has fields, and only such of types that are EIP-712's or stand there too. */
export function readTypes(types: PlainObject, domain: string): Structs {
  const names = Object.keys(types)
  if (names.length > MOST_NAMES) throw new InvalidRequest('The typed data has too many types')
  const structs = new Map(
    names.map((name) => {
      if (!/^[A-Za-z_$][\w$:]*$/.test(name) || isValueType(name))
        throw new InvalidRequest('The typed data has a type without a proper name')
      return [name, { name, fields: readFields(types[name]) }] as const
    }),
  )
  for (const { fields } of structs.values())
    for (const { type } of fields) {
      const { kind, name } = innermost(type)
      if (kind === 'struct' && (name === domain || !structs.has(name)))
        throw new InvalidRequest(`The typed data has no type ${name.slice(0, MOST_NAMES)}`)
    }
  return structs
}

function readFields(list: Plain | undefined): readonly Field[] {
  const fields = Array.isArray(list) && list.length > 0 ? list.map(readField) : []
  if (fields.length === 0) throw new InvalidRequest('The typed data has a type without fields')
  if (new Set(fields.map(({ name }) => name)).size < fields.length)
    throw new InvalidRequest('The typed data has a type with a field twice')
  return fields
}

function readField(field: Plain): Field {
  const { name, type: text, ...more } = isPlainObject(field) ? field : (Object.create(null) as PlainObject)
  if (typeof name !== 'string' || typeof text !== 'string' || Object.keys(more).length > 0)
    throw new InvalidRequest('A field of a type has a name and a type')
  if (!NAME.test(name)) throw new InvalidRequest('The typed data has a field without a proper name')
  return { name, text, type: typeOf(text) }
}

function typeOf(text: string): Type {
  const [, name = '', lengths = ''] = TYPE.exec(text) ?? []
  if (!name) throw new InvalidRequest('The typed data has a type that can’t be read')
  let type: Type = { kind: isValueType(name) ? 'value' : 'struct', name }
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
