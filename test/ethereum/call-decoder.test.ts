import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeCall, decodePermit, isOpenEnded } from '../../src/ethereum/call-decoder.ts'
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
    ['increaseAllowance', [party, 1n << 255n], { action: 'approve', party, unlimited: true }],
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

describe('typed data that is no permit by its form', () => {
  const typed = (primaryType: string, types: Record<string, string>, message: object, checkedBy?: string) =>
    parseTypedData({
      domain: { name: 'App', ...(checkedBy && { verifyingContract: checkedBy }) },
      primaryType,
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          ...(checkedBy ? [{ name: 'verifyingContract', type: 'address' }] : []),
        ],
        ...Object.fromEntries(
          Object.entries(types).map(([struct, fields]) => [
            struct,
            fields.split(', ').map((each) => {
              const [type = '', name = ''] = each.split(' ')
              return { name, type }
            }),
          ]),
        ),
      },
      message,
    })

  test.each([
    ['a permit in an unknown form', 'Permit', { Permit: 'uint256 value' }, { value: '1' }],
    ['an order of a market', 'OrderComponents', { OrderComponents: 'address offerer' }, { offerer: from }],
    ['a delegation', 'Delegation', { Delegation: 'address delegate' }, { delegate: party }],
    ['an operator by its field', 'Setting', { Setting: 'address operator' }, { operator: party }],
    [
      'a permit within',
      'Batch',
      { Batch: 'PermitDetails[] all', PermitDetails: 'uint256 amount' },
      { all: [{ amount: '1' }] },
    ],
    [
      'a call of a contract',
      'ForwardRequest',
      { ForwardRequest: 'address to, bytes data' },
      { to: party, data: '0x1234' },
    ],
  ])('may be open-ended: %s', (_, primaryType, types, message) => {
    expect(isOpenEnded(typed(primaryType, types, message))).toBe(true)
  })

  test.each([
    [
      'a transaction of a Safe, which sends its coins',
      'SafeTx',
      'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce',
      {
        to: party,
        value: '1',
        data: '0x',
        operation: '0',
        safeTxGas: '0',
        baseGas: '0',
        gasPrice: '0',
        gasToken: from,
        refundReceiver: from,
        nonce: '3',
      },
    ],
    [
      'a withdrawal',
      'Withdraw',
      'address to, uint256 amount, uint256 nonce',
      { to: party, amount: '7', nonce: '1' },
    ],
    [
      'what a forwarder sends on without data',
      'ForwardRequest',
      'address from, address to, uint256 value, uint256 gas, uint256 nonce, bytes data',
      { from, to: party, value: '5', gas: '21000', nonce: '0', data: '0x' },
    ],
    ['shares of several', 'Split', 'address[] parties, uint96[] parts', { parties: [party], parts: ['1'] }],
  ])('may be open-ended where a contract checks it: %s', (_, primaryType, members, message) => {
    const types = { [primaryType]: members }
    expect(isOpenEnded(typed(primaryType, types, message, contract))).toBe(true)
    expect(isOpenEnded(typed(primaryType, types, message))).toBe(false)
  })

  test('is what it says where a contract checks it that gets no number, or no address', () => {
    const mail = { Mail: 'Person from, string contents', Person: 'string name, address wallet' }
    const message = { from: { name: 'Ada', wallet: from }, contents: 'Hello' }
    expect(isOpenEnded(typed('Mail', mail, message, contract))).toBe(false)
    const ballot = { Ballot: 'uint256 proposal, uint8 support' }
    expect(isOpenEnded(typed('Ballot', ballot, { proposal: '7', support: '1' }, contract))).toBe(false)
  })

  test.each([
    [
      'a mail',
      'Mail',
      { Mail: 'Person from, string contents', Person: 'string name, address wallet' },
      { from: { name: 'Ada', wallet: from }, contents: 'Approve the operator, in order' },
    ],
    ['a call without data', 'Transfer', { Transfer: 'address to, bytes data' }, { to: party, data: '0x' }],
    ['a vote', 'Ballot', { Ballot: 'uint256 proposal, uint8 support' }, { proposal: '7', support: '1' }],
  ])('is what it says: %s', (_, primaryType, types, message) => {
    expect(isOpenEnded(typed(primaryType, types, message))).toBe(false)
  })
})
