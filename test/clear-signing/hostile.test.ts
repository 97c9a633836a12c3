/** Descriptors, data and providers that want to break the description, or to make it say something else. */
import { describe, expect, test } from 'vitest'
import {
  createDataProvider,
  createSource,
  type DataProvider,
  type Description,
  DescriptorError,
  describeBatch,
  describeTransaction,
  describeTypedData,
  mergeIncludes,
  readDescriptor,
  readDescriptors,
  visibleText,
} from '../../src/clear-signing/index.ts'
import { leastCpuTime } from '../support/cpu-time.ts'
import { limit } from '../support/limit.ts'
import { seeded } from '../support/random.ts'
import { counted, soak } from '../support/soak.ts'
import {
  alice,
  bob,
  codes,
  contract,
  describeCall,
  describeMessage,
  descriptorOf,
  encode,
  lines,
  sourceOf,
  typedData,
  usdc,
} from './support.ts'

const problem = (act: () => unknown): string => {
  try {
    act()
    return 'none'
  } catch (error) {
    if (error instanceof DescriptorError) return error.problem
    throw error
  }
}
const raw = (path: string, label = path, more: Record<string, unknown> = {}) => ({
  path,
  label,
  format: 'raw',
  ...more,
})

describe('versions of the schema', () => {
  test.each([
    ['https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json', 'none'],
    ['../../specs/erc7730-v2.0.0.schema.json', 'none'],
    ['../../specs/erc7730-v2.7.schema.json', 'none'],
    ['./erc7730-v2.1.3-rc.2.schema.json', 'none'],
    ['./erc7730-v1.schema.json', 'other-version'],
    ['./erc7730-v3.0.0-next.schema.json', 'other-version'],
    ['./erc7730-v20.schema.json', 'other-version'],
    ['https://harbor.example/ERC7730-V3.schema.json?x=v2', 'other-version'],
  ])('%s: %s', ($schema, expected) => {
    expect(problem(() => readDescriptor({ $schema, display: { formats: {} } }))).toBe(expected)
  })
})

describe('includes', () => {
  const merge = (files: Record<string, unknown>) =>
    mergeIncludes(files.main, 'main', (name) =>
      Object.hasOwn(files, name) ? { raw: files[name], place: name } : undefined,
    )
  test('are merged first: the including file counts, fields by their paths, others behind', () => {
    const merged = merge({
      main: {
        includes: 'base',
        metadata: { owner: 'Mine' },
        display: {
          formats: { f: { fields: [{ path: 'b', label: 'New', params: { x: 1 } }, { path: 'c' }] } },
        },
      },
      base: {
        includes: 'deep',
        metadata: { owner: 'Theirs', info: 1 },
        display: {
          formats: {
            f: { intent: 'Do', fields: [{ path: 'a' }, { path: 'b', label: 'Old', params: { x: 0, y: 2 } }] },
          },
        },
      },
      deep: { metadata: { contractName: 'Deep' } },
    })
    expect(JSON.parse(JSON.stringify(merged))).toEqual({
      metadata: { owner: 'Mine', info: 1, contractName: 'Deep' },
      display: {
        formats: {
          f: {
            intent: 'Do',
            fields: [{ path: 'a' }, { path: 'b', label: 'New', params: { x: 1, y: 2 } }, { path: 'c' }],
          },
        },
      },
    })
  })
  test.each([
    ['itself', { main: { includes: 'main' } }, 'include-cycle'],
    ['each other', { main: { includes: 'a' }, a: { includes: 'b' }, b: { includes: 'a' } }, 'include-cycle'],
    ['a file that is not there', { main: { includes: 'nope' } }, 'include-missing'],
    [
      'another major version',
      { main: { includes: 'a' }, a: { $schema: 'erc7730-v3.schema.json' } },
      'other-version',
    ],
    ['no text', { main: { includes: ['a'] } }, 'not-readable'],
    [
      'one after the other without end',
      Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [at ? `f${at}` : 'main', { includes: `f${at + 1}` }]),
      ),
      'too-many-includes',
    ],
  ])('of %s are refused: %s', (_, files, expected) => {
    expect(problem(() => merge(files as Record<string, unknown>))).toBe(expected)
  })
  test('an app’s descriptor that can’t be used is left out, and the app hears why', () => {
    const heard: unknown[] = []
    const good = descriptorOf('f()', {})
    expect(
      readDescriptors([null, 5, 'text', [], { includes: 'x' }, good], 'app', undefined, (index, error) =>
        heard.push([index, error.problem]),
      ),
    ).toHaveLength(1)
    expect(heard).toHaveLength(5)
  })
})

