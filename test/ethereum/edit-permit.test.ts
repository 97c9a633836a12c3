/** Permits of typed data, and the same typed data with a lower one. */
import { bytesToHex, hashTypedData as hashByViem } from 'viem'
import { describe, expect, test } from 'vitest'
import { readPermits, withPermit } from '../../src/ethereum/edit-permit.ts'
import { hashTypedData, parseTypedData } from '../../src/ethereum/typed-data.ts'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const other = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const owner = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const UINT160 = (1n << 160n) - 1n
const UINT256 = (1n << 256n) - 1n

const field = (text: string) => {
  const [type = '', name = ''] = text.split(' ')
  return { name, type }
}
const struct = (text: string) => text.split(',').map(field)
const details = struct('address token,uint160 amount,uint48 expiration,uint48 nonce')
const permissions = struct('address token,uint256 amount')
const typed = (contract: string, primaryType: string, types: object, message: object) => ({
  domain: { name: 'Test', chainId: 1, verifyingContract: contract },
  types,
  primaryType,
  message,
})

const permit = (value: unknown) =>
  typed(
    token,
    'Permit',
    { Permit: struct('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline') },
    { owner, spender, value, nonce: '0', deadline: '99' },
  )
const single = (amount: unknown, expiration: unknown = 900) =>
  typed(
    permit2,
    'PermitSingle',
    {
      PermitSingle: struct('PermitDetails details,address spender,uint256 sigDeadline'),
      PermitDetails: details,
    },
    { details: { token, amount, expiration, nonce: 0 }, spender, sigDeadline: '99' },
  )
const batch = (first: unknown, second: unknown, end: unknown = '900') =>
  typed(
    permit2,
    'PermitBatch',
    {
      PermitBatch: struct('PermitDetails[] details,address spender,uint256 sigDeadline'),
      PermitDetails: details,
    },
    {
      details: [
        { token, amount: first, expiration: '900', nonce: 0 },
        { token: other, amount: second, expiration: end, nonce: 1 },
      ],
      spender,
      sigDeadline: '99',
    },
  )
const transfer = (amount: unknown) =>
  typed(
    permit2,
    'PermitTransferFrom',
    {
      PermitTransferFrom: struct('TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline'),
      TokenPermissions: permissions,
    },
    { permitted: { token, amount }, spender, nonce: '0', deadline: '99' },
  )
const transfers = (first: unknown, second: unknown) =>
  typed(
    permit2,
    'PermitBatchTransferFrom',
    {
      PermitBatchTransferFrom: struct(
        'TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline',
      ),
      TokenPermissions: permissions,
    },
    {
      permitted: [
        { token, amount: first },
        { token: other, amount: second },
      ],
      spender,
      nonce: '0',
      deadline: '99',
    },
  )
const read = (data: object) => parseTypedData(data)
const hashOf = (data: object) => bytesToHex(hashTypedData(read(data)))

describe('permit', () => {
  test.each([
    ['EIP-2612', permit(String(UINT256)), 0, permit('7'), { token, amount: UINT256, isUnlimited: true }],
    ['an amount as 0x-hex', permit('0xff'), 0, permit('7'), { amount: 255n, isUnlimited: false }],
    [
      'Permit2 for one token',
      single(String(UINT160)),
      0,
      single('7'),
      { token, amount: UINT160, isUnlimited: true, expires: 900n },
    ],
    ['Permit2 for several tokens', batch('5', '9'), 1, batch('5', '7'), { token: other, amount: 9n }],
    ['a transfer of Permit2', transfer('9'), 0, transfer('7'), { token, amount: 9n }],
    ['transfers of Permit2', transfers('5', '9'), 1, transfers('5', '7'), { token: other, amount: 9n }],
  ])('permit: %s is edited down to exactly the data with the lower amount', (_, data, at, lower, found) => {
    expect(readPermits(read(data))[at]).toMatchObject({ spender, ...found })
    const edited = withPermit(read(data), { at, amount: 7n })
    expect(bytesToHex(hashTypedData(edited))).toBe(hashOf(lower))
    expect(hashByViem(edited.data as never)).toBe(hashByViem(lower as never))
    expect(hashOf(data)).not.toBe(hashOf(lower))
  })

  test('permit: Permit2 is edited to end sooner', () => {
    const one = withPermit(read(single('9')), { at: 0, expires: 60n })
    expect(bytesToHex(hashTypedData(one))).toBe(hashOf(single('9', 60)))
    const several = withPermit(read(batch('5', '9')), { at: 1, amount: 8n, expires: 60n })
    expect(bytesToHex(hashTypedData(several))).toBe(hashOf(batch('5', '8', '60')))
    expect(() => withPermit(read(permit('9')), { at: 0, expires: 60n })).toThrow(RangeError)
  })

  const dai = typed(
    other,
    'Permit',
    { Permit: struct('address holder,address spender,uint256 nonce,uint256 expiry,bool allowed') },
    { holder: owner, spender, nonce: '0', expiry: '0', allowed: true },
  )
  const witness = typed(
    permit2,
    'PermitWitnessTransferFrom',
    {
      PermitWitnessTransferFrom: struct(
        'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness',
      ),
      TokenPermissions: permissions,
      Order: struct('uint256 id'),
    },
    { permitted: { token, amount: '9' }, spender, nonce: '0', deadline: '99', witness: { id: '1' } },
  )
  test.each([
    ['DAI’s permit, which has no amount', dai],
    ['a permit that is taken back', permit('0')],
    ['a permit that agrees to more than its tokens', witness],
    [
      'a struct of the same name with other fields',
      typed(token, 'Permit', { Permit: struct('address spender,uint256 value') }, { spender, value: '9' }),
    ],
  ])('permit: %s has nothing to edit', (_, data) => {
    expect(readPermits(read(data))).toEqual([])
    expect(() => withPermit(read(data), { at: 0, amount: 7n })).toThrow(RangeError)
  })

  test('permit: an amount that does not fit its type is refused', () => {
    expect(() => withPermit(read(single('9')), { at: 0, amount: 1n << 160n })).toThrow()
    expect(() => withPermit(read(single('9')), { at: 0, amount: 0n })).toThrow(RangeError)
    expect(() => withPermit(read(single('9')), { at: 1, amount: 7n })).toThrow(RangeError)
  })
})
