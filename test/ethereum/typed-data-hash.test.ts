import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashTypedData, MAX_DEPTH, MAX_VALUES, parseTypedData } from '../../src/ethereum/typed-data.ts'
import { MAX_TYPE_TEXT, MAX_TYPES } from '../../src/ethereum/typed-data-types.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import type { PlainObject } from '../../src/lib/plain.ts'
import { limit } from '../support/limit.ts'
import { hashByViem, type TypedData, typedData } from '../support/random-typed-data.ts'
import { counted, soak } from '../support/soak.ts'

const hashOf = (data: unknown) => `0x${Buffer.from(hashTypedData(parseTypedData(data))).toString('hex')}`

const order = {
  types: {
    // Not in the usual order: without this the domain's type would be another one.
    EIP712Domain: [
      { name: 'chainId', type: 'uint256' },
      { name: 'name', type: 'string' },
    ],
    Order: [
      { name: 'maker', type: 'address' },
      { name: 'amount', type: 'uint8' },
      { name: 'delta', type: 'int8' },
      { name: 'open', type: 'bool' },
      { name: 'note', type: 'string' },
      { name: 'key', type: 'bytes4' },
      { name: 'data', type: 'bytes' },
      { name: 'pair', type: 'Leg[2]' },
      { name: 'legs', type: 'Leg[]' },
    ],
    Leg: [{ name: 'weight', type: 'uint256' }],
  },
  primaryType: 'Order',
  domain: { name: 'Exchange', chainId: 1 },
  message: {
    maker: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
    amount: 255,
    delta: -128,
    open: true,
    note: 'žluťoučký',
    key: '0x01020304',
    data: '0x',
    pair: [{ weight: 1 }, { weight: '2' }],
    legs: [],
  },
}
type Order = typeof order
/** The order, with something of it changed. */
const changed = (change: (data: Order) => unknown) => {
  const data = structuredClone(order)
  change(data)
  return data
}
const withMessage = (fields: object) => ({ ...order, message: { ...order.message, ...fields } })
const withDomain = (domain: object, type?: readonly { name: string; type: string }[]) => ({
  ...order,
  domain,
  types: { ...order.types, EIP712Domain: type },
})
const withField = (type: string, value: unknown, more: object = {}) => ({
  ...order,
  types: { EIP712Domain: order.types.EIP712Domain, P: [{ name: 'f', type }], ...more },
  primaryType: 'P',
  message: { f: value },
})

