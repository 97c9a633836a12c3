/** Allowances of calls, and the same calls with a lower one. */
import { decodeFunctionData, encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { isWithin, readAllowances, withAllowance } from '../../src/ethereum/edit-allowance.ts'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function increaseApproval(address spender, uint256 amount)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function transfer(address to, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
])
const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const contract = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const encode = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as `0x${string}`
const limitless = (1n << 160n) - 1n

describe('allowance of a call', () => {
  test.each([
    ['approve', encode('approve', spender, maxUint256), contract, [spender, 7n]],
    ['increaseAllowance', encode('increaseAllowance', spender, maxUint256), contract, [spender, 7n]],
    ['increaseApproval', encode('increaseApproval', spender, maxUint256), contract, [spender, 7n]],
    ['Permit2', encode('approve', token, spender, limitless, 9), token, [token, spender, 7n, 9]],
  ])('allowance: %s is edited down, and nothing else of the call changes', (_, data, of, args) => {
    expect(readAllowances(data, contract)).toMatchObject([{ token: of, spender, isUnlimited: true }])
    const edited = withAllowance(data, contract, { at: 0, amount: 7n })
    expect(decodeFunctionData({ abi, data: edited }).args).toEqual(args)
    expect(edited.slice(0, 10)).toBe(data.slice(0, 10))
    expect(readAllowances(edited, contract)).toMatchObject([
      { token: of, spender, amount: 7n, isUnlimited: false },
    ])
  })

  test.each([
    ['a transfer', encode('transfer', spender, 5n)],
    ['the end of an allowance', encode('approve', spender, 0n)],
    ['an operator of all tokens', encode('setApprovalForAll', spender, true)],
    ['an approval with bytes behind it', `${encode('approve', spender, 5n)}00`],
    ['an approval with dirty upper bytes', encode('approve', spender, 5n).replace('095ea7b30', '095ea7b3f')],
    ['no data', '0x'],
  ])('allowance: %s is not editable', (_, data) => {
    expect(readAllowances(data, contract)).toEqual([])
    expect(() => withAllowance(data as `0x${string}`, contract, { at: 0, amount: 5n })).toThrow(RangeError)
  })

  test.each([0n, -1n, 1n << 160n])('allowance: %s does not fit Permit2', (amount) => {
    const data = encode('approve', token, spender, 5n, 9)
    expect(() => withAllowance(data, contract, { at: 0, amount })).toThrow(RangeError)
  })

  test('allowance: Permit2 is edited to end sooner, and its amount stays', () => {
    const data = encode('approve', token, spender, 5n, 900)
    const edited = withAllowance(data, contract, { at: 0, expires: 60n })
    expect(decodeFunctionData({ abi, data: edited }).args).toEqual([token, spender, 5n, 60])
    expect(() => withAllowance(encode('approve', spender, 5n), token, { at: 0, expires: 60n })).toThrow(
      RangeError,
    )
  })

  test.each([
    ['a lower amount', { at: 0, amount: 5n }, true],
    ['the amount that is asked for', { at: 0, amount: 10n }, true],
    ['a higher amount', { at: 0, amount: 11n }, false],
    ['nothing', { at: 0, amount: 0n }, false],
    ['a sooner end', { at: 0, expires: 99n }, true],
    ['a later end', { at: 0, expires: 101n }, false],
    ['no change', { at: 0 }, false],
  ])('allowance: %s is within what is asked for: %o is %s', (_, edit, is) => {
    expect(isWithin({ token, spender, amount: 10n, isUnlimited: false, expires: 100n }, edit)).toBe(is)
  })
})

