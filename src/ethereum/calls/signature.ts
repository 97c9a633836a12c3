/** Function signatures with parameter names, as the keys of a descriptor's formats have them. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { MAX_SIGNATURE, MAX_TYPE_DEPTH, MAX_TYPES } from './limits.ts'

export type AbiType =
  | { readonly kind: 'value'; readonly text: string; readonly name: Elementary; readonly size: number }
  | { readonly kind: 'tuple'; readonly text: string; readonly members: readonly Parameter[] }
  /** Without a length it may have any. */
  | {
      readonly kind: 'list'
      readonly text: string
      readonly of: AbiType
      readonly length: number | undefined
    }
export type Elementary = 'uint' | 'int' | 'address' | 'bool' | 'bytesN' | 'bytes' | 'string'
export interface Parameter {
  readonly name: string
  readonly type: AbiType
}
export interface FunctionSignature {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** `0x` and 8 hex digits. */
  readonly selector: string
  /** The signature without parameter names, which the selector is made of. */
  readonly text: string
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const INTEGER = /^(u?int)([1-9]\d{1,2}|8)$/
const FIXED_BYTES = /^bytes([1-9]|[12]\d|3[0-2])$/

/**
 * Reads a signature such as `transfer(address to,uint256 value)`. White space between its parts is allowed, because published
 * descriptors have it; short forms of types (`uint`) and types without size are not. `undefined` for anything else.
 */
export function parseSignature(key: string): FunctionSignature | undefined {
  if (key.length > MAX_SIGNATURE) return undefined
  const open = key.indexOf('(')
  const name = key.slice(0, Math.max(open, 0)).trim()
  if (!IDENTIFIER.test(name)) return undefined
  const reader = createReader(key, open)
  const parameters = reader.list(1)
  if (!parameters || !reader.isAtEnd()) return undefined
  const text = `${name}${tupleText(parameters)}`
  return { name, parameters, text, selector: selectorOf(text) }
}

/** The first four bytes of a signature's hash. */
export const selectorOf = (signature: string): string =>
  `0x${bytesToHex(keccak_256(utf8ToBytes(signature)).subarray(0, 4))}`

const tupleText = (members: readonly Parameter[]) => `(${members.map(({ type }) => type.text).join(',')})`

function createReader(text: string, start: number) {
  let at = start
  let types = 0
  const skip = () => {
    while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n') at++
  }
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [found = ''] = pattern.exec(text) ?? []
    at += found.length
    return found
  }

  /** A list of parameters in parentheses. */
  function list(depth: number): Parameter[] | undefined {
    if (depth > MAX_TYPE_DEPTH || text[at] !== '(') return undefined
    at++
    const parameters: Parameter[] = []
    skip()
    if (text[at] === ')') {
      at++
      return parameters
    }
    for (;;) {
      skip()
      const type = readType(depth)
      if (!type) return undefined
      skip()
      // Keywords between type and name, as Solidity has them, say nothing about the value.
      let name = take(/[A-Za-z_$][\w$]*/y)
      skip()
      while (
        /^(memory|calldata|storage|payable|indexed)$/.test(name) &&
        text[at] !== ',' &&
        text[at] !== ')'
      ) {
        name = take(/[A-Za-z_$][\w$]*/y)
        if (!name) return undefined
        skip()
      }
      parameters.push({ name, type })
      if (text[at] === ')') {
        at++
        const names = parameters.map((each) => each.name).filter(Boolean)
        return new Set(names).size === names.length ? parameters : undefined
      }
      if (text[at] !== ',') return undefined
      at++
    }
  }

  function readType(depth: number): AbiType | undefined {
    if (++types > MAX_TYPES) return undefined
    let type: AbiType | undefined
    const word = text[at] === '(' ? '' : take(/[a-z]+\d*/y)
    // `tuple(...)` is how some tools write a tuple.
    if (text[at] === '(' && (word === '' || word === 'tuple')) {
      const members = list(depth + 1)
      // A tuple of nothing takes no bytes: a list could have any number of them.
      type = members?.length ? { kind: 'tuple', text: tupleText(members), members } : undefined
    } else type = valueType(word)
    let nesting = depth
    while (type && text[at] === '[') {
      const suffix = take(/\[\d{0,9}\]/y)
      const length = suffix === '[]' ? undefined : Number(suffix.slice(1, -1))
      if (!suffix || length === 0 || ++nesting > MAX_TYPE_DEPTH) return undefined
      type = {
        kind: 'list',
        text: `${type.text}${length === undefined ? '[]' : `[${length}]`}`,
        of: type,
        length,
      }
    }
    return type
  }

  return {
    list,
    isAtEnd() {
      skip()
      return at === text.length
    },
  }
}

function valueType(text: string): AbiType | undefined {
  const value = (name: Elementary, size: number): AbiType => ({ kind: 'value', text, name, size })
  if (text === 'address') return value('address', 20)
  if (text === 'bool') return value('bool', 1)
  if (text === 'bytes' || text === 'string') return value(text, 0)
  const [, integer, bits] = INTEGER.exec(text) ?? []
  if (integer && Number(bits) <= 256 && Number(bits) % 8 === 0)
    return value(integer === 'uint' ? 'uint' : 'int', Number(bits))
  const [, length] = FIXED_BYTES.exec(text) ?? []
  return length ? value('bytesN', Number(length)) : undefined
}
