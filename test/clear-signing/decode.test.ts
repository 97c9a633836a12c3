import { decodeAbiParameters, encodeAbiParameters, parseAbiItem, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeArguments } from '../../src/ethereum/calls/decode.ts'
import { parseSignature } from '../../src/ethereum/calls/signature.ts'
import { rawText, type Value } from '../../src/ethereum/calls/values.ts'
import { leastCpuTime } from '../support/cpu-time.ts'
import { limit } from '../support/limit.ts'
import { type Random, seeded } from '../support/random.ts'
import { counted, soak } from '../support/soak.ts'

describe('signatures', () => {
  test.each([
    ['deposit()', 'deposit()', '0xd0e30db0'],
    ['transfer(address to,uint256 value)', 'transfer(address,uint256)', '0xa9059cbb'],
    ['transfer(address to, uint256 value)', 'transfer(address,uint256)', '0xa9059cbb'],
    ['transfer(address,uint256)', 'transfer(address,uint256)', '0xa9059cbb'],
    [
      'f((address token,uint256 amount)[2][] order,bytes32 salt)',
      'f((address,uint256)[2][],bytes32)',
      undefined,
    ],
    ['f(tuple(address token) memory order)', 'f((address))', undefined],
  ])('%s has the selector of its types alone', (key, text, selector) => {
    const signature = parseSignature(key)
    expect(signature?.text).toBe(text)
    expect(signature?.selector).toBe(selector ?? toFunctionSelector(`function ${text}`))
  })

  test.each([
    ['a short form of a type', 'f(uint a)'],
    ['a size that no type has', 'f(uint7 a)'],
    ['bytes of 33', 'f(bytes33 a)'],
    ['an empty tuple, of which a list has any length', 'f(()[] a)'],
    ['a list of none', 'f(uint256[0] a)'],
    ['a name twice', 'f(uint256 a,address a)'],
    ['text behind it', 'f(uint256 a) view'],
    ['no end', 'f(uint256 a'],
    ['too many levels', `f(${'('.repeat(40)}uint256 a${')'.repeat(40)})`],
    ['too many types', `f(${Array.from({ length: 600 }, (_, at) => `uint8 a${at}`).join()})`],
    ['no name', '(uint256 a)'],
    ['a name of the prototype as a type', 'f(constructor a)'],
  ])('a key with %s is none', (_, key) => {
    expect(parseSignature(key)).toBeUndefined()
  })
})

const parametersOf = (types: string) => parseSignature(`f(${types})`)?.parameters ?? []
const decode = (types: string, data: string) => decodeArguments(parametersOf(types), data.replace(/^0x/, ''))
const word = (hex: string) => hex.padStart(64, '0')

describe('decoding: other than canonical data is refused', () => {
  test.each([
    ['dirty upper bytes of an address', 'address a', `01${word('11').slice(2)}`],
    ['a bool of two', 'bool a', word('2')],
    ['bits above a uint8', 'uint8 a', word('100')],
    ['bits above an int8', 'int8 a', word('80')],
    ['bits below bytes4', 'bytes4 a', `${'11'.repeat(4)}${'00'.repeat(27)}01`],
    ['too few bytes', 'uint256 a', '00'.repeat(31)],
    ['an offset to elsewhere', 'bytes a', `${word('40')}${word('0')}${word('0')}`],
    ['an offset beyond the end', 'bytes a', word('ffffffff')],
    ['an offset of 256 bits', 'bytes a', 'ff'.repeat(32)],
    ['a length beyond the end', 'bytes a', `${word('20')}${word('1')}`],
    ['padding that is not zero', 'bytes a', `${word('20')}${word('1')}11${'00'.repeat(30)}01`],
    ['a list longer than the data', 'uint256[] a', `${word('20')}${word('10000000')}`],
    ['two values in the same place', 'bytes a,bytes b', `${word('40')}${word('40')}${word('0')}`],
    ['too many values', 'uint256[] a', `${word('20')}${word('4001')}${word('1').repeat(16_385)}`],
  ])('%s', (_, types, data) => {
    expect(decode(types, data)).toBeUndefined()
  })
})

test('decoding: bytes behind the encoding are handed back apart', () => {
  expect(decode('uint256 a', `${word('5')}beef`)?.trailing).toBe('0xbeef')
  expect(decode('uint256 a', word('5'))?.trailing).toBe('0x')
})

test('decoding: a text that is no UTF-8 stays bytes', () => {
  const text = decode('string a', `${word('20')}${word('2')}${'c328'.padEnd(64, '0')}`)?.values.items[0]
  expect(text).toMatchObject({ kind: 'bytes', hex: '0xc328' })
  expect(
    decode('string a', `${word('20')}${word('2')}${'c3a4'.padEnd(64, '0')}`)?.values.items[0],
  ).toMatchObject({
    kind: 'text',
    value: 'ä',
  })
})