const batches = parseAbi([
  'function multicall(bytes[] data)',
  'function multicall(uint256 deadline, bytes[] data)',
  'function execute(address target, uint256 value, bytes data)',
  'function execute((address target, uint256 value, bytes data)[] calls)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] data)',
  'function executeBatch(address[] targets, bytes[] data)',
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
  'function aggregate((address target, bytes data)[] calls)',
  'function tryAggregate(bool required, (address target, bytes data)[] calls)',
  'function aggregate3((address target, bool allowFailure, bytes data)[] calls)',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes data)[] calls)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function multiSend(bytes transactions)',
])
const batch = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi: batches, functionName, args } as never) as `0x${string}`
const account = '0x9406Cc6185a346906296840746125a0E44976454'
const approve = (amount: bigint) => encode('approve', spender, amount)
const send = encode('transfer', spender, 5n)
/** Two calls, of which the second gives an allowance. */
const shapes: Record<string, (data: `0x${string}`) => `0x${string}`> = {
  multicall: (data) => batch('multicall', [send, data]),
  'multicall with a deadline': (data) => batch('multicall', 99n, [send, data]),
  execute: (data) => batch('execute', token, 0n, data),
  'execute of a list': (data) =>
    batch('execute', [
      { target: token, value: 1n, data: send },
      { target: token, value: 0n, data },
    ]),
  executeBatch: (data) => batch('executeBatch', [token, token], [1n, 0n], [send, data]),
  'executeBatch without values': (data) => batch('executeBatch', [token, token], [send, data]),
  'executeBatch of structs': (data) =>
    batch('executeBatch', [
      { target: token, value: 1n, data: send },
      { target: token, value: 0n, data },
    ]),
  aggregate: (data) =>
    batch('aggregate', [
      { target: token, data: send },
      { target: token, data },
    ]),
  tryAggregate: (data) =>
    batch('tryAggregate', true, [
      { target: token, data: send },
      { target: token, data },
    ]),
  aggregate3: (data) =>
    batch('aggregate3', [
      { target: token, allowFailure: true, data: send },
      { target: token, allowFailure: false, data },
    ]),
  aggregate3Value: (data) =>
    batch('aggregate3Value', [
      { target: token, allowFailure: true, value: 1n, data: send },
      { target: token, allowFailure: false, value: 0n, data },
    ]),
  'a multicall in an execution': (data) => batch('execute', account, 0n, batch('multicall', [send, data])),
}

describe('allowance inside of a batch', () => {
  test.each(Object.entries(shapes))(
    'batch: an allowance in %s is edited down to exactly the batch with the lower one',
    (_, shape) => {
      const data = shape(approve(maxUint256))
      const [found, ...more] = readAllowances(data, account)
      expect(more).toEqual([])
      expect(found).toMatchObject({ spender, amount: maxUint256, isUnlimited: true })
      expect(withAllowance(data, account, { at: 0, amount: 7n })).toBe(shape(approve(7n)))
    },
  )

  test('batch: each allowance has its place, and equal ones are told apart', () => {
    const data = batch('multicall', [approve(9n), approve(9n), approve(0n), approve(9n)])
    expect(readAllowances(data, token)).toHaveLength(3)
    expect(withAllowance(data, token, { at: 1, amount: 4n })).toBe(
      batch('multicall', [approve(9n), approve(4n), approve(0n), approve(9n)]),
    )
    expect(withAllowance(data, token, { at: 2, amount: 4n })).toBe(
      batch('multicall', [approve(9n), approve(9n), approve(0n), approve(4n)]),
    )
    expect(() => withAllowance(data, token, { at: 3, amount: 4n })).toThrow(RangeError)
  })

  test('batch: tokens of the account that executes are its own, those of a multicall the signer’s', () => {
    expect(readAllowances(batch('execute', token, 0n, approve(9n)), account)).toMatchObject([
      { token, owner: account },
    ])
    const [own] = readAllowances(batch('multicall', [approve(9n)]), token)
    expect(own?.owner).toBeUndefined()
  })

  const packed = (data: string) =>
    `0x00${token.slice(2)}${'0'.repeat(64)}${((data.length - 2) / 2).toString(16).padStart(64, '0')}${data.slice(2)}`
  test.each([
    [
      'a Safe transaction, which its owners have signed',
      batch('execTransaction', token, 0n, approve(9n), 0, 0n, 0n, 0n, account, account, '0x1234'),
    ],
    ['a packed list', batch('multiSend', packed(approve(9n)))],
    ['a batch with bytes behind it', `${batch('multicall', [approve(9n)])}00`],
  ])('batch: an allowance in %s is not editable', (_, data) => {
    expect(readAllowances(data, account)).toEqual([])
  })

  test('batch: more calls than are followed have no allowance beyond them', () => {
    const data = batch('multicall', [...Array.from({ length: 300 }, () => send), approve(9n)])
    expect(readAllowances(data, token)).toEqual([])
  })
})
