/** What a person reads of a simulation. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { addWords } from '../../src/copy/copy.ts'
import { transaction } from '../../src/copy/en/transaction.ts'
import type { TransactionPreview } from '../../src/signing/preview.ts'
import { BalanceChanges } from '../../src/signing/transaction/balance-changes.tsx'
import { toBalanceChanges } from '../../src/signing/transaction/simulated.ts'

addWords(transaction)

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const usdc = { symbol: 'USDC', decimals: 6 }
type Changes = NonNullable<TransactionPreview['balanceChanges']>

/** The facts as pairs of label and value, without markup. */
function facts(changes: Changes): string[] {
  const markup = renderToStaticMarkup(createElement(BalanceChanges, { changes }))
  const text = (part: string) =>
    part
      .replace(/<style[^>]*>.*?<\/style>/gs, '')
      .replace(/<[^>]*>/g, '')
      .replaceAll('&#x27;', "'")
  return markup
    .split('<dt')
    .slice(1)
    .map((part) => text(`<dt${part}`.replace('</dt>', '</dt>: ')))
}
const nothing = { out: [], in: [], allowances: [], isComplete: true }

test('balance changes: amounts that leave and come have their symbols', () => {
  const out = [{ token, asset: usdc, amount: 1_250_500_000n }]
  const comes = [{ asset: { symbol: 'ETH', decimals: 18 }, amount: 412_000_000_000_000_000n }]
  expect(facts({ ...nothing, out, in: comes })).toEqual([
    'Leaves your wallet: 1,250.5 USDC',
    'Comes to your wallet: 0.412 ETH',
  ])
})

test('balance changes: a token of unknown figures has its smallest units and its address, and one with a number its number', () => {
  const [unknown, numbered] = facts({
    ...nothing,
    out: [
      { token, amount: 7n },
      { token, id: 12n, amount: 1n },
    ],
  })
  expect(unknown).toContain('7 smallest units')
  expect(unknown).toContain(token)
  expect(numbered).toContain('#12')
  expect(numbered).not.toContain('smallest')
})

test('balance changes: who may spend afterwards is named, and no limit is the maximum', () => {
  const kind = 'spender' as const
  const limited = { kind, spender, token, asset: usdc, amount: 50_000_000n, isUnlimited: false }
  const all = { kind, spender, token, asset: usdc, amount: 2n ** 256n - 1n, isUnlimited: true }
  const [first, second] = facts({ ...nothing, allowances: [limited, all] })
  expect(first).toMatch(/^May be spent by 0xE592.*64: 50 USDC$/)
  expect(second).toMatch(/: Maximum USDC$/)
})

test('balance changes: nothing, and more than are read, are said plainly', () => {
  expect(facts(nothing)).toEqual(['Balance changes: Nothing'])
  expect(facts({ ...nothing, isComplete: false }).at(-1)).toBe('Balance changes: There are more than these.')
})

test.each<[Changes, string]>([
  ['waiting', 'Balance changes: Trying it out'],
  ['unanswered', 'Balance changes: No trial run: no usable answer came in time.'],
  ['unavailable', "Balance changes: No trial run: this network can't make one."],
  ['failed', 'Balance changes: None to show: the trial run failed.'],
  ['follows', 'Balance changes: No trial run: it depends on the calls before it.'],
  [{ ...nothing, isSingle: true }, 'Trial run: By one node alone.'],
  [{ ...nothing, isDisputed: true }, 'Trial run: Two nodes differ. What is worse for you is shown.'],
])('balance changes: a run that is %j says so in a sentence', (changes, sentence) => {
  expect(facts(changes).at(-1)).toBe(sentence)
})

test('balance changes: whoever has a role is named beside the account, and a lock with its end', () => {
  const role = { spender, account: token, isUnlimited: true }
  expect(
    facts({
      ...nothing,
      allowances: [
        { ...role, kind: 'operator' },
        { ...role, kind: 'custodian', until: 4_102_444_800n },
        { ...role, kind: 'code', account: undefined },
      ],
    }),
  ).toEqual([
    `May act for all that you hold there: ${spender}`,
    `Of account: ${token}`,
    `Locks your stake: ${spender}`,
    `Of account: ${token}`,
    expect.stringMatching(/^Until: Jan 1, 2100/),
    `Code that controls your account: ${spender}`,
  ])
})

test('balance changes: the one token that somebody may take has its number', () => {
  const allowance = { kind: 'spender', spender, token, id: 12n, amount: 1n, isUnlimited: false } as const
  const [row] = facts({ ...nothing, allowances: [allowance] })
  expect(row).toContain('#12')
  expect(row).not.toContain('Maximum')
})

test('balance changes: what a delegate may borrow has the units of the token of the debt', () => {
  const changes = toBalanceChanges(
    {
      ...{ outcome: 'simulated', status: 'success', reason: undefined, at: 0, gasUsed: 21_000n },
      ...{ wrappers: [], blockNumber: 1n, baseFee: undefined },
      ...{ leaves: [], comes: [], allowances: [], isComplete: true },
      roles: [{ kind: 'delegate', account: token, spender, amount: 5_000_000n }],
      tokens: { [token]: { kind: 'token', address: token, name: 'Debt', ...usdc } },
    } as Parameters<typeof toBalanceChanges>[0],
    { symbol: 'ETH', decimals: 18 },
  )
  expect(facts(changes).join()).toContain('5 USDC')
})