const rounds = soak(400, 20_000)
test(`decoding: ${counted(rounds)} random types and values give what viem decodes, and viem encodes them to the same bytes`, {
  timeout: limit(120_000),
}, () => {
  const random = seeded(20_260_102)
  for (let round = 0; round < rounds; round++) {
    const types = Array.from(
      { length: 1 + random.whole(4) },
      (_, at) => `${randomType(random, 0)} v${at}`,
    ).join()
    const item = parseAbiItem(`function f(${types})`) as unknown as { inputs: readonly never[] }
    const values = item.inputs.map((input) => randomValue(random, input))
    const data = encodeAbiParameters(item.inputs, values as never)
    const decoded = decode(types, data)
    if (!decoded) throw new Error(`refused: ${types} ${data}`)
    expect(decoded.trailing).toBe('0x')
    expect(decoded.values.items.map(plain)).toEqual(
      (decodeAbiParameters(item.inputs, data) as unknown[]).map(asPlain),
    )
    // One bit more or less is other values, or none.
    const at = random.whole(data.length - 2) + 2
    const digit = (Number.parseInt(data[at] ?? '0', 16) ^ (1 << random.whole(4))).toString(16)
    const changed = decode(types, data.slice(0, at) + digit + data.slice(at + 1))
    if (changed)
      expect([changed.values.items.map(plain), changed.trailing]).not.toEqual([
        decoded.values.items.map(plain),
        '0x',
      ])
  }
})

test('decoding: 16,384 values take at most 50 ms', () => {
  const parts = ['address[]', 'uint256[]', 'bytes32[]'].map((type) => {
    const value = type === 'address[]' ? (at: number) => word((at + 1).toString(16)) : () => 'ab'.repeat(32)
    return [
      type,
      `${word('20')}${word('4000')}${Array.from({ length: 16_384 }, (_, at) => value(at)).join('')}`,
    ] as const
  })
  for (const [type, data] of parts) {
    const time = leastCpuTime(10, () => {
      expect(decode(`${type} a`, data)?.values.items).toHaveLength(1)
    })
    expect(time).toBeLessThan(limit(50))
  }
})

const leaves = [
  'uint256',
  'uint8',
  'int256',
  'int16',
  'address',
  'bool',
  'bytes32',
  'bytes4',
  'bytes',
  'string',
  'uint48',
]
function randomType(random: Random, depth: number): string {
  if (depth > 2 || random.chance(0.6)) return random.pick(leaves)
  if (random.chance(0.5)) return `${randomType(random, depth + 1)}${random.pick(['[]', '[2]', '[1]', '[]'])}`
  const members = Array.from(
    { length: 1 + random.whole(3) },
    (_, at) => `${randomType(random, depth + 1)} m${at}`,
  )
  return `(${members.join()})`
}

interface AbiInput {
  readonly type: string
  readonly name?: string
  readonly components?: readonly AbiInput[]
}
function randomValue(random: Random, { type, components }: AbiInput): unknown {
  const list = /^(.*)\[(\d*)\]$/.exec(type)
  if (list) {
    const length = list[2] ? Number(list[2]) : random.whole(4)
    const item = { type: list[1] ?? '', ...(components && { components }) }
    return Array.from({ length }, () => randomValue(random, item))
  }
  if (components) return Object.fromEntries(components.map((each) => [each.name, randomValue(random, each)]))
  const hex = (bytes: number) =>
    Array.from({ length: bytes }, () => random.whole(256).toString(16).padStart(2, '0')).join('')
  if (type === 'address') return `0x${hex(20)}`
  if (type === 'bool') return random.chance(0.5)
  if (type === 'string') return random.pick(['', 'a', 'ä😀', 'x'.repeat(33), '\u202E'])
  if (type === 'bytes') return `0x${hex(random.pick([0, 1, 31, 32, 33]))}`
  const [, kind, size] = /^(bytes|u?int)(\d+)$/.exec(type) ?? []
  if (kind === 'bytes') return `0x${hex(Number(size))}`
  const number = BigInt(`0x${hex(Number(size) / 8)}`) >> BigInt(random.pick([0, 1, Number(size) - 4]))
  return kind === 'int' ? BigInt.asIntN(Number(size), number) : number
}

/** Values without their types. */
function plain(value: Value): unknown {
  if (value.kind === 'list' || value.kind === 'struct') return value.items.map(plain)
  if (value.kind === 'address') return value.hex
  return value.kind === 'number' ? value.value : rawText(value)
}
function asPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asPlain)
  if (typeof value === 'object' && value !== null) return Object.values(value).map(asPlain)
  if (typeof value === 'number') return BigInt(value)
  if (typeof value === 'bigint') return value
  const text = String(value)
  return /^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : text
}