describe('keys of the prototype', () => {
  test.each(['{"__proto__":{"a":1}}', '{"display":{"constructor":{}}}', '{"a":[{"prototype":1}]}'])(
    '%s refuses a descriptor',
    (text) => {
      expect(problem(() => readDescriptor(JSON.parse(text)))).toBe('not-readable')
      expect(({} as Record<string, unknown>).a).toBeUndefined()
    },
  )
  test('data by such names are unknown', () => {
    const provider = createDataProvider(
      JSON.parse('{"tokens":{"__proto__":{"symbol":"X","decimals":1}},"addressNames":{"constructor":"Y"}}'),
    )
    expect(provider.token?.(1, '__proto__')).toBeUndefined()
    expect(provider.token?.(1, usdc.toLowerCase())).toBeUndefined()
  })
})

describe('hidden characters', () => {
  const bidi = 'Harbor\u202Egpj'
  const zero = 'Pay\u200Bpal'
  test('have marks in labels, intents, owners, enums and texts, with a warning', () => {
    const described = describeCall('f(string s,uint256 e)', [bidi, 1n], {
      format: { intent: bidi },
      metadata: { owner: zero, enums: { e: { 1: bidi } } },
      fields: [
        raw('s', zero),
        { path: 'e', label: 'E', format: 'enum', params: { $ref: '$.metadata.enums.e' } },
      ],
    })
    expect([described.intent, described.owner]).toEqual(['Harbor⟦U+202E⟧gpj', 'Pay⟦U+200B⟧pal'])
    expect(lines(described)).toEqual(['Pay⟦U+200B⟧pal: Harbor⟦U+202E⟧gpj', 'E: Harbor⟦U+202E⟧gpj'])
    expect(codes(described)).toContain('hidden-characters')
  })
  test('have marks in symbols and names', () => {
    const data = {
      tokens: { [usdc.toLowerCase()]: { symbol: 'US\u200BDC', decimals: 6 } },
      addressNames: { [alice]: bidi },
    }
    const fields = [
      { path: 'v', label: 'V', format: 'tokenAmount', params: { token: usdc } },
      { path: 'a', label: 'A', format: 'addressName' },
    ]
    const described = describeCall('f(uint256 v,address a)', [1_000_000n, alice], { data, fields })
    expect(lines(described)).toEqual(['V: 1 US⟦U+200B⟧DC', 'A: Harbor⟦U+202E⟧gpj'])
    expect(codes(described)).toContain('hidden-characters')
  })
  test('two different texts never look the same', () => {
    const texts = [
      'a\u202Eb',
      'a⟦U+202E⟧b',
      'a\u200Eb',
      'ab',
      'a\u0000b',
      'a\nb',
      '⟦',
      '⟦U+27E6⟧',
      '\u{E0041}',
      'ä',
      'a\u0308',
      '\uD800',
    ]
    expect(new Set(texts.map(visibleText)).size).toBe(texts.length)
  })
  test('long texts are cut, and say so', () => {
    const described = describeCall('f()', [], {
      format: { intent: 'x'.repeat(10_000) },
      metadata: { owner: '\u202E'.repeat(10_000) },
    })
    expect(described.intent.length).toBeLessThanOrEqual(160)
    expect(described.owner.length).toBeLessThanOrEqual(80)
    expect(described.intent.endsWith('…')).toBe(true)
  })
})

test('providers: one that throws, or answers nonsense, knows nothing', () => {
  const broken = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error('down')
      },
      ownKeys: () => ['token'],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: () => 0 }),
    },
  ) as DataProvider
  const nonsense = {
    token: () => ({ symbol: {}, decimals: -1 }),
    addressName: () => 5,
    chain: () => 'x',
    implementation: () => undefined,
  } as unknown as DataProvider
  const fields = [
    { path: 'v', label: 'V', format: 'tokenAmount', params: { token: usdc } },
    { path: 'a', label: 'A', format: 'addressName' },
    { path: 'v', label: 'C', format: 'chainId' },
  ]
  for (const dataProvider of [broken, nonsense]) {
    const data = encode('f(uint256 v,address a)', [987_654n, alice])
    const described = describeTransaction(
      { chainId: 1, to: contract, data },
      { descriptors: sourceOf(descriptorOf('f(uint256 v,address a)', { fields })), dataProvider },
    )
    expect(lines(described)).toEqual(['V: 987654', `A: ${alice}`, 'C: 987654'])
  }
})

