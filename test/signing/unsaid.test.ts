/** What descriptors leave out: a review displays it all the same, unless somebody vouches for the descriptor. */
import { describe, expect, test } from 'vitest'
import { createSource, readDescriptors } from '../../src/clear-signing/index.ts'
import { parseTypedData } from '../../src/ethereum/typed-data.ts'
import type { Action, Described } from '../../src/signing/preview.ts'
import { trialWarnings } from '../../src/signing/transaction/explain.ts'
import { toPreview } from '../../src/signing/transaction/preview.ts'
import { previewTypedData } from '../../src/signing/typed-data/preview.ts'
import { alice, bob, contract, descriptorOf, encode, usdc } from '../clear-signing/support.ts'

const key = 'move(address token,address to,uint256 amount,bytes more)'
const login = { intent: 'Log in' }
const all = [
  { label: 'token', value: usdc, address: usdc, isUnsaid: true },
  { label: 'to', value: alice, address: alice, isUnsaid: true },
  { label: 'amount', value: '5', isUnsaid: true },
  { label: 'more', value: '0xabcd', isUnsaid: true },
]

const isDescribed = (action: Action): action is Action & Described => action.kind === 'described'
/** Fields of a call by a descriptor, and what a trial run that shows nothing warns of. */
function reviewOf(
  signature: string,
  args: readonly unknown[],
  fields: readonly unknown[],
  origin: 'registry' | 'app' = 'app',
  definitions?: Record<string, unknown>,
) {
  const given = { format: login, fields, ...(definitions && { metadata: definitions }) }
  const preview = toPreview(
    { host: {} },
    { chainId: 1, from: bob, to: contract, value: 0n, data: encode(signature, args) } as never,
    {
      origin: 'https://host.example',
      wallet: bob,
      descriptors: [createSource(readDescriptors([descriptorOf(signature, given)], origin))],
    },
  )
  const [described] = preview.actions.filter(isDescribed)
  const balanceChanges = { out: [], in: [], allowances: [], isComplete: true }
  return {
    fields: described?.fields,
    warnings: trialWarnings({ ...preview, balanceChanges }).map(({ code }) => code),
    untried: trialWarnings({ ...preview, balanceChanges: 'unavailable' }).map(({ code }) => code),
  }
}
const moved = [usdc, alice, 5n, '0xabcd']
const field = (path: string, more: object = {}) => ({ path, label: 'Shown', format: 'raw', ...more })

