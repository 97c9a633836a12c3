/** Tables of well-known functions, by their signatures. */
import type { InnerCall } from '../call.ts'
import type { DataProvider } from '../data.ts'
import { decodeArguments } from '../decode.ts'
import { type FunctionSignature, parseSignature } from '../signature.ts'
import { Arguments } from './arguments.ts'

interface Known<T> {
  readonly signature: FunctionSignature
  readonly read: (args: Arguments, call: InnerCall) => T
}
export type Table<T> = Readonly<Record<string, (args: Arguments, call: InnerCall, data: DataProvider) => T>>

const tables = new WeakMap<object, ReadonlyMap<string, readonly Known<unknown>[]>>()
/** Signatures by selector, made when first needed: each costs a hash. */
export function bySelector(table: object): ReadonlyMap<string, readonly Known<unknown>[]> {
  let known = tables.get(table)
  if (!known) {
    const map = new Map<string, Known<unknown>[]>()
    for (const [text, read] of Object.entries(table)) {
      const signature = parseSignature(text)
      if (!signature) continue
      map.set(signature.selector, [...(map.get(signature.selector) ?? []), { signature, read }])
    }
    known = map
    tables.set(table, known)
  }
  return known
}

export function readCall<T>(table: Table<T>, call: InnerCall, data?: DataProvider): T | undefined {
  for (const { signature, read } of bySelector(table).get(call.data.slice(0, 10)) ?? []) {
    const decoded = decodeArguments(signature.parameters, call.data.slice(10))
    if (decoded)
      return (read as (args: Arguments, call: InnerCall, data?: DataProvider) => T)(
        new Arguments(decoded.values),
        call,
        data,
      )
  }
  return undefined
}
