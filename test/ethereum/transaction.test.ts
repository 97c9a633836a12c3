import { describe, expect, test } from 'vitest'
import { parseTransaction, transactionType } from '../../src/ethereum/transaction.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const parse = (fields: object, chainId = 1) => parseTransaction({ from, to, ...fields }, { chainId })
const refused = (fields: object, chainId = 1) => {
  expect(() => parse(fields, chainId)).toThrow(InvalidRequest)
}

test('is read as libraries write it', () => {
  expect(
    parse({
      from: from.toLowerCase(),
      value: '0xde0b6b3a7640000',
      gas: '0x5208',
      type: '0x2',
      chainId: '0x1',
    }),
  ).toEqual({
    from,
    to,
    value: 10n ** 18n,
    data: '0x',
    chainId: 1,
    nonce: undefined,
    gasLimit: 21_000n,
    type: 2,
    gasPrice: undefined,
    maxFeePerGas: undefined,
    maxPriorityFeePerGas: undefined,
    accessList: undefined,
  })
})

test('names no sender and no chain of its own where the page leaves them out', () => {
  expect(parseTransaction({ to }, { chainId: 5 })).toMatchObject({ from: undefined, chainId: 5 })
  expect(() => parseTransaction({ to })).toThrow('no chainId')
})

describe('the chain', () => {
  test.each([[undefined], ['0x1'], [1], [1n], ['0x01'], ['1']])('%o is the active one', (chainId) => {
    expect(parse({ chainId }).chainId).toBe(1)
  })
  test.each([
    ['0xa', 10],
    [10n, 10],
  ])('%o is another one, which is for the wallet to refuse', (chainId, id) => {
    expect(parse({ chainId }).chainId).toBe(id)
  })
  test.each(['01', '0x', 0, -1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, {}, [], true, ''])(
    '%o is none: nothing is signed',
    (chainId) => refused({ chainId }),
  )
})

describe('amounts', () => {
  test.each([
    ['0x0', 0n],
    ['0x00ff', 255n],
    ['-0x0', 0n],
    [7, 7n],
    [7n, 7n],
    ['100', 100n],
  ])('%o is one', (value, amount) => {
    expect(parse({ value }).value).toBe(amount)
  })
  test.each([
    '0100',
    '0x',
    '0X10',
    '-0x1',
    ' 0x1',
    '0x1.5',
    1.5,
    -1,
    -1n,
    2 ** 53,
    2n ** 256n,
    {},
    [],
    true,
    'NaN',
  ])('%o is none', (value) => refused({ value }))
})

describe('what can be read in two ways, or means what nobody here knows', () => {
  test.each([
    ['an address with a wrong checksum', { to: to.toLowerCase().replace('c', 'C') }],
    ['a number for an address', { to: 123 }],
    ['an empty receiver', { to: '' }],
    ['hex of half a byte', { data: '0xabc' }],
    ['two different data', { data: '0x01', input: '0x02' }],
    ['two different senders', { account: { address: to } }],
    ['an account without an address', { from: undefined, account: { type: 'json-rpc' } }],
    ['two different limits', { gas: '0x5208', gasLimit: '0x5209' }],
    ['two kinds of fee', { gasPrice: '0x1', maxFeePerGas: '0x1' }],
    ['two fees of the newer type', { type: '0x2', gasPrice: '0x2', maxFeePerGas: '0x1' }],
    ['a newer fee of the older type', { type: '0x0', gasPrice: '0x1', maxFeePerGas: '0x1' }],
    ['a tip above the fee', { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }],
    ['an authorisation list (EIP-7702)', { authorizationList: [] }],
    ['blobs', { blobVersionedHashes: [], maxFeePerBlobGas: '0x1' }],
    ['blobs, by their type alone', { type: '0x3' }],
    ['a type that is no type', { type: 'eip4844' }],
    ['a legacy one with an access list', { type: '0x0', accessList: [] }],
    ['a legacy one with a new fee', { type: '0x0', maxFeePerGas: '0x1' }],
    ['an access list that is none', { accessList: [{ address: to, storageKeys: ['0x1'] }] }],
    ['a creation of nothing', { to: undefined }],
    ['more than the vault takes', { data: `0x${'00'.repeat(61_000)}` }],
  ])('%s is refused', (_, fields) => refused(fields))
  test.each([undefined, null, 'text', 7, []])('%o is no transaction', (raw) => {
    expect(() => parseTransaction(raw, { chainId: 1 })).toThrow('Invalid transaction request')
  })
})

test('a contract is made without a receiver, and the kind follows from the fee', () => {
  expect(parse({ to: null, input: '0xFE' })).toMatchObject({ to: undefined, data: '0xfe', type: undefined })
  const typeOf = (fields: object) => transactionType(parse(fields))
  expect(typeOf({ gasPrice: '0x1' })).toBe(0)
  expect(typeOf({ gasPrice: '0x1', accessList: [] })).toBe(1)
  expect(typeOf({ maxFeePerGas: '0x1' })).toBe(2)
  expect(parse({ type: 'eip1559' }).type).toBe(2)
})

