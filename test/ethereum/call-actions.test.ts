import fc from 'fast-check'
import { concat, encodeFunctionData, encodePacked, parseAbi, size, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { readActions } from '../../src/ethereum/call-actions.ts'

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function mint()',
  'function mint(uint256 amount)',
  'function mint(address to, uint256 token)',
  'function mint(address to, uint256 token, uint256 amount, bytes data)',
  'function mintBatch(address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function safeMint(address to, uint256 token)',
  'function batchMint(address to, uint256 amount)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function multicall(bytes[] calls)',
  'function execute(address to, uint256 value, bytes data)',
  'function executeBatch(address[] to, uint256[] values, bytes[] data)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
  'function multiSend(bytes calls)',
  'function deployAccount(bytes32 salt, bytes initializer)',
  'function initialize(address owner, address validator, bytes[] modules, (address target, bool allowFailure, uint256 value, bytes callData) initCall)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 a, uint256 b, uint256 c, address d, address e, bytes signatures)',
])
const zero = `0x${'0'.repeat(40)}`
const me = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const party = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const other = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
/** Safe's own code that makes a list of calls. */
const multiSend = '0x40A2aCCbd92BCA938b02010E17A5b8929b49130D'
const encode = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as `0x${string}`
const read = (data: string, to: string | undefined = token, value = 0n) => readActions({ to, value, data })
const transfer = encode('transfer', party, 5n)
const transferred = { action: 'transfer', contract: token, party, amount: 5n }

describe('actions of a call', () => {
  test.each([
    ['a mint without arguments', encode('mint'), { action: 'mint' }],
    ['a mint of an amount', encode('mint', 3n), { action: 'mint', amount: 3n }],
    ['a mint to somebody', encode('mint', party, 3n), { action: 'mint', party, amountOrToken: 3n }],
    [
      'a mint of ERC-1155',
      encode('mint', party, 1n, 2n, '0x'),
      { action: 'mint', party, token: 1n, amount: 2n },
    ],
    [
      'mints in a batch',
      encode('mintBatch', party, [1n, 2n], [3n, 4n], '0x'),
      {
        action: 'mint',
        items: [
          { token: 1n, amount: 3n },
          { token: 2n, amount: 4n },
        ],
      },
    ],
    ['a safe mint', encode('safeMint', party, 9n), { action: 'mint', party, token: 9n }],
    ['a mint of many', encode('batchMint', party, 9n), { action: 'mint', party, amount: 9n }],
    [
      'a batch of ERC-1155',
      encode('safeBatchTransferFrom', me, party, [7n], [8n], '0x'),
      { action: 'batchTransfer', from: me, party, items: [{ token: 7n, amount: 8n }] },
    ],
    [
      'an allowance that grows',
      encode('increaseAllowance', party, 1n),
      { action: 'approve', party, amount: 1n },
    ],
  ])('%s', (_, data, action) => {
    expect(read(data)).toMatchObject({
      actions: [{ ...action, contract: token }],
      isBatch: false,
      isComplete: true,
    })
  })

  test('coins and a call, coins alone, and a new contract', () => {
    expect(read(transfer, token, 2n).actions).toMatchObject([
      { action: 'send', party: token, amount: 2n },
      transferred,
    ])
    expect(read('0x', party, 2n).actions).toEqual([{ action: 'send', party, amount: 2n }])
    expect(readActions({ value: 0n, data: '0x6001' }).actions).toEqual([{ action: 'deploy' }])
  })

  test.each([
    ['lists of two lengths', encode('safeBatchTransferFrom', me, party, [7n], [8n, 9n], '0x')],
    ['trailing bytes', `${encode('mint', 3n)}00`],
    ['an address with dirty upper bytes', encode('safeMint', party, 9n).replace(/^(0x.{8})00/, '$101')],
    ['a selector alone', '0x12345678'],
  ])('%s: unknown, by its selector', (_, data) => {
    expect(read(data).actions).toEqual([{ action: 'unknown', contract: token, selector: data.slice(0, 10) }])
  })
})

