import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeCall } from '../../src/ethereum/call-decoder.ts'
import { decodePermit } from '../../src/ethereum/permit-decoder.ts'
import { withReach } from '../../src/ethereum/token-action.ts'
import { parseTypedData } from '../../src/ethereum/typed-data.ts'

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function safeTransferFrom(address from, address to, uint256 token)',
  'function safeTransferFrom(address from, address to, uint256 token, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 token, uint256 amount, bytes data)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function burn(uint256 amount)',
])
const from = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const party = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const encode = (functionName: string, args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as string

describe('a call is named', () => {
  test.each([
    ['transfer', [party, 5n], { action: 'transfer', party, amount: 5n, unlimited: false }],
    ['approve', [party, 5n], { action: 'approve', party, amountOrToken: 5n, unlimited: false }],
    ['approve', [party, maxUint256], { action: 'approve', party, amount: maxUint256, unlimited: true }],
    [
      'approve',
      [contract, party, 5n, 77],
      { action: 'approve', party, amount: 5n, expires: 77n, unlimited: false },
    ],
    ['increaseAllowance', [party, 1n << 255n], { action: 'approve', party, unlimited: false }],
    ['transferFrom', [from, party, 7n], { action: 'transfer', from, party, amountOrToken: 7n }],
    ['setApprovalForAll', [party, true], { action: 'approveAll', party, unlimited: true }],
    ['setApprovalForAll', [party, false], { action: 'revokeAll', party, unlimited: false }],
    ['safeTransferFrom', [from, party, 9n], { action: 'transfer', from, party, token: 9n }],
    ['safeTransferFrom', [from, party, 9n, '0x1234'], { action: 'transfer', from, party, token: 9n }],
    [
      'safeTransferFrom',
      [from, party, 9n, 3n, '0x'],
      { action: 'transfer', from, party, token: 9n, amount: 3n },
    ],
  ])('%s', (name, args, read) => {
    expect(decodeCall(encode(name, args), contract)).toMatchObject({ ...read, contract })
  })
})

describe('a call that is not written as usual is unknown', () => {
  const data = encode('transfer', [party, 5n])
  test.each([
    ['another function', encode('burn', [1n])],
    ['no function', '0x'],
    ['half a selector', '0xa905'],
    ['bytes behind it', `${data}00`],
    ['a missing word', data.slice(0, -64)],
    ['an address with something before it', `${data.slice(0, 10)}01${data.slice(12)}`],
    ['a boolean of two', `${encode('setApprovalForAll', [party, true]).slice(0, -1)}2`],
    [
      'bytes that begin elsewhere',
      encode('safeTransferFrom', [from, party, 9n, '0x1234']).replace(/80(?=0{63}2)/, 'a0'),
    ],
  ])('%s', (_, call) => {
    expect(decodeCall(call, contract)).toBeUndefined()
  })
})

describe('a permit is named', () => {
  const domain = { name: 'Token', chainId: 1, verifyingContract: contract }
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ]
  const fields = (text: string) =>
    text.split(', ').map((each) => {
      const [type = '', name = ''] = each.split(' ')
      return { name, type }
    })
  const permit = (value: string) =>
    parseTypedData({
      domain,
      primaryType: 'Permit',
      types: {
        EIP712Domain,
        Permit: fields('address owner, address spender, uint256 value, uint256 nonce, uint256 deadline'),
      },
      message: { owner: from, spender: party, value, nonce: '0', deadline: '99' },
    })

  test('of EIP-2612, limited and unlimited', () => {
    expect(decodePermit(permit('12'))).toMatchObject({
      action: 'approve',
      party,
      contract,
      amount: 12n,
      unlimited: false,
    })
    expect(decodePermit(permit(String(maxUint256)))).toMatchObject({ unlimited: true })
  })

  test('of DAI, which allows everything or nothing', () => {
    const dai = (allowed: boolean) =>
      parseTypedData({
        domain,
        primaryType: 'Permit',
        types: {
          EIP712Domain,
          Permit: fields('address holder, address spender, uint256 nonce, uint256 expiry, bool allowed'),
        },
        message: { holder: from, spender: party, nonce: '0', expiry: '0', allowed },
      })
    expect(decodePermit(dai(true))).toMatchObject({ party, unlimited: true })
    expect(decodePermit(dai(false))).toMatchObject({ party, amount: 0n, unlimited: false })
  })

  test('of Permit2, whose greatest amount has 160 bits', () => {
    const single = (amount: string) =>
      parseTypedData({
        domain,
        primaryType: 'PermitSingle',
        types: {
          EIP712Domain,
          PermitSingle: fields('PermitDetails details, address spender, uint256 sigDeadline'),
          PermitDetails: fields('address token, uint160 amount, uint48 expiration, uint48 nonce'),
        },
        message: {
          details: { token: contract, amount, expiration: '0', nonce: '0' },
          spender: party,
          sigDeadline: '0',
        },
      })
    expect(decodePermit(single('5'))).toMatchObject({ contract, party, amount: 5n, unlimited: false })
    expect(decodePermit(single(String(2n ** 160n - 1n)))).toMatchObject({ unlimited: true })
  })

  test('and typed data that only borrows the name is not', () => {
    const other = parseTypedData({
      domain,
      primaryType: 'Permit',
      types: { EIP712Domain, Permit: fields('address owner, address spender, uint256 value') },
      message: { owner: from, spender: party, value: '1' },
    })
    expect(decodePermit(other)).toBeUndefined()
  })
})

describe('allowances are judged by their effect', () => {
  const spend = (amount: bigint) => {
    const call = decodeCall(encode('approve', [party, amount]), contract)
    if (!call) throw new Error('not decoded')
    return call
  }
  const figures = { balance: 1_000n, supply: 1_000_000n }
  test.each([
    [(1n << 256n) - 1n, 'all'],
    [(1n << 256n) - 2n, 'all'],
    [1n << 255n, 'all'],
    [(1n << 255n) - 1n, 'all'],
    [(1n << 160n) - 1n, 'all'],
    [(1n << 159n) - 1n, 'all'],
    [(1n << 96n) - 1n, 'all'],
    [1_000_000n, 'all'],
    [1_000n, 'all'],
    [999n, 'part'],
    [1n, 'part'],
  ])('allowance: %d of a balance of 1000 reaches %s', (amount, reach) => {
    expect(withReach(spend(amount), figures).reach).toBe(reach)
  })
  test('allowance: the reach is unknown without figures, unless there is no limit', () => {
    expect(withReach(spend((1n << 255n) - 1n), undefined).reach).toBeUndefined()
    expect(withReach(spend((1n << 256n) - 1n), undefined).reach).toBe('all')
  })
  test('allowance: one for an empty wallet reaches all that it will have', () => {
    expect(withReach(spend(5n), { balance: 0n }).reach).toBe('all')
  })
  test('allowance: taking one back reaches nothing', () => {
    expect(withReach(spend(0n), figures).reach).toBeUndefined()
  })
})
