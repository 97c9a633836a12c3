import type { InnerCall } from '../call.ts'
import { decodeArguments } from '../decode.ts'
import { bySelector, readCall } from './call-table.ts'
import { calls } from './calls.ts'
import { wrappers } from './inner-calls.ts'

/**
 * Whether the data of a function that is known here are written as nobody writes them: contracts of old compilers take them all the same.
 * `trailing` is what stands behind the arguments.
 */
export function checkEncoding(call: InnerCall): { readonly isOdd: boolean; readonly trailing: string } {
  const selector = call.data.slice(0, 10)
  let trailing = '0x'
  for (const table of [calls, wrappers]) {
    const known = bySelector(table).get(selector)
    if (!known) continue
    const decoded = known.map(({ signature }) => decodeArguments(signature.parameters, call.data.slice(10)))
    const [first] = decoded.filter((each) => each !== undefined)
    if (!first || (table === wrappers && readCall(wrappers, call) === undefined))
      return { isOdd: true, trailing }
    trailing = first.trailing
  }
  return { isOdd: false, trailing }
}