describe('nested calls', () => {
  const packed = (...calls: [operation: number, to: `0x${string}`, value: bigint, data: `0x${string}`][]) =>
    concat(
      calls.map(([operation, to, value, data]) =>
        encodePacked(
          ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
          [operation, to, value, BigInt(size(data)), data],
        ),
      ),
    )
  const deployed = (target: string, callData: string) =>
    encode(
      'deployAccount',
      `0x${'11'.repeat(32)}`,
      encode('initialize', me, other, [], { target, allowFailure: false, value: 0n, callData }),
    )
  const safe = (to: string, data: string, operation: number) =>
    encode('execTransaction', to, 0n, data, operation, 0n, 0n, 0n, zero, zero, '0x')

  test.each([
    [
      'a multicall, on the contract itself',
      encode('multicall', [transfer, transfer]),
      token,
      [transferred, transferred],
    ],
    ['the call of a smart account', encode('execute', token, 0n, transfer), me, [transferred]],
    [
      'a batch of a smart account, with coins',
      encode('executeBatch', [token, party], [0n, 4n], [transfer, '0x']),
      me,
      [transferred, { action: 'send', party, amount: 4n }],
    ],
    [
      'multicall3',
      encode('aggregate3', [{ target: token, allowFailure: true, callData: transfer }]),
      other,
      [transferred],
    ],
    ['a Safe', safe(token, transfer, 0), me, [transferred]],
    ['a new account with a first call', deployed(token, transfer), other, [{ ...transferred, by: other }]],
    [
      'a batch of a Safe',
      safe(multiSend, encode('multiSend', packed([0, token, 0n, transfer], [0, party, 1n, '0x'])), 1),
      me,
      [transferred, { action: 'send', party, amount: 1n }],
    ],
  ])('%s', (_, data, to, actions) => {
    expect(read(data, to)).toMatchObject({ actions, isBatch: true, isComplete: true })
  })

  test('say which contract carries them out, unless it is the wallet itself', () => {
    const batch = encode('execute', token, 0n, encode('multicall', [transfer]))
    expect(read(batch, me).actions).toEqual([{ ...transferred, unlimited: false, by: me }])
    expect(read(encode('multicall', [transfer])).actions).toEqual([{ ...transferred, unlimited: false }])
  })

  test.each([
    ['a batch of nothing', encode('multicall', [])],
    [
      'a packed batch cut off',
      encode('multiSend', packed([0, token, 0n, transfer]).slice(0, -2) as `0x${string}`),
    ],
    ['lists of two lengths', encode('executeBatch', [token], [], [transfer, transfer])],
  ])('%s: unknown', (_, data) => {
    expect(read(data, me).actions).toMatchObject([{ action: 'unknown', contract: me }])
  })

  test.each([
    ['a Safe that lends its storage', safe(token, transfer, 1)],
    ['a packed batch that lends it', encode('multiSend', packed([1, token, 0n, transfer]))],
  ])('%s: nobody knows what the code does that runs as a part of it', (_, data) => {
    expect(read(data, me).actions).toMatchObject([{ action: 'unknown', contract: token }])
  })

  test('a Safe that pays a refund to somebody is followed all the same', () => {
    const data = encode('execTransaction', token, 0n, transfer, 0, 0n, 0n, 1n, zero, party, '0x')
    expect(read(data, me)).toMatchObject({ actions: [transferred], contracts: [me, token] })
  })

  const modular = (mode: string, execution: `0x${string}`) =>
    encodeFunctionData({
      abi: parseAbi(['function execute(bytes32 mode, bytes execution)']),
      args: [`0x${mode.padEnd(64, '0')}`, execution],
    })
  test('a call of an account with modules is followed, with all contracts on its way', () => {
    const inner = encodePacked(['address', 'uint256', 'bytes'], [token, 0n, transfer])
    const data = encode('aggregate3', [{ target: me, allowFailure: false, callData: modular('00', inner) }])
    expect(read(data, other)).toMatchObject({
      actions: [{ ...transferred, by: me }],
      contracts: [other, me, token],
      isComplete: true,
    })
  })

  test.each([
    ['without a first call', deployed(zero, '0x')],
    ['with an initializer that nobody knows', encode('deployAccount', `0x${'11'.repeat(32)}`, transfer)],
  ])('a new account %s is a call of its factory', (_, data) => {
    expect(read(data, other)).toMatchObject({
      actions: [{ action: 'unknown', contract: other, selector: data.slice(0, 10) }],
      isBatch: false,
    })
  })

  test('that are too deep or too many are not followed, and the result says so', () => {
    let deep = transfer
    for (let level = 0; level < 20; level++) deep = encode('multicall', [deep])
    expect(read(deep)).toEqual({ actions: [], contracts: [token], isBatch: true, isComplete: false })
    const wide = read(
      encode(
        'multicall',
        Array.from({ length: 500 }, () => transfer),
      ),
    )
    expect([wide.actions.length, wide.isComplete]).toEqual([256, false])
  })

  test('16,384 values take less than a second of the processor', () => {
    const values = Array.from({ length: 8_192 }, (_, at) => BigInt(at))
    const data = encode('mintBatch', party, values, values, toHex('x'.repeat(1_000)))
    const start = process.cpuUsage()
    expect(read(data).actions).toMatchObject([{ action: 'mint', party }])
    const { user, system } = process.cpuUsage(start)
    expect(user + system).toBeLessThan(1_000_000)
  })
})

describe('mutated calls', () => {
  test.each([
    ['a transfer', transfer],
    ['an allowance', encode('increaseAllowance', party, 77n)],
    ['a batch of tokens', encode('safeBatchTransferFrom', me, party, [7n, 8n], [9n, 10n], '0x')],
    ['a multicall', encode('multicall', [transfer, encode('mint', 3n)])],
    ['a batch of a smart account', encode('executeBatch', [token, party], [0n, 4n], [transfer, '0x'])],
    ['multicall3', encode('aggregate3', [{ target: token, allowFailure: false, callData: transfer }])],
  ])('%s: no other bytes are read as the same actions', (_, data) => {
    const honest = read(data, me)
    // Whether a call may fail in a batch is no action of its own.
    const isSame = (mutated: string) => mutated === data || decodesToFailing(mutated)
    fc.assert(
      fc.property(fc.nat(data.length - 3), fc.integer({ min: 1, max: 15 }), (at, change) => {
        const digit = (Number.parseInt(data.charAt(at + 2), 16) ^ change).toString(16)
        const mutated = data.slice(0, at + 2) + digit + data.slice(at + 3)
        if (!isSame(mutated)) expect(read(mutated, me)).not.toEqual(honest)
      }),
      { numRuns: 500 },
    )
  })
  const decodesToFailing = (data: string) =>
    data === encode('aggregate3', [{ target: token, allowFailure: true, callData: transfer }])

  test('random bytes are never more than unknown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        expect(read(toHex(bytes), me).actions).toMatchObject([{ action: 'unknown', contract: me }])
      }),
      { numRuns: 300 },
    )
  })
})