describe('requests that can’t be read', () => {
  test.each([
    ['no hex', { data: '0xzz' }],
    ['half a byte', { data: '0x123' }],
    ['no address', { to: '0x12' }],
    ['an address that is no text', { to: {} }],
    ['chain 0', { chainId: 0 }],
    ['a chain that is no number', { chainId: 'one' }],
    ['a negative value', { value: -1n }],
    ['a value that is a fraction', { value: 1.5 }],
  ])('%s: not decodable', (_, change) => {
    const described = describeTransaction({ chainId: 1, to: contract, data: '0x', ...change } as never)
    expect([described.isDescribed, codes(described)]).toEqual([false, ['not-decodable']])
  })
  test.each([
    undefined,
    null,
    5,
    'text',
    '{}',
    [],
    {},
    { types: {}, primaryType: 'X', domain: {}, message: {} },
    JSON.parse('{"__proto__":1}'),
  ])('typed data %j: not decodable', (data) => {
    const described = describeTypedData(data)
    expect([described.isDescribed, codes(described)]).toEqual([false, ['not-decodable']])
  })
  test('a transaction that creates a contract is named as one', () => {
    expect(codes(describeTransaction({ chainId: 1, data: '0x6001' }))).toEqual(['contract-creation'])
  })
  test('three bytes of data: not decodable', () => {
    expect(codes(describeTransaction({ chainId: 1, to: contract, data: '0x112233' }))).toEqual([
      'not-decodable',
    ])
  })
})

describe('dirty data of a described function', () => {
  const key = 'send(address to,uint8 kind)'
  const source = sourceOf(descriptorOf(key, { fields: [raw('to'), raw('kind')] }))
  const data = encode(key, [alice, 3n])
  const of = (changed: string) =>
    describeTransaction({ chainId: 1, to: contract, data: changed }, { descriptors: source })
  test('dirty upper bytes and cut data are not described', () => {
    for (const changed of [
      data.replace('0x', '0x').replace(/^(0x.{8})00/, '$101'),
      `${data.slice(0, -64)}${'01'.padEnd(62, '0')}03`,
      data.slice(0, -2),
    ]) {
      const described = of(changed)
      expect([described.isDescribed, described.fields, codes(described)]).toEqual([
        false,
        [],
        ['not-decodable'],
      ])
    }
  })
  test('bytes behind the arguments are named beside the description', () => {
    const described = of(`${data}c0ffee`)
    expect([described.isDescribed, described.trailing]).toEqual([true, '0xc0ffee'])
    expect(described.warnings).toEqual([{ code: 'trailing-bytes', severity: 'caution', data: { bytes: 3 } }])
  })
})

