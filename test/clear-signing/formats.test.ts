import { describe, expect, test } from 'vitest'
import { alice, bob, codes, contract, dai, describeCall, type Given, lines, tokens, usdc } from './support.ts'

const one = (type: string, value: unknown, field: Record<string, unknown>, given: Given = {}) =>
  describeCall(`f(${type} v)`, [value], { ...given, fields: [{ path: 'v', label: 'V', ...field }] })
const text = (...args: Parameters<typeof one>) => lines(one(...args))[0]?.slice(3)
const warned = (...args: Parameters<typeof one>) => one(...args).fields[0]?.warnings.map(({ code }) => code)

describe('raw', () => {
  test.each([
    ['uint256', 1000n, '1000'],
    ['int256', -5n, '-5'],
    ['bool', true, 'true'],
    ['string', 'Ledger', 'Ledger'],
    ['bytes', '0x123456789a', '0x123456789a'],
    ['bytes4', '0xdeadbeef', '0xdeadbeef'],
    ['address', alice.toLowerCase(), alice],
  ])('%s %s is displayed as %s', (type, value, expected) => {
    expect(text(type, value, { format: 'raw' })).toBe(expected)
  })

  test('a text of several lines has marks for them, and no warning', () => {
    expect(text('string', 'a\nb', { format: 'raw' })).toBe('a⟦U+000A⟧b')
    expect(warned('string', 'a\nb', { format: 'raw' })).toEqual([])
    expect(warned('string', 'a\n\u202Eb', { format: 'raw' })).toEqual(['hidden-characters'])
  })

  test('a format that nobody knows is displayed raw, with a warning', () => {
    expect(text('uint256', 7n, { format: 'horoscope' })).toBe('7')
    expect(warned('uint256', 7n, { format: 'horoscope' })).toEqual(['unknown-format'])
    expect(warned('uint256', 7n, { format: '__proto__' })).toEqual(['unknown-format'])
    expect(warned('uint256', 7n, { format: 'toString' })).toEqual(['unknown-format'])
  })

  test.each([
    'amount',
    'tokenAmount',
    'nftName',
    'date',
    'duration',
    'unit',
    'chainId',
    'addressName',
    'tokenTicker',
    'calldata',
    'interoperableAddressName',
  ])('%s of a text is displayed raw, with a warning', (format) => {
    expect(text('string', 'abc', { format })).toBe('abc')
    expect(warned('string', 'abc', { format })).toContain('wrong-type')
  })
})

describe('amount', () => {
  test('is in the currency of the chain', () => {
    expect(text('uint256', 0x2c1c986f1c48000n, { format: 'amount' })).toBe('0.19866144 ETH')
    const data = { chains: { 1: { name: 'Harbor', nativeCurrency: { symbol: 'HRB', decimals: 2 } } } }
    expect(text('uint256', 150n, { format: 'amount' }, { data })).toBe('1.5 HRB')
    expect(text('uint256', 0n, { format: 'amount' })).toBe('0 ETH')
  })
  test('is exact, with all of its digits', () => {
    expect(text('uint256', 10n ** 30n + 1n, { format: 'amount' })).toBe(
      '1000000000000.000000000000000001 ETH',
    )
  })
})

