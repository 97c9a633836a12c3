/** Random typed data whose message fits its types. */
import fc from 'fast-check'
import { hashTypedData } from 'viem'

interface Member {
  readonly name: string
  readonly type: string
}
export interface TypedData {
  types: Record<string, readonly Member[]>
  primaryType: string
  domain: Record<string, unknown>
  message: Record<string, unknown>
}

const hex = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
/** As pages write numbers: exact ones as such, all as decimal or hex text. */
const integer = (min: bigint, max: bigint) =>
  fc.bigInt({ min, max }).chain((value) => {
    const forms: unknown[] = [value, value.toString()]
    if (Number.isSafeInteger(Number(value))) forms.push(Number(value))
    if (value >= 0n) forms.push(`0x${value.toString(16)}`)
    return fc.constantFrom(...forms)
  })
const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8)

/** A type without parts with a value of it. */
const value: fc.Arbitrary<{ type: string; value: unknown }> = fc.oneof(
  fc.boolean().map((value) => ({ type: 'bool', value })),
  hex(20).map((value) => ({ type: 'address', value })),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => ({ type: 'string', value })),
  fc
    .integer({ min: 0, max: 70 })
    .chain(hex)
    .map((value) => ({ type: 'bytes', value })),
  fc
    .integer({ min: 1, max: 32 })
    .chain((size) => hex(size).map((value) => ({ type: `bytes${size}`, value }))),
  bits.chain((size) => integer(0n, 2n ** BigInt(size) - 1n).map((value) => ({ type: `uint${size}`, value }))),
  bits.chain((size) =>
    integer(-(2n ** BigInt(size - 1)), 2n ** BigInt(size - 1) - 1n).map((value) => ({
      type: `int${size}`,
      value,
    })),
  ),
)

/** Lists of one type, of any length or of the one that they have. */
function inLists({ type, value }: { type: string; value: unknown }, lists: readonly ListShape[]) {
  let whole = { type, value }
  for (const { copies, fixed } of lists)
    whole = {
      type: `${whole.type}[${fixed && copies > 0 ? copies : ''}]`,
      value: Array.from({ length: copies }, () => whole.value),
    }
  return whole
}
type ListShape = { copies: number; fixed: boolean }
const lists = fc.array(fc.record({ copies: fc.integer({ min: 0, max: 3 }), fixed: fc.boolean() }), {
  maxLength: 2,
})

/** Structs named `S` and their number, each of which may hold those before it. */
const message = fc
  .array(fc.array(fc.record({ part: fc.oneof(value, fc.nat(4)), lists }), { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((plans) => {
    const types: Record<string, Member[]> = {}
    const values: Record<string, unknown>[] = []
    plans.forEach((members, at) => {
      const fields: Member[] = []
      const made: Record<string, unknown> = {}
      members.forEach(({ part, lists }, i) => {
        if (typeof part === 'number' && at === 0) return
        const inner = typeof part === 'number' ? { type: `S${part % at}`, value: values[part % at] } : part
        const whole = inLists(inner, lists)
        fields.push({ name: `f${i}`, type: whole.type })
        made[`f${i}`] = whole.value
      })
      if (fields.length === 0) {
        fields.push({ name: 'only', type: 'bool' })
        made.only = true
      }
      types[`S${at}`] = fields
      values.push(made)
    })
    return { types, primaryType: `S${plans.length - 1}`, message: values.at(-1) ?? {} }
  })

const domainTypes = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
} as const
const domain = fc
  .record(
    {
      name: fc.string({ maxLength: 20 }),
      version: fc.constantFrom('1', '2'),
      chainId: integer(1n, 2n ** 40n),
      verifyingContract: hex(20),
      salt: hex(32),
    },
    { requiredKeys: [] },
  )
  .map((fields): Record<string, unknown> => (Object.keys(fields).length > 0 ? fields : { name: 'x' }))

/** With the domain's type among the types, as most libraries send it, or without. */
export const typedData: fc.Arbitrary<TypedData> = fc
  .record({ message, domain, declared: fc.boolean() })
  .map(({ message: { types, primaryType, message }, domain, declared }) => {
    const held = Object.entries(domainTypes).filter(([name]) => Object.hasOwn(domain, name))
    // viem leaves a chain id that is text out of a domain that is not declared.
    if (!declared && domain.chainId !== undefined) domain.chainId = Number(domain.chainId)
    const own = { EIP712Domain: held.map(([name, type]) => ({ name, type })) }
    return { types: declared ? { ...own, ...types } : types, primaryType, domain, message }
  })

/** The hash by another implementation, whose types are far stricter than what a page may send. */
export const hashByViem = (data: TypedData) =>
  hashTypedData(data as unknown as Parameters<typeof hashTypedData>[0])