describe('sizes', () => {
  const within = (milliseconds: number, act: () => Description): Description => {
    let result: Description | undefined
    const time = leastCpuTime(10, () => {
      result = act()
    })
    expect(time).toBeLessThan(limit(milliseconds))
    return result as Description
  }
  const many = Array.from({ length: 16_384 }, (_, at) => BigInt(at))

  test('16,384 values of a call are described within 50 ms', () => {
    const key = 'f(uint256[] n)'
    const options = { descriptors: sourceOf(descriptorOf(key, { fields: [raw('n.[0]')] })) }
    const data = encode(key, [many])
    expect(
      within(50, () => describeTransaction({ chainId: 1, to: contract, data }, options)).isDescribed,
    ).toBe(true)
  })
  test('16,384 fields are not described, within 50 ms, and that is said', () => {
    const key = 'f(uint256[] n)'
    const options = { descriptors: sourceOf(descriptorOf(key, { fields: [raw('n.[]')] })) }
    const data = encode(key, [many])
    const described = within(50, () => describeTransaction({ chainId: 1, to: contract, data }, options))
    expect([described.isDescribed, codes(described)]).toEqual([false, ['too-large']])
    expect(described.values).toBeDefined()
  })
  test('lists within lists, and groups that go through them, end', () => {
    const key = 'f(uint256[][][] n)'
    const lists = Array.from({ length: 100 }, () => Array.from({ length: 50 }, () => [1n, 2n]))
    const hidden = Array.from({ length: 50 }, (_, at) =>
      raw('n.[].[].[]', String(at), { visible: { ifNotIn: [1, 2] } }),
    )
    const options = { descriptors: sourceOf(descriptorOf(key, { fields: hidden })) }
    const data = encode(key, [lists])
    expect(
      codes(within(200, () => describeTransaction({ chainId: 1, to: contract, data }, options))),
    ).toEqual(['too-large'])
  })
  test('groups within groups beyond a depth refuse the descriptor', () => {
    let fields: unknown[] = [raw('x')]
    for (let depth = 0; depth < 12; depth++) fields = [{ fields }]
    expect(codes(describeCall('f(uint256 x)', [1n], { fields }))).toEqual(['descriptor-refused'])
  })
  test('a descriptor that is too big or too deep can’t be read', () => {
    expect(problem(() => readDescriptor({ metadata: { owner: 'x'.repeat(600_000) } }))).toBe('not-readable')
    let deep: unknown = 1
    for (let depth = 0; depth < 100; depth++) deep = { deep }
    expect(problem(() => readDescriptor({ metadata: deep }))).toBe('not-readable')
  })
  test('calls without end within one call end, within a second', () => {
    const key = 'multicall(bytes[] data)'
    const leaf = encode('approve(address spender,uint256 amount)', [alice, 1n])
    let data = leaf
    for (let depth = 0; depth < 5; depth++) data = encode(key, [Array.from({ length: 7 }, () => data)])
    const described = within(1_000, () => describeTransaction({ chainId: 1, to: contract, data }))
    expect(described.actions.length).toBeGreaterThan(0)
    expect(described.actions.length).toBeLessThanOrEqual(256)
  })
  test('a batch of 1,000 calls is described up to a bound, and that is said', () => {
    const described = describeBatch(Array.from({ length: 1_000 }, () => ({ chainId: 1, to: contract })))
    expect(described.calls.length).toBe(256)
    expect(described.warnings.map(({ code }) => code)).toContain('too-large')
  })
  test('a sentence’s template with thousands of braces ends', () => {
    const interpolatedIntent = '{'.repeat(600)
    expect(
      describeCall('f(uint256 x)', [1n], { format: { interpolatedIntent }, fields: [raw('x')] }).intent,
    ).toBe('Do')
  })
  test('1,000 descriptors for one contract are not all tried', () => {
    const broken = descriptorOf('f()', { fields: [raw('nope')] })
    const source = createSource(
      readDescriptors(
        Array.from({ length: 1_000 }, () => broken),
        'app',
      ),
    )
    expect(
      codes(
        within(500, () =>
          describeTransaction({ chainId: 1, to: contract, data: '0x26121ff0' }, { descriptors: source }),
        ),
      ),
    ).toEqual(['descriptor-refused'])
  })
})

test('typed data: a text that looks like a number or an address stays the text that is signed', () => {
  const data = typedData(
    'Note',
    {
      Note: [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'string' },
      ],
    },
    { a: bob.toLowerCase(), b: '007' },
  )
  const key = 'Note(string a,string b)'
  const described = describeMessage(
    data,
    descriptorOf(
      key,
      { fields: [raw('a'), raw('b')] },
      { eip712: { deployments: [{ chainId: 1, address: contract }] } },
    ),
  )
  expect(lines(described)).toEqual([`a: ${bob.toLowerCase()}`, 'b: 007'])
})