describe('tokenAmount', () => {
  const usdcAmount = { format: 'tokenAmount', params: { token: usdc } }
  test('has the token’s decimals and ticker', () => {
    expect(text('uint256', 1_304_530_000n, usdcAmount)).toBe('1304.53 USDC')
    expect(one('uint256', 5n, usdcAmount).fields[0]?.token).toEqual({
      chainId: 1,
      address: usdc,
      symbol: 'USDC',
      decimals: 6,
    })
  })
  test('of an unknown token is raw, with a warning, and says what is missing', () => {
    const described = one('uint256', 5n, { format: 'tokenAmount', params: { token: bob } })
    expect(lines(described)).toEqual(['V: 5'])
    expect(codes(described)).toContain('unknown-token')
    expect(described.needed).toContainEqual({ kind: 'token', chainId: 1, address: bob.toLowerCase() })
  })
  test('finds its token by a path, in the container and in bytes', () => {
    const described = describeCall('f(bytes p,uint256 v)', [`${usdc}aabb`, 2_000_000n], {
      fields: [{ path: 'v', label: 'V', format: 'tokenAmount', params: { tokenPath: 'p.[0:20]' } }],
    })
    expect(lines(described)).toEqual(['V: 2 USDC'])
    const self = { tokens: { [contract]: { symbol: 'OWN', decimals: 0 } } }
    expect(
      text('uint256', 9n, { format: 'tokenAmount', params: { tokenPath: '@.to' } }, { data: self }),
    ).toBe('9 OWN')
  })
  test('finds its token in a number, whose last 20 bytes are the address', () => {
    const described = describeCall('f(uint256 t,uint256 v)', [BigInt(usdc) + (1n << 200n), 1_000_000n], {
      fields: [{ path: 'v', label: 'V', format: 'tokenAmount', params: { tokenPath: 't' } }],
    })
    expect(lines(described)).toEqual(['V: 1 USDC'])
  })
  test.each([
    [0xffffffffn, undefined, 'Unlimited USDC'],
    [0xffffffffn, 'Max', 'Max USDC'],
    [0xfffffffen, 'Max', '4294.967294 USDC'],
  ])('%s with a threshold and the message %s is %s', (value, message, expected) => {
    expect(
      text('uint256', value, {
        format: 'tokenAmount',
        params: { token: usdc, threshold: '0xFFFFFFFF', message },
      }),
    ).toBe(expected)
  })
  test('reads a threshold of 20 bytes as a number, and one from the constants', () => {
    const max = `0x${'f'.repeat(40)}`
    const params = { token: usdc, threshold: '$.metadata.constants.max' }
    const given = { metadata: { constants: { max } } }
    expect(text('uint160', (1n << 160n) - 1n, { format: 'tokenAmount', params }, given)).toBe(
      'Unlimited USDC',
    )
    expect(
      one('uint160', (1n << 160n) - 1n, { format: 'tokenAmount', params }, given).fields[0]?.isAboveThreshold,
    ).toBe(true)
  })
  test('of the native currency’s address is an amount of the chain', () => {
    const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
    const params = {
      token: native,
      nativeCurrencyAddress: ['0x0000000000000000000000000000000000000000', native.toLowerCase()],
    }
    expect(text('uint256', 2_000_000_000_000_000n, { format: 'tokenAmount', params })).toBe('0.002 ETH')
    const constant = { token: native, nativeCurrencyAddress: '$.metadata.constants.native' }
    expect(
      text(
        'uint256',
        10n ** 18n,
        { format: 'tokenAmount', params: constant },
        { metadata: { constants: { native } } },
      ),
    ).toBe('1 ETH')
  })
  test('is of another chain where a parameter says so', () => {
    const data = {
      tokens: { ...tokens, [`eip155:10:${usdc.toLowerCase()}`]: { symbol: 'USDC.e', decimals: 2 } },
    }
    expect(
      text('uint256', 250n, { format: 'tokenAmount', params: { token: usdc, chainId: 10 } }, { data }),
    ).toBe('2.5 USDC.e')
    const described = describeCall('f(uint256 chain,uint256 v)', [10n, 250n], {
      data,
      fields: [
        { path: 'v', label: 'V', format: 'tokenAmount', params: { token: usdc, chainIdPath: 'chain' } },
      ],
    })
    expect(lines(described)).toEqual(['V: 2.5 USDC.e'])
  })
  test('takes the token that the descriptor itself describes', () => {
    const metadata = { token: { name: 'Own', ticker: 'OWN', decimals: 3 } }
    expect(
      text('uint256', 1_500n, { format: 'tokenAmount', params: { token: '$.metadata.token' } }, { metadata }),
    ).toBe('1.5 OWN')
  })
  test('takes its token from a map by the chain; without an entry the descriptor is refused', () => {
    const params = { token: { map: '$.metadata.maps.underlying', keyPath: '@.chainId' } }
    const map = (key: string) => ({ metadata: { maps: { underlying: { values: { [key]: dai } } } } })
    expect(text('uint256', 10n ** 18n, { format: 'tokenAmount', params }, map('1'))).toBe('1 DAI')
    const refused = one('uint256', 1n, { format: 'tokenAmount', params }, map('137'))
    expect(refused.isDescribed).toBe(false)
    expect(codes(refused)).toContain('descriptor-refused')
  })
})

describe('nftName', () => {
  const params = { collection: bob }
  test('names the collection and the id', () => {
    const data = { nftCollectionNames: { [bob.toLowerCase()]: 'Bored Harbor' } }
    expect(text('uint256', 1036n, { format: 'nftName', params }, { data })).toBe('Bored Harbor #1036')
  })
  test('of an unknown collection is the id', () => {
    expect(text('uint256', 1036n, { format: 'nftName', params })).toBe('1036')
    expect(one('uint256', 1n, { format: 'nftName', params }).needed).toContainEqual({
      kind: 'nftCollectionName',
      chainId: 1,
      address: bob.toLowerCase(),
    })
  })
})

