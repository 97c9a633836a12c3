/** What src/ethereum/call-decoder.ts says of calls and permits, and what the actions of clear signing say: one truth, until one is left. */
import { maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type Action,
  describeTransaction,
  describeTypedData,
  PERMIT2,
} from '../../src/clear-signing/index.ts'
import { decodeCall, decodePermit, type TokenAction } from '../../src/ethereum/call-decoder.ts'
import { parseTypedData } from '../../src/ethereum/typed-data.ts'
import { alice, bob, encode, typedData, usdc } from './support.ts'

/** An action in the words of the call decoder. */
function asTokenAction(action: Action | undefined): TokenAction | undefined {
  if (action?.kind === 'operator')
    return {
      action: action.isGranted ? 'approveAll' : 'revokeAll',
      contract: action.contract,
      party: action.operator,
      unlimited: action.isGranted,
    }
  if (action?.kind === 'allowance') {
    const { token, spender, amount, amountOrId, isUnlimited, isRevoked } = action
    const figure =
      amountOrId === undefined ? { amount: isRevoked ? 0n : amount } : { amountOrToken: amountOrId }
    return { action: 'approve', contract: token, party: spender, ...figure, unlimited: isUnlimited }
  }
  if (action?.kind !== 'transfer') return undefined
  const { contract, from, to, amount, tokenId, amountOrId } = action
  return {
    action: 'transfer',
    contract,
    from,
    party: to,
    amount,
    token: tokenId,
    amountOrToken: amountOrId,
    unlimited: false,
  }
}
/** Without what is undefined. */
const plain = (action: TokenAction | undefined) =>
  action && Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined))

describe('calls: the action agrees with the call decoder', () => {
  test.each([
    ['transfer(address to,uint256 amount)', [alice, 5n], usdc],
    ['approve(address spender,uint256 amount)', [alice, 5n], usdc],
    ['approve(address spender,uint256 amount)', [alice, 0n], usdc],
    ['approve(address spender,uint256 amount)', [alice, maxUint256], usdc],
    ['increaseAllowance(address spender,uint256 amount)', [alice, 5n], usdc],
    ['increaseApproval(address spender,uint256 amount)', [alice, maxUint256], usdc],
    ['transferFrom(address from,address to,uint256 amount)', [bob, alice, 5n], usdc],
    ['setApprovalForAll(address operator,bool approved)', [alice, true], usdc],
    ['setApprovalForAll(address operator,bool approved)', [alice, false], usdc],
    ['safeTransferFrom(address from,address to,uint256 id)', [bob, alice, 9n], usdc],
    ['safeTransferFrom(address from,address to,uint256 id,bytes data)', [bob, alice, 9n, '0x1234'], usdc],
    [
      'safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)',
      [bob, alice, 9n, 3n, '0x'],
      usdc,
    ],
    [
      'approve(address token,address spender,uint160 amount,uint48 expiration)',
      [usdc, alice, 7n, 9n],
      PERMIT2,
    ],
    ['burn(uint256 amount)', [5n], usdc],
  ] as const)('%s to %s', (key, args, to) => {
    const data = encode(key, args)
    const decoded = decodeCall(data, to)
    const [action] = describeTransaction({ chainId: 1, to, data }).actions
    // An increase is no amount or id: the call decoder can't tell.
    const known = decoded && {
      ...decoded,
      ...(key.startsWith('increase') && {
        amount: decoded.amount ?? decoded.amountOrToken,
        amountOrToken: undefined,
      }),
    }
    // A revoked allowance is 0 of whatever it was of.
    const ours = asTokenAction(action)
    const same =
      key.startsWith('approve(address spender') && args[1] === 0n && ours
        ? { ...ours, amount: undefined, amountOrToken: 0n }
        : ours
    // An expiry is among the fields of a description.
    expect(plain(same)).toEqual(plain(known && { ...known, expires: undefined }))
  })
})

const fieldsOf = (text: string) =>
  text.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })
describe('permits: the action agrees with the call decoder', () => {
  const details = { PermitDetails: fieldsOf('address token,uint160 amount,uint48 expiration,uint48 nonce') }
  const permitted = { TokenPermissions: fieldsOf('address token,uint256 amount') }
  test.each([
    [
      'Permit',
      { Permit: fieldsOf('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline') },
      { owner: bob, spender: alice, value: '7', nonce: 0, deadline: 9 },
    ],
    [
      'Permit',
      { Permit: fieldsOf('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline') },
      { owner: bob, spender: alice, value: String(maxUint256), nonce: 0, deadline: 9 },
    ],
    [
      'Permit',
      { Permit: fieldsOf('address holder,address spender,uint256 nonce,uint256 expiry,bool allowed') },
      { holder: bob, spender: alice, nonce: 0, expiry: 9, allowed: true },
    ],
    [
      'Permit',
      { Permit: fieldsOf('address holder,address spender,uint256 nonce,uint256 expiry,bool allowed') },
      { holder: bob, spender: alice, nonce: 0, expiry: 9, allowed: false },
    ],
    [
      'PermitSingle',
      { PermitSingle: fieldsOf('PermitDetails details,address spender,uint256 sigDeadline'), ...details },
      {
        details: { token: usdc, amount: String((1n << 160n) - 1n), expiration: 9, nonce: 0 },
        spender: alice,
        sigDeadline: 9,
      },
    ],
    [
      'PermitTransferFrom',
      {
        PermitTransferFrom: fieldsOf(
          'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline',
        ),
        ...permitted,
      },
      { permitted: { token: usdc, amount: '7' }, spender: alice, nonce: 0, deadline: 9 },
    ],
    [
      'Permit',
      { Permit: fieldsOf('address owner,address spender,uint128 value,uint256 nonce,uint256 deadline') },
      { owner: bob, spender: alice, value: '7', nonce: 0, deadline: 9 },
    ],
  ])('%s', (primaryType, types, value) => {
    const data = typedData(primaryType, types, value, { verifyingContract: usdc })
    const [action] = describeTypedData(data).actions
    expect(plain(asTokenAction(action))).toEqual(plain(decodePermit(parseTypedData(data))))
  })
})