describe('fields of other shapes than they should have', () => {
  const rounds = soak(1_000, 100_000)
  test(`descriptors with anything anywhere never throw: ${counted(rounds)} of them (seed 20260104)`, {
    timeout: limit(300_000),
  }, () => {
    const random = seeded(20_260_104)
    const key = 'f((address to,uint256 n)[] list,bytes b,uint256 x)'
    const good = descriptorOf(key, {
      metadata: { constants: { a: 1 }, enums: { e: { 1: 'one' } }, maps: { m: { values: { 1: usdc } } } },
      definitions: {
        d: {
          label: 'D',
          format: 'tokenAmount',
          params: { token: { map: '$.metadata.maps.m', keyPath: '@.chainId' } },
        },
      },
      format: { interpolatedIntent: 'Do {x} and {list.[].n}' },
      fields: [
        {
          path: 'list.[]',
          label: 'G',
          iteration: 'bundled',
          fields: [
            { path: 'n', label: 'N', $ref: '$.display.definitions.d' },
            {
              path: 'to',
              label: 'To',
              format: 'addressName',
              params: { types: ['eoa'], sources: ['local'], senderAddress: [alice] },
            },
          ],
        },
        {
          path: 'b.[0:4]',
          label: 'B',
          format: 'calldata',
          params: { calleePath: '@.to', amountPath: 'x', selectorPath: 'b.[:4]' },
        },
        {
          path: 'x',
          label: 'X',
          format: 'enum',
          params: { $ref: '$.metadata.enums.e' },
          visible: { ifNotIn: [2] },
          separator: 'S {index}',
        },
        { path: 'x', label: 'U', format: 'unit', params: { base: 's', prefix: true, decimals: 3 } },
        { value: '$.metadata.constants.a', label: 'C', format: 'date', params: { encoding: 'blockheight' } },
      ],
    })
    const data = encode(key, [
      [
        { to: alice, n: 1n },
        { to: bob, n: 2n },
      ],
      '0x11223344',
      9n,
    ])
    const put = [
      null,
      true,
      0,
      -1,
      1e300,
      '',
      '[',
      '{',
      '$.',
      '$.display',
      '#',
      '@',
      '@.to',
      'list',
      'list.[]',
      'list.[].to',
      '$.metadata.constants.a',
      '0x',
      '0xzz',
      [],
      [[]],
      {},
      { map: '$.metadata.maps.m', keyPath: 'list.[].n' },
      { path: 'x' },
      { fields: [] },
      [null],
      'x'.repeat(3_000),
      '\u202E',
    ]
    let described = 0
    for (let round = 0; round < rounds; round++) {
      const copy: unknown = structuredClone(good)
      for (let change = 0; change <= random.whole(3); change++) {
        let at = copy as Record<string, unknown>
        for (;;) {
          const name = random.pick(Object.keys(at))
          const next = at[name]
          const isLeaf = typeof next !== 'object' || next === null || Object.keys(next).length === 0
          if (isLeaf || random.chance(0.1)) {
            if (random.chance(0.2)) delete at[name]
            else at[name] = structuredClone(random.pick(put))
            break
          }
          at = next as Record<string, unknown>
        }
        if (Object.keys(copy as object).length === 0) break
      }
      const source = createSource(readDescriptors([copy], 'app'))
      const result = describeTransaction(
        { chainId: 1, to: contract, data },
        { descriptors: source, dataProvider: { addressKinds: { [alice]: ['contract'] } } },
      )
      if (result.isDescribed) described++
      else expect(result.fields).toEqual([])
    }
    expect(described).toBeGreaterThan(rounds / 10)
    expect(described).toBeLessThan(rounds)
  })

  const odd = [
    null,
    5,
    'x',
    [],
    {},
    { path: 5 },
    { path: null, value: null },
    { fields: {} },
    { fields: [null] },
    { path: 'x', params: [] },
    { path: 'x', params: { token: {} } },
    { path: 'x', visible: { ifNotIn: {} } },
    { path: 'x', visible: [] },
    { path: 'x', $ref: 5 },
    { path: 'x', $ref: '$.__proto__' },
    { path: 'x', format: {} },
    { path: 'x', label: {} },
    { path: 'x', separator: {} },
    { path: 'x', encryption: 'x' },
  ]
  const formats = [
    'raw',
    'amount',
    'tokenAmount',
    'nftName',
    'date',
    'duration',
    'unit',
    'enum',
    'chainId',
    'calldata',
    'addressName',
    'tokenTicker',
    'interoperableAddressName',
  ]
  const params = [
    null,
    5,
    'x',
    {},
    { token: 5 },
    { tokenPath: {} },
    { tokenPath: '[' },
    { map: 1 },
    { token: { map: 'x', keyPath: 'x' } },
    { threshold: {} },
    { threshold: '-' },
    { base: {}, decimals: 'x', prefix: 1 },
    { encoding: {} },
    { $ref: {} },
    { senderAddress: [[]] },
    { types: 5, sources: {} },
    { callee: 5 },
    { calleePath: 'x', selector: 'x', chainId: {} },
    { nativeCurrencyAddress: { map: '$', keyPath: '$' } },
  ]
  test('never throw', () => {
    for (const field of odd)
      expect(describeCall('f(uint256 x)', [1n], { fields: [field] }).selector).toBeDefined()
    for (const format of formats)
      for (const param of params)
        for (const [type, value] of [
          ['uint256', 1n],
          ['bytes', '0x11'],
          ['address', alice],
          ['string', 'x'],
          ['bool', true],
        ] as const)
          expect(
            describeCall(`f(${type} x)`, [value], {
              fields: [{ path: 'x', label: 'X', format, params: param }],
            }).selector,
          ).toBeDefined()
  })
})