test.each([
  ['an address', from],
  ['an account of viem', { address: from, type: 'json-rpc' }],
])('a sender may stand under account, as %s: clients that use viem leave it there', (_, account) => {
  expect(parse({ from: undefined, account }).from).toBe(parse({}).from)
  expect(parse({ account }).from).toBe(parse({}).from)
})

test('a gasPrice is no other fee where the newer type has the very same maxFeePerGas: nodes fill in both', () => {
  const fees = { maxFeePerGas: '0x3b9aca02', maxPriorityFeePerGas: '0x1' }
  const filled = parse({ type: 'eip1559', gasPrice: 1_000_000_002n, ...fees })
  expect(filled).toEqual(parse({ type: 'eip1559', ...fees }))
  expect(filled.gasPrice).toBeUndefined()
})

describe('words for a page’s developer', () => {
  const amounts = ['value', 'gasLimit', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce']
  test.each(amounts)('about %s', (name) => {
    for (const value of ['1 ether', '', true, 1.5, {}, '0x', '--0x1', '-0x'])
      expect(() => parse({ [name]: value })).toThrow(
        `Transaction request property '${name}' must be a valid number, bigint, or hex string representing a quantity`,
      )
    for (const value of ['-0x1', -1])
      expect(() => parse({ [name]: value })).toThrow(
        `Invalid transaction request: the ${name} is out of range`,
      )
  })

  test('about the chain', () => {
    for (const chainId of ['Base', 1.5, {}, '0x'])
      expect(() => parse({ chainId })).toThrow("Transaction request property 'chainId' must be a number")
  })
})

describe('transactions of newer types', () => {
  const entry = { address: to, chainId: 1, nonce: 0 }
  const hash = `0x${'01'.repeat(32)}`
  const signed = { ...entry, yParity: 1, r: hash, s: hash }
  const refusalOf = (fields: object) => {
    try {
      return parse(fields)
    } catch (cause) {
      return cause
    }
  }

  test.each([
    ['by its type', { type: 3 }],
    ['by its name', { type: 'eip4844' }],
    ['by its fields', { blobVersionedHashes: [hash], maxFeePerBlobGas: '0x1' }],
  ])('blobs: %s, the refusal says so', (_, fields) => {
    expect(refusalOf(fields)).toMatchObject({
      name: 'UnsupportedTransaction',
      type: 3,
      message: 'Blob transactions (EIP-4844) are not supported: only rollups send them',
    })
  })

  test.each([
    ['by its type', { type: '0x4', authorizationList: [entry] }],
    ['by its fields', { authorizationList: [entry] }],
  ])('EIP-7702: %s, the refusal names whom it lets act', (_, fields) => {
    expect(refusalOf(fields)).toMatchObject({
      name: 'UnsupportedTransaction',
      type: 4,
      message: expect.stringContaining('EIP-7702'),
      authorizations: [{ address: to, chainId: 1n, nonce: 0n }],
    })
  })

  test('EIP-7702: signatures and entries for every chain are read', () => {
    const list = [
      signed,
      { contractAddress: to.toLowerCase(), chainId: '0x0', nonce: '0x5', v: 27, r: hash, s: hash },
    ]
    expect(refusalOf({ authorizationList: list })).toMatchObject({
      authorizations: [
        { address: to, signature: { yParity: 1, r: hash, s: hash } },
        { address: to, chainId: 0n, nonce: 5n, signature: { yParity: 0 } },
      ],
    })
  })

  test.each([
    ['an empty list', []],
    ['no list', {}],
    ['257 entries', Array.from({ length: 257 }, () => entry)],
    ['an unknown field', [{ ...entry, gas: 1 }]],
    ['an address of a wrong checksum', [{ ...entry, address: to.replace('C5', 'c5') }]],
    ['two addresses', [{ ...entry, contractAddress: from }]],
    ['a negative chain', [{ ...entry, chainId: -1 }]],
    ['a nonce beyond 64 bits', [{ ...entry, nonce: `0x1${'0'.repeat(16)}` }]],
    ['half a signature', [{ ...entry, r: hash }]],
    ['a parity of two', [{ ...signed, yParity: 2 }]],
    ['two parities', [{ ...signed, v: 27 }]],
  ])('EIP-7702: %s can’t be read', (_, authorizationList) => {
    expect(refusalOf({ type: 4, authorizationList })).toMatchObject({
      name: 'InvalidRequest',
      message: "The transaction's authorizationList can't be read",
    })
  })

  test.each([
    ['an authorization list in an older type', { type: 2, authorizationList: [entry] }],
    ['blobs in an older type', { type: 2, blobs: ['0x00'] }],
    ['blobs and authorizations', { blobs: ['0x00'], authorizationList: [entry] }],
  ])('%s: the fields contradict the type', (_, fields) => {
    expect(refusalOf(fields)).toMatchObject({
      name: 'InvalidRequest',
      message: 'The transaction has fields that its type does not have',
    })
  })

  test('types beyond four are unknown', () => {
    expect(refusalOf({ type: 5 })).toMatchObject({ message: 'This type of transaction is unsupported' })
  })
})