describe('typed data', () => {
  const requests = soak(60, 1_000)

  test(`the digest of ${counted(requests)} random requests is viem’s, as an object and as text`, {
    timeout: limit(60_000),
  }, () => {
    let count = 0
    fc.assert(
      fc.property(typedData, (data) => {
        const expected = hashByViem(data)
        expect(hashOf(data)).toBe(expected)
        const text = JSON.stringify(data, (_, value) =>
          typeof value === 'bigint' ? value.toString() : value,
        )
        expect(hashOf(text)).toBe(expected)
        count++
      }),
      { numRuns: requests, seed: 20_260_101 },
    )
    console.log(`Typed data: ${count} random requests with viem's digest`)
  })

  test('numbers in all their forms mean the same', () => {
    const digests = [255, 255n, '255', '0xff', '0x00ff'].map((amount) => hashOf(withMessage({ amount })))
    expect(new Set(digests)).toEqual(new Set([hashByViem(order)]))
    expect(hashOf(withMessage({ delta: '-128' }))).toBe(hashByViem(order))
  })

  test('a domain that is not declared is made of what it holds, in the standard’s order', () => {
    const { EIP712Domain: _, ...types } = order.types
    expect(hashOf({ ...order, types })).toBe(hashByViem({ ...order, types }))
    expect(hashOf({ ...order, types, domain: { chainId: 1, name: 'Exchange' } })).toBe(
      hashByViem({ ...order, types }),
    )
  })

  test('a domain may have no field at all, whether that is declared or not', () => {
    const empty = { ...order, domain: {}, types: { ...order.types, EIP712Domain: [] } }
    const { EIP712Domain: _, ...types } = order.types
    expect(hashOf(empty)).toBe(hashByViem(empty))
    expect(hashOf({ ...order, domain: {}, types })).toBe(hashByViem(empty))
  })

  test('names with a colon, as some chains have them', () => {
    const name = 'HyperliquidTransaction:UsdSend'
    const data = {
      types: { [name]: [{ name: 'amount', type: 'string' }] },
      primaryType: name,
      domain: { name: 'HyperliquidSignTransaction', version: '1', chainId: 421614 },
      message: { amount: '1' },
    }
    expect(hashOf(data)).toBe(hashByViem(data))
  })

  test('a struct that holds a list of itself', () => {
    const data = withField('P[]', [{ f: [] }, { f: [{ f: [] }] }])
    expect(hashOf(data)).toBe(hashByViem(data as unknown as TypedData))
  })

  const malformed: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['text that is no JSON', '{"types":'],
    ['JSON text of text', '"{}"'],
    ['a prototype key', JSON.stringify(order).replace('"note":', '"__proto__":')],
    ['no types', changed((data) => delete (data as Partial<Order>).types)],
    ['no domain', changed((data) => delete (data as Partial<Order>).domain)],
    ['no message', changed((data) => delete (data as Partial<Order>).message)],
    ['no primaryType', changed((data) => delete (data as Partial<Order>).primaryType)],
    ['something more', { ...order, more: 1 }],
    ['an unknown primaryType', { ...order, primaryType: 'Other' }],
    ['a primaryType of the prototype', { ...order, primaryType: 'toString' }],
    ['the domain as primaryType', { ...order, primaryType: 'EIP712Domain', message: order.domain }],
    ['a missing field', changed((data) => delete (data.message as Partial<Order['message']>).note)],
    ['an extra field', withMessage({ more: 1 })],
    ['an extra field in a part', withMessage({ legs: [{ weight: 1, more: 1 }] })],
    ['a missing field in a part', withMessage({ legs: [{}] })],
    ['null for a struct', withMessage({ legs: [null] })],
    ['null for text', withMessage({ note: null })],
    ['a number for text', withMessage({ note: 5 })],
    ['a lone surrogate', withMessage({ note: '\ud800' })],
    ['text for a truth', withMessage({ open: 'true' })],
    ['a number for a truth', withMessage({ open: 1 })],
    ['too big', withMessage({ amount: 256 })],
    ['negative', withMessage({ amount: -1 })],
    ['too small', withMessage({ delta: -129 })],
    ['too big with a sign', withMessage({ delta: 128 })],
    ['a fraction', withMessage({ amount: 1.5 })],
    [
      'not exact',
      JSON.stringify(order).replace('"2"', '115792089237316195423570985008687907853269984665640'),
    ],
    ['not a number', withMessage({ amount: 'ten' })],
    ['empty text for a number', withMessage({ amount: '' })],
    ['blanks around a number', withMessage({ amount: ' 1' })],
    ['an octal look', withMessage({ amount: '010' })],
    ['a minus before hex', withMessage({ delta: '-0x5' })],
    ['a capital 0X', withMessage({ amount: '0XFF' })],
    ['hex without digits', withMessage({ amount: '0x' })],
    ['a bigint above 256 bits', withMessage({ legs: [{ weight: (2n ** 256n).toString() }] })],
    ['short bytes', withMessage({ key: '0x010203' })],
    ['long bytes', withMessage({ key: '0x0102030405' })],
    ['half a byte', withMessage({ data: '0x1' })],
    ['text for bytes', withMessage({ data: 'hello' })],
    ['a list for bytes', withMessage({ data: [1, 2] })],
    ['a short address', withMessage({ maker: '0x1234' })],
    ['an address without 0x', withMessage({ maker: order.message.maker.slice(2) })],
    ['an address with a wrong checksum', withMessage({ maker: order.message.maker.replace('CD2a', 'Cd2a') })],
    ['an address as a number', withMessage({ maker: 1 })],
    ['too few of a fixed list', withMessage({ pair: [{ weight: 1 }] })],
    ['too many of a fixed list', withMessage({ pair: [1, 2, 3].map((weight) => ({ weight })) })],
    ['an object for a list', withMessage({ legs: { 0: { weight: 1 }, length: 1 } })],
    ['an unknown type', withField('Other', {})],
    ['an unknown type in a list', withField('Other[]', [])],
    ['an unknown type that nobody uses', withField('bool', true, { Q: [{ name: 'x', type: 'Other' }] })],
    ['the domain as a part', withField('EIP712Domain', order.domain)],
    ...[
      'uint',
      'int',
      'byte',
      'uint7',
      'uint264',
      'uint08',
      'int0',
      'bytes0',
      'bytes33',
      'bytes01',
      'function',
    ].map((type): [string, unknown] => [`the type ${type}`, withField(type, '0x00')]),
    ...[
      'bool[',
      'bool]',
      'bool[]]',
      'bool[0]',
      'bool[01]',
      'bool[-1]',
      'bool [1]',
      ' bool',
      'bool ',
      '[]',
      '',
      'bool[1',
      'a,b',
      'a)b(',
      'bool\n',
    ].map((type): [string, unknown] => [`the type ${JSON.stringify(type)}`, withField(type, [true])]),
    ...['uint256', 'uint', 'string', 'bytes', 'fixed128x18', 'a b', 'a(', '1a', 'á', '', 'A[]'].map(
      (name): [string, unknown] => [
        `a struct named ${JSON.stringify(name)}`,
        withField('bool', true, { [name]: [{ name: 'x', type: 'bool' }] }),
      ],
    ),
    ...['a b', 'a,b', 'a)', '', '1a', 'é'].map((name): [string, unknown] => [
      `a field named ${JSON.stringify(name)}`,
      { ...order, types: { P: [{ name, type: 'bool' }] }, primaryType: 'P', message: { [name]: true } },
    ]),
    [
      'a field twice',
      withField('bool', true, {
        P: [
          { name: 'f', type: 'bool' },
          { name: 'f', type: 'bool' },
        ],
      }),
    ],
    ['a struct without fields', withField('Empty', {}, { Empty: [] })],
    ['fields that are no list', withField('bool', true, { Q: { name: 'x', type: 'bool' } })],
    ['a field without a type', withField('bool', true, { Q: [{ name: 'x' }] })],
    ['a field with more', withField('bool', true, { Q: [{ name: 'x', type: 'bool', indexed: true }] })],
    ['a field that is text', withField('bool', true, { Q: ['bool x'] })],
    ['a domain with an unknown field', withDomain({ name: 'x', color: 'red' })],
    [
      'a domain that declares an unknown field',
      withDomain({ color: 'red' }, [{ name: 'color', type: 'string' }]),
    ],
    [
      'a domain that declares another type',
      withDomain({ chainId: '1' }, [{ name: 'chainId', type: 'string' }]),
    ],
    ['a domain without what it declares', withDomain({ name: 'x' }, order.types.EIP712Domain)],
    [
      'a domain with what it does not declare',
      withDomain({ name: 'x', version: '1' }, [{ name: 'name', type: 'string' }]),
    ],
    ['a chain id that is no number', withDomain({ chainId: 'mainnet' })],
    ['a chain id below zero', withDomain({ chainId: -1 })],
    ['a contract that is a name', withDomain({ verifyingContract: 'cosmos' })],
    ['a salt of 31 bytes', withDomain({ salt: `0x${'00'.repeat(31)}` })],
  ]
  test('malformed requests are refused, each of them with its type', () => {
    let refused = 0
    for (const [name, data] of malformed) {
      const attempt = () => hashOf(data)
      expect(attempt, name).toThrow(InvalidRequest)
      refused++
    }
    console.log(`Malformed typed data: ${refused} of ${malformed.length} refused`)
  })

  test('every single change of a request is refused or changes the digest', () => {
    const text = JSON.stringify(order)
    const digest = hashOf(text)
    let refused = 0
    let others = 0
    for (let i = 0; i < text.length; i++)
      for (const letter of ['', '0', 'a', '"', ']', ' ']) {
        const mutated = text.slice(0, i) + letter + text.slice(i + 1)
        // What reads as the same JSON is the same request.
        if (same(mutated, text)) continue
        try {
          expect(hashOf(mutated), mutated).not.toBe(digest)
          others++
        } catch (cause) {
          if (!(cause instanceof InvalidRequest)) throw cause
          refused++
        }
      }
    console.log(
      `Typed data with one letter changed: ${refused} refused, ${others} with another digest, 0 with the same`,
    )
  })

  describe('limits', () => {
    /** Types and a message of so many structs within one another. */
    const nested = (depth: number) => {
      let message: PlainObject = { f: [] }
      for (let i = 2; i < depth; i += 2) message = { f: [message] }
      return withField('P[]', message.f)
    }
    test('32 levels of structs and lists, and no more', () => {
      expect(MAX_DEPTH).toBe(32)
      expect(hashOf(nested(32))).toBe(hashByViem(nested(32) as unknown as TypedData))
      expect(() => hashOf(nested(34))).toThrow('too deep')
      const list = (levels: number) => {
        let value: unknown = []
        for (let i = 1; i < levels; i++) value = [value]
        return withField(`uint8${'[]'.repeat(levels)}`, value)
      }
      expect(hashOf(list(31))).toBe(hashByViem(list(31) as unknown as TypedData))
      expect(() => hashOf(list(32))).toThrow('too deep')
    })

    test('10,000 entries in a list, and no more', () => {
      const list = (length: number) => withField('uint8[]', new Array(length).fill(7))
      expect(hashOf(list(9_999))).toBe(hashByViem(list(9_999) as unknown as TypedData))
      expect(hashOf(list(10_000))).toBe(hashByViem(list(10_000) as unknown as TypedData))
      expect(() => hashOf(list(10_001))).toThrow(InvalidRequest)
      expect(() => hashOf(JSON.stringify(list(10_001)))).toThrow(InvalidRequest)
    })

    test('64 types, and 16,384 characters of one', () => {
      const names = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`Q${i}`, [{ name: 'x', type: 'bool' }]]))
      expect(() => hashOf(withField('bool', true, names(MAX_TYPES - 1)))).not.toThrow()
      expect(() => hashOf(withField('bool', true, names(MAX_TYPES)))).toThrow('too many types')
      const long = (characters: number) => {
        const name = 'x'.repeat(characters - 'P(bool )'.length)
        return { ...withField('bool', true, { P: [{ name, type: 'bool' }] }), message: { [name]: true } }
      }
      expect(hashOf(long(MAX_TYPE_TEXT))).toBe(hashByViem(long(MAX_TYPE_TEXT) as unknown as TypedData))
      expect(() => hashOf(long(MAX_TYPE_TEXT + 1))).toThrow('too long')
    })

    test('16,384 values all in all, and no more', () => {
      const lists = (values: number) =>
        withField('uint8[][]', [new Array(9_000).fill(1), new Array(values).fill(1)])
      // The domain's two, the list, its two lists and the first of them are counted as well.
      const left = MAX_VALUES - 2 - 3 - 9_000
      expect(() => hashOf(lists(left))).not.toThrow()
      expect(() => hashOf(lists(left + 1))).toThrow('too many values')
    })

    test('what costs most for its size does not hold the vault', () => {
      const name = 'x'.repeat(MAX_TYPE_TEXT - 40)
      const E = [{ name: 'z', type: 'B[]' }]
      const many = withField('E[]', new Array(7_000).fill({ z: [] }), { E, B: [{ name, type: 'uint8' }] })
      const texts = withField(
        'string[][]',
        Array.from({ length: 2 }, (_, i) => new Array(8_000).fill(String(i))),
      )
      for (const data of [many, texts]) {
        const start = performance.now()
        hashOf(data)
        const size = JSON.stringify(data).length
        console.log(
          `Typed data of ${size} characters, the worst kind: ${Math.round(performance.now() - start)} ms`,
        )
      }
    })
  })

  test('anything at all: a digest or a typed refusal, nothing else', () => {
    const anything = fc.oneof(
      fc.anything({ withBigInt: true, withNullPrototype: true }),
      fc.json(),
      fc.string(),
    )
    const spoiled = fc
      .record({
        data: typedData,
        key: fc.constantFrom('types', 'primaryType', 'domain', 'message'),
        value: anything,
      })
      .map(({ data, key, value }) => ({ ...data, [key]: value }))
    let count = 0
    fc.assert(
      fc.property(fc.oneof(anything, spoiled), (data) => {
        count++
        try {
          hashOf(data)
        } catch (cause) {
          if (!(cause instanceof InvalidRequest)) throw cause
        }
      }),
      { numRuns: soak(500, 10_000), seed: 11 },
    )
    console.log(`Typed data: ${count} times anything, 0 thrown but typed refusals`)
  })
})

function same(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
  } catch {
    return false
  }
}
