/** Encodes the arguments of a call, in the one way that `decodeArguments` reads. */
import { headSize, isDynamic } from './decode.ts'
import type { AbiType, Parameter } from './signature.ts'
import { toBytes, type Value } from './values.ts'

/** Hex without `0x`. */
export const encodeArguments = (
  parameters: readonly Parameter[],
  values: Extract<Value, { kind: 'struct' }>,
): string =>
  encodeSequence(
    parameters.map(({ type }) => type),
    values.items,
  )

const word = (number: number): string => number.toString(16).padStart(64, '0')

function encodeSequence(types: readonly AbiType[], items: readonly Value[]): string {
  let offset = types.reduce((sum, type) => sum + headSize(type), 0)
  let [heads, tails] = ['', '']
  for (const [at, type] of types.entries()) {
    const encoded = encodeValue(type, items[at])
    if (isDynamic(type)) {
      heads += word(offset)
      tails += encoded
      offset += encoded.length / 2
    } else heads += encoded
  }
  return heads + tails
}

function encodeValue(type: AbiType, value: Value | undefined): string {
  if (type.kind === 'value') {
    const hex = toBytes(value)?.slice(2) ?? ''
    if (!isDynamic(type)) return type.name === 'bytesN' ? hex.padEnd(64, '0') : hex.padStart(64, '0')
    return word(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')
  }
  const items = value?.kind === 'list' || value?.kind === 'struct' ? value.items : []
  if (type.kind === 'tuple')
    return encodeSequence(
      type.members.map((member) => member.type),
      items,
    )
  const each = encodeSequence(
    items.map(() => type.of),
    items,
  )
  return type.length === undefined ? word(items.length) + each : each
}
