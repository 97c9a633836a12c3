import { bySelector, readCall } from '../../ethereum/calls/call-table.ts'
import { decodeArguments } from '../../ethereum/calls/decode.ts'
import { wrappers } from '../../ethereum/calls/inner-calls.ts'
import type { InnerCall } from '../call.ts'
import { calls } from './calls.ts'

/**
 * Whether the data of a function that is known here are written as nobody writes them: contracts of old compilers take them all the same.
 * `trailing` is what stands behind the arguments.
 */
export function checkEncoding(call: InnerCall): { readonly isOdd: boolean; readonly trailing: string } {
  const selector = call.data.slice(0, 10)
  let trailing = '0x'
  for (const table of [calls, wrappers]) {
    const known = bySelector<unknown, never, never>(table).get(selector)
    if (!known) continue
    const decoded = known.map(({ signature }) => decodeArguments(signature.parameters, call.data.slice(10)))
    const [first] = decoded.filter((each) => each !== undefined)
    if (!first || (table === wrappers && readCall(wrappers, call, undefined) === undefined))
      return { isOdd: true, trailing }
    trailing = first.trailing
  }
  return { isOdd: false, trailing }
}
