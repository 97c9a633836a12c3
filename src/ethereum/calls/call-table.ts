/** Tables of well-known functions, by their signatures. */
import { Arguments } from './arguments.ts'
import type { Call } from './call.ts'
import { type Decoded, decodeArguments } from './decode.ts'
import { type FunctionSignature, parseSignature } from './signature.ts'

type Read<T, Asked, Data> = (args: Arguments, call: Asked, data: Data) => T
interface Known<T, Asked, Data> {
  readonly signature: FunctionSignature
  readonly read: Read<T, Asked, Data>
}
/** Functions by their signatures, and how a call of each is read with what else is known. */
export type Table<T, Asked = Call, Data = undefined> = Readonly<Record<string, Read<T, Asked, Data>>>

const tables = new WeakMap<object, ReadonlyMap<string, readonly Known<unknown, never, never>[]>>()
/** Signatures by selector, made when first needed: each costs a hash. */
export function bySelector<T, Asked, Data>(
  table: Table<T, Asked, Data>,
): ReadonlyMap<string, readonly Known<T, Asked, Data>[]> {
  let known = tables.get(table) as ReadonlyMap<string, readonly Known<T, Asked, Data>[]> | undefined
  if (!known) {
    const map = new Map<string, Known<T, Asked, Data>[]>()
    for (const [text, read] of Object.entries(table)) {
      const signature = parseSignature(text)
      if (!signature) continue
      map.set(signature.selector, [...(map.get(signature.selector) ?? []), { signature, read }])
    }
    known = map
    tables.set(table, map)
  }
  return known
}

/** The function of a table that a call is of, with its arguments; `undefined` where they are not encoded as they should be. */
export function findCall<T, Asked extends Call, Data>(
  table: Table<T, Asked, Data>,
  { data }: Pick<Call, 'data'>,
): (Known<T, Asked, Data> & Decoded) | undefined {
  for (const known of bySelector(table).get(data.slice(0, 10)) ?? []) {
    const decoded = decodeArguments(known.signature.parameters, data.slice(10))
    if (decoded) return { ...known, ...decoded }
  }
  return undefined
}

/** What a table reads out of a call; `undefined` for a call of another function. */
export function readCall<T, Asked extends Call, Data>(
  table: Table<T, Asked, Data>,
  call: Asked,
  data: Data,
): T | undefined {
  const found = findCall(table, call)
  return found?.read(new Arguments(found.values), call, data)
}