describe('what a descriptor leaves out', () => {
  test.each<[string, readonly unknown[]]>([
    ['no fields', []],
    [
      'fields that are never visible',
      ['token', 'to', 'amount', 'more'].map((path) => field(path, { visible: 'never' })),
    ],
    ['a field that is left out for the very value', [field('to', { visible: { ifNotIn: [alice] } })]],
    ['a field that has to be the very value', [field('to', { visible: { mustMatch: [alice] } })]],
  ])('a call whose descriptor has %s is displayed with all of its values, under a caution', (_, fields) => {
    expect(reviewOf(key, moved, fields)).toEqual({
      fields: all,
      warnings: ['undescribed'],
      untried: ['not-understood'],
    })
    expect(reviewOf(key, moved, fields, 'registry').fields).toEqual(all)
  })

  test.each<[string, object, readonly string[]]>([
    ['a part of its bytes', field('more.[0:1]'), ['token', 'to', 'amount', 'more']],
    [
      'an amount in a unit of its own',
      field('amount', { format: 'unit', params: { base: 'points', decimals: 18 } }),
      ['token', 'to', 'amount', 'more'],
    ],
    [
      'an amount as a word',
      field('amount', { format: 'enum', params: { $ref: '$.metadata.enums.word' } }),
      ['token', 'to', 'amount', 'more'],
    ],
    ['a constant', { label: 'Shown', format: 'raw', value: 'Welcome' }, ['token', 'to', 'amount', 'more']],
    ['a value of the request around it', field('@.to'), ['token', 'to', 'amount', 'more']],
    ['its amount', field('amount'), ['token', 'to', 'more']],
    ['its receiver', field('#.to', { format: 'addressName' }), ['token', 'amount', 'more']],
  ])(
    'a call whose descriptor displays %s alone is displayed with the rest of its values',
    (_, shown, expected) => {
      const { fields = [], warnings } = reviewOf(key, moved, [shown], 'app', {
        enums: { word: { 5: 'Nothing' } },
      })
      expect(fields[0]).not.toHaveProperty('isUnsaid')
      expect(fields.flatMap(({ label, isUnsaid }) => (isUnsaid ? [label] : []))).toEqual(expected)
      // Words that leave out every value, or say another one, are no better than none.
      expect(warnings).toEqual(expected.length === all.length ? ['undescribed'] : [])
    },
  )

  test('lists: each address that is left out has a line of its own, and figures have one together', () => {
    const signature = 'pay(address[] to,uint256[] amounts,(address who,uint256[2] parts)[] more)'
    const args = [[alice, bob], [1n, 2n], [{ who: alice, parts: [3n, 4n] }]]
    const labels = (fields: readonly unknown[]) =>
      reviewOf(signature, args, fields).fields?.flatMap(({ label, value, isUnsaid }) =>
        isUnsaid ? [`${label} ${value}`] : [],
      )
    expect(labels([])).toEqual([
      `to.[0] ${alice}`,
      `to.[1] ${bob}`,
      'amounts [1, 2]',
      `more.[0].who ${alice}`,
      'more.[0].parts [3, 4]',
    ])
    expect(labels([field('to.[-1]'), field('amounts.[0]'), field('more.[].who')])).toEqual([
      `to.[0] ${alice}`,
      'amounts.[1] 2',
      'more.[0].parts [3, 4]',
    ])
  })

  test('a call whose descriptor displays all of its values has nothing to add', () => {
    const shown = ['token', 'to', 'amount', 'more'].map((path) => field(path))
    const { fields, warnings, untried } = reviewOf(key, moved, shown)
    expect(fields?.some(({ isUnsaid }) => isUnsaid)).toBe(false)
    expect([warnings, untried]).toEqual([[], []])
  })

  describe('a call within a field', () => {
    const run = 'run(address target,bytes data)'
    const outer = {
      fields: [
        { path: 'target', label: 'Target', format: 'raw' },
        { path: 'data', label: 'Call', format: 'calldata', params: { calleePath: 'target' } },
      ],
    }
    const ofToken = { contract: { deployments: [{ chainId: 1, address: usdc }] } }
    const reviewRun = (fields?: readonly unknown[]) => {
      const inner = fields ? [descriptorOf('poke(uint256 amount)', { fields }, ofToken)] : []
      const preview = toPreview(
        { host: {} },
        {
          chainId: 1,
          from: bob,
          to: contract,
          value: 0n,
          data: encode(run, [usdc, encode('poke(uint256 amount)', [5n])]),
        } as never,
        {
          origin: 'https://host.example',
          wallet: bob,
          descriptors: [
            createSource([
              ...readDescriptors([descriptorOf(run, outer)], 'app'),
              ...readDescriptors(inner, 'app'),
            ]),
          ],
        },
      )
      const balanceChanges = { out: [], in: [], allowances: [], isComplete: true }
      return {
        rows: preview.actions.map(({ kind }) => kind),
        warnings: trialWarnings({ ...preview, balanceChanges }).map(({ code }) => code),
        untried: trialWarnings({ ...preview, balanceChanges: 'unavailable' }).map(({ code }) => code),
      }
    }
    test.each([
      ['that nobody describes', undefined],
      ['whose descriptor says nothing', []],
    ])('%s has a caution, and a row that names its contract', (_, fields) => {
      expect(reviewRun(fields)).toEqual({
        rows: ['described', 'call'],
        warnings: ['undescribed'],
        untried: ['not-understood'],
      })
    })
    test('that is described has neither', () => {
      expect(reviewRun([{ path: 'amount', label: 'Amount', format: 'raw' }])).toEqual({
        rows: ['described'],
        warnings: [],
        untried: [],
      })
    })
  })

  test('typed data whose descriptor has no fields is displayed with all of its values, under a caution', () => {
    const data = {
      domain: { name: 'Harbor', chainId: 1, verifyingContract: contract },
      types: {
        Move: [
          { name: 'to', type: 'address' },
          { name: 'amount', type: 'uint256' },
        ],
      },
      primaryType: 'Move',
      message: { to: alice, amount: '5' },
    }
    const review = (fields: readonly unknown[]) => {
      const deployments = [{ chainId: 1, address: contract }]
      const descriptor = descriptorOf(
        'Move(address to,uint256 amount)',
        { format: login, fields },
        { eip712: { deployments } },
      )
      const { actions = [], warnings = [] } = previewTypedData(
        {
          chains: { host: {} },
          origin: 'https://host.example',
          wallet: bob,
          descriptors: [createSource(readDescriptors([descriptor], 'app'))],
        },
        parseTypedData(data),
      )
      return {
        fields: actions.filter(isDescribed).flatMap((each) => each.fields),
        codes: warnings.map(({ code }) => code),
      }
    }
    expect(review([])).toEqual({
      fields: [
        { label: 'to', value: alice, address: alice, isUnsaid: true },
        { label: 'amount', value: '5', isUnsaid: true },
      ],
      codes: ['undescribed'],
    })
    const some = review([field('amount')])
    expect(some.fields.map(({ isUnsaid }) => isUnsaid === true)).toEqual([false, true])
    expect(some.codes).toEqual([])
  })
})
