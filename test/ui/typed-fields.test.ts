import { describe, expect, it } from 'vitest'
import { meaningOf, spenderOf, type TypedField } from '../../src/ui/wallet/typed-data/fields.ts'

const field = (name: string, type: string, value: TypedField['value']): TypedField => ({ name, type, value })
const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const most = (bits: number) => String((1n << BigInt(bits)) - 1n)

describe('what a field of typed data means', () => {
  it('is an address, if it is one', () => {
    expect(meaningOf(field('owner', 'address', spender))).toEqual({ is: 'address' })
    for (const value of ['', '0x', 'vitalik.eth', `${spender}00`, spender.slice(2)])
      expect(meaningOf(field('owner', 'address', value))).toBeUndefined()
    expect(meaningOf(field('owner', 'string', spender))).toBeUndefined()
  })

  it.each(['deadline', 'expiry', 'expiration', 'sigDeadline', 'validTo', 'validBefore', 'endTime'])(
    'is a time, if it is called %s',
    (name) => {
      const at = new Date(1_893_456_000_000)
      expect(meaningOf(field(name, 'uint256', '1893456000'))).toEqual({ is: 'time', at })
      expect(meaningOf(field(name, 'uint48', '0x70dbd880'))).toEqual({ is: 'time', at })
      expect(meaningOf(field(name, 'uint256', most(256)))).toEqual({ is: 'endless' })
      expect(meaningOf(field(name, 'string', '1893456000'))).toBeUndefined()
      expect(meaningOf(field(name, 'uint256', '12'))).toBeUndefined()
    },
  )

  it.each([
    ['uint256', most(256), true],
    ['uint256', most(255), false],
    ['uint256', String(1n << 255n), false],
    ['int256', most(255), true],
    ['uint', most(256), true],
    ['uint160', most(160), true],
    ['uint160', '1000000', false],
    ['uint96', most(96), true],
    ['uint8', '255', false],
    ['bytes32', `0x${'f'.repeat(64)}`, false],
    ['uint256', `0x${'f'.repeat(64)}`, true],
    ['uint256', 'lots', false],
    ['uint256', '-1', false],
  ])('is the maximum: %s %s %s', (type, value, is) => {
    expect(meaningOf(field('value', type, value))).toEqual(is ? { is: 'maximum' } : undefined)
  })
})

describe('whom typed data lets spend', () => {
  const permit = (value: string) => [
    field('owner', 'address', spender.toLowerCase()),
    field('spender', 'address', spender),
    field('value', 'uint256', value),
    field('nonce', 'uint256', '0'),
    field('deadline', 'uint256', most(256)),
  ]

  it('is the spender of a permit for all there is', () => {
    expect(spenderOf(permit(most(256)))).toEqual({ address: spender, all: true })
    expect(spenderOf(permit('1000000'))).toEqual({ address: spender, all: false })
  })

  it('is found in a permit of DAI, and in one of Permit2, in a list as well', () => {
    const dai = [field('spender', 'address', spender), field('allowed', 'bool', 'true')]
    expect(spenderOf(dai)).toEqual({ address: spender, all: true })
    const details = field('0', 'PermitDetails', [
      field('token', 'address', spender),
      field('amount', 'uint160', most(160)),
      field('expiration', 'uint48', '1893456000'),
    ])
    const batch = [field('details', 'PermitDetails[]', [details]), field('spender', 'address', spender)]
    expect(spenderOf(batch)).toEqual({ address: spender, all: true })
  })

  it('is nobody where nobody may spend', () => {
    expect(spenderOf([field('value', 'uint256', most(256))])).toBeUndefined()
    expect(
      spenderOf([field('spender', 'string', spender), field('value', 'uint256', most(256))]),
    ).toBeUndefined()
    expect(spenderOf([])).toBeUndefined()
  })
})
