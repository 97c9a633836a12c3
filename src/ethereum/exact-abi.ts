import { type Abi, type AbiFunction, parseAbi } from 'viem'
import { decodeFunctionData, encodeFunctionData, toFunctionSelector } from 'viem/utils'

export interface ExactCall {
  /** Name and types, such as `transfer(address,uint256)`. */
  readonly signature: string
  readonly args: readonly unknown[]
  /** The same function with other arguments. */
  encode(args: readonly unknown[]): `0x${string}`
}
export type ExactDecoder = (data: string) => ExactCall | undefined

/**
 * Decodes calls of these functions, and only where encoding the arguments again gives the very same bytes: dirty upper bytes, odd
 * offsets and trailing bytes would let a contract read something else than is shown.
 */
export function exactDecoder(signatures: readonly string[]): ExactDecoder {
  let bySelector: ReadonlyMap<string, { readonly abi: Abi; readonly signature: string }> | undefined
  return (data) => {
    const call = data.toLowerCase() as `0x${string}`
    // Built when it is first needed: hashing the signatures takes a millisecond.
    bySelector ??= new Map(
      (parseAbi(signatures as readonly string[]) as readonly AbiFunction[]).map((item) => [
        toFunctionSelector(item),
        { abi: [item], signature: signatureOf(item) },
      ]),
    )
    const found = bySelector.get(call.slice(0, 10))
    if (!found) return undefined
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi: found.abi, data: call })
      const encode = (given: readonly unknown[]) =>
        encodeFunctionData({ abi: found.abi, functionName, args: given } as never) as `0x${string}`
      const isExact = encode(args as unknown[]).toLowerCase() === call
      return isExact ? { signature: found.signature, args: args as unknown[], encode } : undefined
    } catch {
      return undefined
    }
  }
}

const signatureOf = ({ name, inputs }: AbiFunction) => `${name}(${inputs.map(typeOf).join()})`

function typeOf(input: AbiFunction['inputs'][number]): string {
  if (!input.type.startsWith('tuple') || !('components' in input)) return input.type
  return `(${input.components.map(typeOf).join()})${input.type.slice('tuple'.length)}`
}
