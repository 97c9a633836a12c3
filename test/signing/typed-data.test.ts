/** What typed data does, as its review says it above the raw fields. */
import { maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseTypedData } from '../../src/ethereum/typed-data.ts'
import { rankWarnings } from '../../src/signing/preview.ts'
import { previewTypedData } from '../../src/signing/typed-data/preview.ts'

const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const party = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const none = `0x${'00'.repeat(32)}`
const zero = `0x${'00'.repeat(20)}`
const limitless = (1n << 160n) - 1n

const fieldsOf = (text: string) =>
  text.split(',').map((each) => {
    const [type = '', name = ''] = each.split(' ')
    return { name, type }
  })
/** @param types each struct's fields as `type name,type name` */
function review(primaryType: string, types: Record<string, string>, message: unknown, now?: bigint) {
  const data = {
    types: {
      EIP712Domain: fieldsOf('string name,uint256 chainId,address verifyingContract'),
      ...Object.fromEntries(Object.entries(types).map(([name, text]) => [name, fieldsOf(text)])),
    },
    primaryType,
    domain: { name: 'Harbor', chainId: 1, verifyingContract: token },
    message,
  }
  const place = { chains: { host: {} }, origin: 'https://host.example', wallet, now }
  const { permit, actions = [], warnings = [] } = previewTypedData(place, parseTypedData(data))
  return { permit, actions, warnings: rankWarnings(warnings).map(({ code }) => code) }
}

const details = 'address token,uint160 amount,uint48 expiration,uint48 nonce'
const detail = (amount: bigint) => ({ token, amount: String(amount), expiration: '1790000600', nonce: '0' })
const item = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'