describe('date', () => {
  const timestamp = { format: 'date', params: { encoding: 'timestamp' } }
  test.each([
    [1_709_191_632n, '2024-02-29 07:27:12Z'],
    [0n, '1970-01-01 00:00:00Z'],
    [253_402_300_799n, '9999-12-31 23:59:59Z'],
  ])('%s is %s', (seconds, expected) => {
    expect(text('uint256', seconds, timestamp)).toBe(expected)
  })
  test('beyond the year 9999 is a number, with a warning', () => {
    expect(text('uint256', (1n << 256n) - 1n, timestamp)).toBe(String((1n << 256n) - 1n))
    expect(warned('uint256', 253_402_300_800n, timestamp)).toEqual(['date-out-of-range'])
    expect(warned('int256', -1n, timestamp)).toEqual(['date-out-of-range'])
  })
  test('of a block has the block’s time, if that is known', () => {
    const block = { format: 'date', params: { encoding: 'blockheight' } }
    expect(
      text('uint256', 19_332_140n, block, { data: { blockTimestamps: { 19332140: 1_709_193_635 } } }),
    ).toBe('2024-02-29 08:00:35Z')
    expect(text('uint256', 19_332_140n, block)).toBe('19332140')
    expect(one('uint256', 5n, block).needed).toContainEqual({
      kind: 'blockTimestamp',
      chainId: 1,
      height: '5',
    })
  })
  test('without a known encoding is a number, with a warning', () => {
    expect(warned('uint256', 5n, { format: 'date' })).toEqual(['unknown-encoding'])
  })
})

test.each([
  [8_250n, '02:17:30'],
  [0n, '00:00:00'],
  [360_000n, '100:00:00'],
])('duration: %s seconds are %s', (seconds, expected) => {
  expect(text('uint256', seconds, { format: 'duration' })).toBe(expected)
})

test.each([
  [10n, { base: 'h' }, '10h'],
  [15n, { base: 'd', decimals: 1 }, '1.5d'],
  [3_000n, { base: '%', decimals: 4 }, '0.3%'],
  [36_000n, { base: 's', prefix: true }, '36ks'],
  [1_234_567n, { base: 'B', prefix: true }, '1.234567MB'],
  [999n, { base: 's', prefix: true }, '999s'],
  [15n, { base: 's', decimals: 4, prefix: true }, '1.5ms'],
  [0n, { base: 's', prefix: true }, '0s'],
  [5n, { base: 's', decimals: -1 }, '5'],
  [5n, { base: 's', decimals: 1_000_000_000 }, '5'],
])('unit: %s with %j is %s', (value, params, expected) => {
  expect(text('uint256', value, { format: 'unit', params })).toBe(expected)
})

describe('enum', () => {
  const metadata = { enums: { rate: { 1: 'stable', 2: 'variable' }, flag: { True: 'yes', False: 'no' } } }
  const rate = { format: 'enum', params: { $ref: '$.metadata.enums.rate' } }
  test('is the word for the value', () => {
    expect(text('uint256', 2n, rate, { metadata })).toBe('variable')
    expect(
      text('bool', true, { format: 'enum', params: { $ref: '$.metadata.enums.flag' } }, { metadata }),
    ).toBe('yes')
  })
  test('without a word is the value, with a warning', () => {
    expect(text('uint256', 3n, rate, { metadata })).toBe('3')
    expect(warned('uint256', 3n, rate, { metadata })).toEqual(['unknown-enum'])
    expect(
      warned(
        'uint256',
        3n,
        { format: 'enum', params: { $ref: '$.metadata.enums.constructor' } },
        { metadata },
      ),
    ).toEqual(['unknown-enum'])
  })
})

test('chainId: is the chain’s name, or the number with a warning', () => {
  expect(text('uint256', 1n, { format: 'chainId' })).toBe('Ethereum Mainnet')
  expect(text('uint256', 42161n, { format: 'chainId' })).toBe('Arbitrum One')
  expect(text('uint256', 987_654_321n, { format: 'chainId' })).toBe('987654321')
  expect(warned('uint256', 1n << 200n, { format: 'chainId' })).toEqual(['unknown-chain'])
})

