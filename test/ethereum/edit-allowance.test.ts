/** Allowances of calls, and the same calls with a lower one. */
import { decodeFunctionData, encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { readAllowance, withAllowance } from '../../src/ethereum/edit-allowance.ts'

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
    expect(readAllowance(data, contract)).toMatchObject({ token: of, spender, isUnlimited: true })
    const edited = withAllowance(data, contract, 7n)
    expect(decodeFunctionData({ abi, data: edited }).args).toEqual(args)
    expect(edited.slice(0, 10)).toBe(data.slice(0, 10))
    expect(readAllowance(edited, contract)).toEqual({ token: of, spender, amount: 7n, isUnlimited: false })
  })

  test.each([
    ['a transfer', encode('transfer', spender, 5n)],
    ['the end of an allowance', encode('approve', spender, 0n)],
    ['an operator of all tokens', encode('setApprovalForAll', spender, true)],
    ['an approval with bytes behind it', `${encode('approve', spender, 5n)}00`],
    ['an approval with dirty upper bytes', encode('approve', spender, 5n).replace('095ea7b30', '095ea7b3f')],
    ['no data', '0x'],
  ])('allowance: %s is not editable', (_, data) => {
    expect(readAllowance(data, contract)).toBe(undefined)
    expect(() => withAllowance(data as `0x${string}`, contract, 5n)).toThrow(RangeError)
  })

  test.each([0n, -1n, 1n << 160n])('allowance: %s does not fit Permit2', (amount) => {
    const data = encode('approve', token, spender, 5n, 9)
    expect(() => withAllowance(data, contract, amount)).toThrow(RangeError)
  })
})