describe('review of typed data', () => {
  test.each<[string, string, unknown]>([
    ['Mail', 'string contents', { contents: 'Hello' }],
    ['Mail', 'string spend', { spend: '5' }],
    ['Login', 'address wallet,uint256 nonce', { wallet, nonce: '1' }],
    ['Friend', 'address friend,uint256 nonce', { friend: party, nonce: '1' }],
    ['Permit', 'address owner,address friend,uint256 value', { owner: wallet, friend: party, value: '1' }],
    ['Authorization', 'address who', { who: party }],
    ['Vote', 'uint256 proposal,uint8 support', { proposal: '1', support: '1' }],
    ['Agent', 'string source,bytes32 connectionId', { source: 'a', connectionId: none }],
    ['Transfers', 'address[] to,uint256[] value', { to: [party], value: ['1'] }],
    ['Empty', 'bool yes', { yes: true }],
  ])(
    'typed data: a message %s(%s) that nobody has described has a caution that says so',
    (type, fields, message) =>
      expect(review(type, { [type]: fields }, message)).toEqual({
        permit: undefined,
        actions: [],
        warnings: ['undescribed'],
      }),
  )

  test('typed data: a permit is one permit, not a second action', () => {
    const { permit, actions, warnings } = review(
      'Permit',
      { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' },
      { owner: wallet, spender: party, value: String(maxUint256), nonce: '0', deadline: '1790000600' },
    )
    expect(permit).toMatchObject({ action: 'approve', party, unlimited: true })
    expect([actions, warnings]).toEqual([[], ['unlimited-allowance']])
  })

  test('typed data: a permit that stays valid for more than 90 days is warned of, once the time is known', () => {
    const warningsAt = (now?: bigint) =>
      review(
        'Permit',
        { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' },
        { owner: wallet, spender: party, value: '5', nonce: '0', deadline: '1790000600' },
        now,
      ).warnings
    expect(warningsAt(1_780_000_000n)).toEqual(['long-allowance'])
    expect(warningsAt(1_789_000_000n)).toEqual([])
    expect(warningsAt()).toEqual([])
  })

  test('typed data: each token of a Permit2 batch is named, and the unlimited one is a danger', () => {
    const { actions, warnings } = review(
      'PermitBatch',
      { PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline', PermitDetails: details },
      { details: [detail(1n), detail(limitless)], spender: party, sigDeadline: '1' },
    )
    expect(actions).toMatchObject([
      {
        kind: 'token',
        call: { action: 'approve', contract: token, party, amount: 1n, expires: 1_790_000_600n },
      },
      { kind: 'token', call: { unlimited: true } },
    ])
    expect(warnings).toEqual(['unlimited-allowance', 'allowance'])
  })

  test('typed data: a Permit2 transfer with a witness says that it agrees to more', () => {
    const { actions, warnings } = review(
      'PermitWitnessTransferFrom',
      {
        PermitWitnessTransferFrom:
          'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Trade witness',
        TokenPermissions: 'address token,uint256 amount',
        Trade: 'address who',
      },
      {
        permitted: { token, amount: '5' },
        spender: party,
        nonce: '0',
        deadline: '1790000600',
        witness: { who: wallet },
      },
    )
    expect(actions).toMatchObject([{ kind: 'token', call: { action: 'approve', party, amount: 5n } }])
    expect(warnings).toEqual(['allowance', 'witness'])
  })

  test('typed data: a signed transfer (EIP-3009) is a transfer that whoever has it can send', () => {
    const { actions, warnings } = review(
      'TransferWithAuthorization',
      {
        TransferWithAuthorization:
          'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
      },
      { from: wallet, to: party, value: '5', validAfter: '0', validBefore: '9', nonce: none },
    )
    expect(actions).toEqual([
      {
        kind: 'token',
        call: { action: 'transfer', contract: token, from: wallet, party, amount: 5n, unlimited: false },
      },
    ])
    expect(warnings).toEqual(['signed-transfer'])
  })

  test('typed data: an order for nothing is a danger, and names what is given', () => {
    const { actions, warnings } = review(
      'OrderComponents',
      {
        OrderComponents:
          'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
        OfferItem: item,
        ConsiderationItem: `${item},address recipient`,
      },
      {
        offerer: wallet,
        zone: party,
        offer: [{ itemType: '2', token, identifierOrCriteria: '7', startAmount: '1', endAmount: '1' }],
        consideration: [
          {
            itemType: '0',
            token: zero,
            identifierOrCriteria: '0',
            startAmount: '100',
            endAmount: '0',
            recipient: wallet,
          },
        ],
        orderType: '0',
        startTime: '1',
        endTime: '1790000600',
        zoneHash: none,
        salt: '1',
        conduitKey: none,
        counter: '0',
      },
    )
    expect(actions).toMatchObject([{ kind: 'order', gives: [{ token, amount: 1n, number: 7n }] }])
    expect(warnings).toEqual(['sell-order-without-price'])
  })

  test('typed data: a Safe transaction is named with what it calls, and a delegate call is the gravest', () => {
    const safe = (operation: string, data: string) =>
      review(
        'SafeTx',
        {
          SafeTx:
            'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
        },
        {
          to: party,
          value: '0',
          data,
          operation,
          safeTxGas: '0',
          baseGas: '0',
          gasPrice: '0',
          gasToken: zero,
          refundReceiver: zero,
          nonce: '1',
        },
      )
    const transfer = `0xa9059cbb${'00'.repeat(12)}${wallet.slice(2).toLowerCase()}${'00'.repeat(31)}05`
    expect(safe('0', transfer)).toMatchObject({
      actions: [
        { kind: 'account', form: 'safe', account: token, to: party, isDelegateCall: false },
        { kind: 'token', call: { action: 'transfer', contract: party, party: wallet, amount: 5n } },
      ],
      warnings: ['safe-transaction'],
    })
    expect(safe('1', '0xdeadbeef').warnings).toEqual(['delegate-call', 'safe-transaction', 'undescribed'])
  })

  test('typed data: a delegation without a caveat is a danger', () => {
    const { actions, warnings } = review(
      'Delegation',
      {
        Delegation: 'address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt',
        Caveat: 'address enforcer,bytes terms',
      },
      { delegate: party, delegator: wallet, authority: none, caveats: [], salt: '0' },
    )
    expect(actions).toEqual([{ kind: 'delegation', delegate: party }])
    expect(warnings).toEqual(['open-delegation'])
  })
})