describe('addressName', () => {
  const data = {
    addressNames: { [alice]: 'My exchange' },
    ensNames: { [alice]: 'alice.eth', [bob]: 'bob.eth' },
  }
  test('is a local name, or else the name in ENS, with its source and the full address beside it', () => {
    const described = one('address', alice, { format: 'addressName' }, { data })
    expect(described.fields[0]).toMatchObject({
      value: 'My exchange',
      address: alice,
      name: { text: 'My exchange', source: 'local' },
    })
    expect(one('address', bob, { format: 'addressName' }, { data }).fields[0]).toMatchObject({
      value: 'bob.eth',
      address: bob,
      name: { source: 'ens' },
    })
    expect(text('address', contract, { format: 'addressName' }, { data })).toBe(contract)
  })
  test('takes names from the descriptor’s sources alone', () => {
    expect(text('address', alice, { format: 'addressName', params: { sources: ['ens'] } }, { data })).toBe(
      'alice.eth',
    )
    expect(text('address', bob, { format: 'addressName', params: { sources: ['local'] } }, { data })).toBe(
      bob,
    )
  })
  test('of a sender’s address is the sender', () => {
    const params = { senderAddress: ['0x0000000000000000000000000000000000000001'] }
    const field = one(
      'address',
      '0x0000000000000000000000000000000000000001',
      { format: 'addressName', params },
      { from: bob },
    ).fields[0]
    expect(field).toMatchObject({ value: 'Sender', address: bob })
  })
  test('warns where the address is known to be something else', () => {
    const known = { addressKinds: { [alice]: ['eoa'] as const } }
    expect(
      warned('address', alice, { format: 'addressName', params: { types: ['contract'] } }, { data: known }),
    ).toEqual(['address-type'])
    expect(
      warned('address', alice, { format: 'addressName', params: { types: ['eoa'] } }, { data: known }),
    ).toEqual([])
    expect(
      warned('address', bob, { format: 'addressName', params: { types: ['contract'] } }, { data: known }),
    ).toEqual([])
  })
  test('takes no name that poses as an address', () => {
    const posing = { addressNames: { [alice]: `0x${'1'.repeat(40)}` } }
    expect(text('address', alice, { format: 'addressName' }, { data: posing })).toBe(alice)
  })
})

test('tokenTicker: is the token’s symbol, or its address with a warning', () => {
  expect(text('address', usdc, { format: 'tokenTicker' })).toBe('USDC')
  expect(text('address', bob, { format: 'tokenTicker' })).toBe(bob)
  expect(warned('address', bob, { format: 'tokenTicker' })).toEqual(['unknown-token'])
})

describe('interoperableAddressName', () => {
  const field = { format: 'interoperableAddressName' }
  test.each([
    ['0x00010000010114d8da6bf26964af9d7eed9e03e53415d37aa96045', `${alice}@eip155:1#4CA88C9C`],
    [
      '0x000100022045296998a6f8e2a784db5d9f95e18fc23f70441a1039446801089879b08c7ef02005333498d5aea4ae009585c43f7b8c30df8e70187d4a713d134f977fc8dfe0b5',
      'MJKqp326RZCHnAAbew9MDdui3iCKWco7fsK9sVuZTX2@solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d#88835C11',
    ],
  ])('%s is %s', (hex, expected) => {
    expect(text('bytes', hex, field)).toBe(expected)
  })
  test('has the name of the address on its chain, without a checksum', () => {
    const data = { ensNames: { [`eip155:10:${alice.toLowerCase()}`]: 'alice.eth' } }
    expect(text('bytes', `0x0001000001 0a14${alice.slice(2)}`.replace(' ', ''), field, { data })).toBe(
      'alice.eth@eip155:10',
    )
  })
  test.each([
    ['another version', '0x00020000010114d8da6bf26964af9d7eed9e03e53415d37aa96045'],
    ['a byte too many', '0x00010000010114d8da6bf26964af9d7eed9e03e53415d37aa9604500'],
    ['a byte too few', '0x00010000010114d8da6bf26964af9d7eed9e03e53415d37aa960'],
    ['a chain with leading zeros', '0x0001000002000114d8da6bf26964af9d7eed9e03e53415d37aa96045'],
    ['neither chain nor address', '0x000100000000'],
    ['a kind of chain that nobody knows', '0x00010009010114d8da6bf26964af9d7eed9e03e53415d37aa96045'],
  ])('with %s is bytes, with a warning', (_, hex) => {
    expect(text('bytes', hex, field)).toBe(hex)
    expect(warned('bytes', hex, field)).toEqual(['wrong-type'])
  })
})

test('encryption: a value that can’t be decrypted is the descriptor’s text in its place, and stays within reach', () => {
  const handle = `0x${'ab'.repeat(32)}`
  const field = {
    format: 'tokenAmount',
    encryption: { scheme: 'fhevm', plaintextType: 'uint64', fallbackLabel: '[Encrypted Amount]' },
  }
  expect(one('bytes32', handle, field).fields[0]).toMatchObject({
    value: '[Encrypted Amount]',
    raw: handle,
    encryption: { scheme: 'fhevm' },
  })
  const { fallbackLabel: _, ...unnamed } = field.encryption
  expect(text('bytes32', handle, { ...field, encryption: unnamed })).toBe(`[Encrypted] ${handle}`)
})
