/** What a transaction does, as its preview says it before it is signed. */
import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { createSource, readDescriptors } from '../../src/clear-signing/index.ts'
import type { Action, Warning } from '../../src/signing/preview.ts'
import { rankWarnings, titleOf } from '../../src/signing/preview.ts'
import { type PreviewContext, toPreview } from '../../src/signing/transaction/preview.ts'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function multicall(bytes[] data)',
  'function mint(address to, uint256 amount)',
  'function deployAccount(bytes32 salt, bytes initializer)',
  'function initialize(address owner, address validator, bytes[] modules, (address target, bool allowFailure, uint256 value, bytes data) first)',
  'function swap(uint256 amount, address recipient)',
  'function transferOwnership(address newOwner)',
  'function setApprovalForAll(address operator, bool approved)',
])
const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const party = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const encode = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as `0x${string}`
const preview = (data: string, value = 0n, context: Partial<PreviewContext> = {}) =>
  toPreview({ host: {} }, { chainId: 1, from: wallet, to: contract, value, data } as never, {
    origin: 'https://host.example',
    wallet,
    ...context,
  })
const codes = (warnings: readonly Warning[]) => rankWarnings(warnings).map(({ code }) => code)
const kinds = (actions: readonly Action[]) => actions.map(({ kind }) => kind)

const descriptor = {
  context: { contract: { deployments: [{ chainId: 1, address: contract.toLowerCase() }] } },
  metadata: { owner: 'Harbor' },
  display: {
    formats: {
      'swap(uint256 amount,address recipient)': {
        intent: 'Swap',
        interpolatedIntent: 'Swap {amount} for {recipient}',
        fields: [
          { path: 'amount', label: 'Amount', format: 'raw' },
          { path: 'recipient', label: 'Recipient', format: 'addressName' },
        ],
      },
      'approve(address spender,uint256 amount)': {
        intent: 'Claim a gift',
        fields: [{ path: 'spender', label: 'Friend', format: 'addressName' }],
      },
    },
  },
}
const descriptors = [createSource(readDescriptors([descriptor], 'app'))]
const data = { addressName: () => 'Ada' }

describe('preview of a transaction', () => {
  test('preview: coins alone are a transfer without warnings', () => {
    const { actions, warnings } = preview('0x', 5n)
    expect(actions).toEqual([{ kind: 'transfer', to: contract, amount: 5n }])
    expect(warnings).toEqual([])
  })

  test('preview: an unknown call that takes coins along is one contract call', () => {
    const { actions, warnings, value } = preview('0xdeadbeef', 5n)
    expect(actions).toEqual([{ kind: 'call', to: contract, coins: 5n }])
    expect([warnings, value]).toEqual([[], 5n])
  })

  test('preview: the calls inside of a batch are named one by one, and each allowance is warned of', () => {
    const batch = encode('multicall', [
      encode('approve', party, maxUint256),
      encode('transfer', party, 7n),
      encode('mint', party, 3n),
      '0xdeadbeef',
    ])
    const { actions, warnings } = preview(batch)
    expect(actions).toMatchObject([
      { kind: 'token', call: { action: 'approve', party, unlimited: true } },
      { kind: 'token', call: { action: 'transfer', party, amount: 7n } },
      { kind: 'mint', to: party, amountOrToken: 3n },
      { kind: 'call', to: contract },
    ])
    expect(codes(warnings)).toEqual(['unlimited-allowance'])
    expect(titleOf({ actions })).toBe('call')
  })

  test('preview: a new account is a call of its factory, and its first call is named beside it', () => {
    const first = { target: contract, allowFailure: false, value: 0n, data: encode('transfer', party, 7n) }
    const initializer = encode('initialize', wallet, party, [], first)
    for (const value of [0n, 5n]) {
      const { actions } = preview(encode('deployAccount', `0x${'11'.repeat(32)}`, initializer), value)
      expect(actions).toMatchObject([
        { kind: 'call', to: contract },
        { kind: 'token', call: { action: 'transfer', party, amount: 7n } },
      ])
    }
  })

  test('preview: an unlimited allowance is a danger once, before insufficient funds', () => {
    const { warnings } = preview(encode('approve', party, maxUint256), 0n, { isUnderfunded: true })
    expect(rankWarnings(warnings)).toEqual([
      { code: 'unlimited-allowance', severity: 'danger', spender: party },
      { code: 'insufficient-funds', severity: 'danger' },
    ])
  })

  test('preview: an allowance that is known to reach a part alone is no warning', () => {
    expect(
      preview(encode('approve', party, 5n), 0n, { findFacts: () => ({ balance: 6n }) }).warnings,
    ).toEqual([])
  })

  test('preview: a change of who controls a contract is named and is the gravest', () => {
    const { actions, warnings } = preview(encode('transferOwnership', party))
    expect(actions).toContainEqual({ kind: 'control', name: 'transferOwnership', contract, subject: party })
    expect(rankWarnings(warnings)).toEqual([{ code: 'control-change', severity: 'danger', spender: party }])
  })

  test('preview: tokens for their own contract are a danger', () =>
    expect(codes(preview(encode('transfer', contract, 5n)).warnings)).toEqual(['token-contract-recipient']))

  test('preview: a descriptor gives the words, its owner and source, and the address beside a name', () => {
    const { actions } = preview(encode('swap', 5n, party), 0n, { descriptors, data })
    expect(actions).toEqual([
      {
        kind: 'described',
        intent: 'Swap',
        sentence: 'Swap 5 for Ada',
        owner: 'Harbor',
        trust: 'app',
        auditors: [],
        contract,
        fields: [
          { label: 'Amount', value: '5' },
          { label: 'Recipient', value: 'Ada', address: party, source: 'local' },
        ],
      },
    ])
  })

  test('preview: a descriptor of the app can’t put other words on an approval', () => {
    const { actions, warnings } = preview(encode('approve', party, maxUint256), 0n, { descriptors })
    expect(kinds(actions)).toEqual(['token'])
    expect(codes(warnings)).toEqual(['unlimited-allowance'])
  })

  test('preview: a descriptor for another contract has no say', () => {
    const other = createSource(
      readDescriptors(
        [
          {
            ...descriptor,
            context: { contract: { deployments: [{ chainId: 1, address: party.toLowerCase() }] } },
          },
        ],
        'app',
      ),
    )
    const { actions } = preview(encode('swap', 5n, party), 0n, { descriptors: [other] })
    expect(actions).toEqual([{ kind: 'call', to: contract }])
  })
})
