/** Several calls that are approved together: their preview, their status, and what a user reads of both. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { addWords } from '../../src/copy/copy.ts'
import { en } from '../../src/copy/en/index.ts'
import { examples as reviews } from '../../src/signing/calls/approve-calls.examples.tsx'
import { approveCalls } from '../../src/signing/calls/approve-calls.tsx'
import { type CallState, statusOf } from '../../src/signing/calls/batch.ts'
import { examples as details } from '../../src/signing/calls/calls-detail.examples.tsx'
import { callsDetail } from '../../src/signing/calls/calls-detail.tsx'
import { toCallsPreview } from '../../src/signing/calls/preview.ts'
import type { BalanceChanges, TransactionPreview } from '../../src/signing/preview.ts'

addWords(en)

const ether = { symbol: 'ETH', decimals: 18 }
const to = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const call = (more: Partial<TransactionPreview> = {}): TransactionPreview => ({
  origin: 'https://harbor.example',
  wallet: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  network: { name: 'Base' },
  coin: ether,
  value: 10n,
  fee: 2n,
  total: 12n,
  balance: 100n,
  actions: [{ kind: 'transfer', to, amount: 10n }],
  isUnderfunded: false,
  warnings: [],
  ...more,
})
const changes = (more: Partial<BalanceChanges>): BalanceChanges => ({
  out: [],
  in: [],
  allowances: [],
  isComplete: true,
  ...more,
})

describe('preview of several calls', () => {
  test('values, fees and totals are added up', () => {
    expect(toCallsPreview([call(), call({ value: 5n, total: 7n })])).toMatchObject({
      value: 15n,
      fee: 4n,
      total: 19n,
      balance: 100n,
      isUnderfunded: false,
      warnings: [],
    })
  })

  test('a fee that a single one doesn’t have yet is none of all', () => {
    const { fee, total, ...open } = call()
    const preview = toCallsPreview([call(), open])
    expect([preview.fee, preview.total]).toEqual([undefined, undefined])
    expect([fee, total]).toEqual([2n, 12n])
  })

  test('a wallet that can pay each but not all is short of the sum, which is said once', () => {
    const preview = toCallsPreview([call({ balance: 20n }), call({ balance: 20n })])
    expect(preview).toMatchObject({ isUnderfunded: true, missing: 4n })
    expect(preview.warnings.map(({ code }) => code)).toEqual(['insufficient-funds'])
    expect(preview.calls.flatMap(({ warnings }) => warnings)).toEqual([])
  })

  test('a call that lacks tokens is said to fail, for the funds are those of all calls', () => {
    const short = call({
      tokenShortage: { token, asset: { symbol: 'USDC', decimals: 6 }, missing: 1n },
      warnings: [{ code: 'insufficient-funds', severity: 'danger' }],
    })
    const preview = toCallsPreview([call(), short])
    expect(preview).toMatchObject({ isUnderfunded: false, warnings: [{ code: 'reverts' }] })
    expect(preview.calls.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([[], ['reverts']])
  })

  test('what a call brings in pays for those after it', () => {
    const unwrap = call({
      value: 0n,
      total: 2n,
      balance: 5n,
      balanceChanges: changes({ in: [{ asset: ether, amount: 50n }] }),
    })
    const send = call({
      value: 40n,
      total: 42n,
      balance: 5n,
      isUnderfunded: true,
      missing: 37n,
      warnings: [{ code: 'insufficient-funds', severity: 'danger' }],
    })
    expect(toCallsPreview([unwrap, send])).toMatchObject({ isUnderfunded: false, warnings: [] })
    expect(toCallsPreview([send, unwrap])).toMatchObject({ isUnderfunded: true, missing: 39n })
  })

  test('the changes of all are their sum, and the latest allowance counts', () => {
    const allowance = { kind: 'spender', spender: to, token, isUnlimited: false } as const
    const { balanceChanges } = toCallsPreview([
      call({
        balanceChanges: changes({ in: [{ token, amount: 7n }], allowances: [{ ...allowance, amount: 9n }] }),
      }),
      call({
        balanceChanges: changes({
          out: [
            { token, amount: 7n },
            { amount: 3n, asset: ether },
          ],
          allowances: [{ ...allowance, amount: 1n }],
        }),
      }),
    ])
    expect(balanceChanges).toEqual(
      changes({ out: [{ amount: 3n, asset: ether }], allowances: [{ ...allowance, amount: 1n }] }),
    )
  })

  test('changes that are unknown for a single one are unknown for all', () => {
    expect(toCallsPreview([call({ balanceChanges: changes({}) }), call()]).balanceChanges).toBeUndefined()
    expect(
      toCallsPreview([call({ balanceChanges: 'unavailable' }), call({ balanceChanges: changes({}) })])
        .balanceChanges,
    ).toBe('unavailable')
  })
})

describe('status of a batch', () => {
  test.each<[readonly CallState[], number]>([
    [['waiting', 'waiting'], 100],
    [['sent', 'waiting'], 100],
    [['confirmed', 'sent'], 100],
    [['confirmed', 'confirmed'], 200],
    [['stopped', 'stopped'], 400],
    [['reverted', 'stopped'], 500],
    [['reverted', 'reverted'], 500],
    [['confirmed', 'reverted'], 600],
    [['confirmed', 'stopped'], 600],
    [['confirmed', 'confirmed', 'stopped'], 600],
  ])('%j is %i', (states, status) => {
    expect(statusOf({ transactions: states.map((state) => ({ state, entry: {} as never })) })).toBe(status)
  })
})

describe('screens of several calls', () => {
  const textOf = (screen: { view: (props: never) => unknown }, props: object) =>
    renderToStaticMarkup(
      createElement(screen.view as never, { ...props, busy: undefined, answer() {} } as never),
    )
      .replace(/<style[^>]*>.*?<\/style>/gs, '')
      .replace(/<[^>]*>/g, ' ')
      .replaceAll('&#x27;', "'")

  // The buttons that approve need a browser.
  const read = Object.entries(reviews).filter(
    ([, example]) => !('busy' in example) && !('done' in example.props && example.props.done),
  )
  test.each(read)('review, %s: begins with the first call', (_, { props }) => {
    const text = textOf(approveCalls, props)
    const { length } = props.preview.calls
    if (length > 1) expect(text).toContain(`Step 1 of ${length}`)
    else expect(text).not.toContain('Step')
    expect(text).toContain('https://')
    expect(text).not.toContain('undefined')
  })

  test.each(Object.entries(details))('what became of them, %s', (_, { props }) => {
    const text = textOf(callsDetail, props)
    expect(text).toContain(props.network)
    expect(text.match(/Waiting|Pending|Confirmed|Failed|Not sent/g)?.length).toBeGreaterThanOrEqual(
      props.calls.length,
    )
    expect(text).not.toContain('undefined')
  })
})
