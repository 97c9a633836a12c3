/** Several transactions before a user in the vault: read out of their bytes, and all signed under one approval or none. */
import '../../support/quick-stretching.ts'
import { parseTransaction, recoverTransactionAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { createTranslate } from '../../../../src/copy/copy.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { ApprovalRequests } from '../../../../src/protocol/frame/approval.ts'
import { readApprovalRequest } from '../../../../src/protocol/frame/approval.ts'
import type { CallsPreview } from '../../../../src/signing/calls/preview.ts'
import { sign } from '../../../../src/vault/approval/sign/flow.ts'
import { readSignRequest } from '../../../../src/vault/approval/sign/kinds.ts'
import { createContext } from '../../../../src/vault/create-context.ts'
import { approvalOf } from '../../support/approval.ts'
import { partsOf, settings } from '../../support/device.ts'
import { recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

type Raw = `0x02${string}`
const to = `0x${'ab'.repeat(20)}`
const transaction = (nonce: number, more: object = {}) => ({
  to,
  value: '0x64',
  chainId: 1,
  nonce,
  type: 2,
  gasLimit: '0x5208',
  maxFeePerGas: '0x1',
  maxPriorityFeePerGas: '0x1',
  ...more,
})
const answer = (change: object = {}) => ({
  version: 1,
  chain: 'eip155:1',
  prepared: { fee: '21000', layer_one_fee: '5', missing: '0', is_underfunded: false },
  tokens: {},
  balance: '1000000',
  at: 1,
  ...change,
})
const reverts = {
  simulation: { outcome: 'simulated', status: 'failed', reason: { kind: 'reverted', message: 'no' } },
}

/** Transactions before a user. `answers` are what the server says, in turn; without any it refuses. */
async function review(transactions: readonly object[], answers: readonly object[] = [], more: object = {}) {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const asked: { request: { transaction: { nonce: number }; after?: readonly { nonce: number }[] } }[] = []
  const fetch: typeof backend.fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    if (!pathname.endsWith('/embedded_wallets/preview')) return backend.fetch(input, init)
    const body = JSON.parse(String(init?.body))
    asked.push(body)
    const found = answers[Number(body.request.transaction.nonce)]
    return found
      ? Response.json(found)
      : Response.json({ error: 'no', code: 'not_supported' }, { status: 400 })
  }
  const strict = { ...settings, vault: 'strict' } as const
  const vault = createContext({ settings: strict, fetch, clock: systemClock, ...partsOf(device) })
  const approval = approvalOf<'sign'>(vault, token, {
    kind: 'evmTransactions',
    root: { chainType: 'ethereum', address },
    walletIndex: 0,
    address,
    transactions: transactions.map((each) => ({ transaction: { from: address, ...each } })),
    ...more,
  } as ApprovalRequests['sign'])
  const done = sign(approval.cx)
  const last = () => approval.seen.at(-1)?.props.preview as CallsPreview
  return { ...approval, asked, done, last, address }
}

describe('several transactions in the vault', () => {
  test('each is displayed, and one press signs all of them, exactly as they are', async () => {
    const { done, act, last, address } = await review([transaction(7), transaction(8, { value: '0x65' })])
    await expect.poll(() => last()?.calls.map(({ value }) => value)).toEqual([100n, 101n])
    expect(last()).toMatchObject({ value: 201n, fee: 42_000n, total: 42_201n })
    await act(['approve-calls', 'approve'])
    const { signed } = (await done) as { signed: { signatures: readonly Raw[] } }
    expect(
      signed.signatures.map((raw) => [parseTransaction(raw).nonce, parseTransaction(raw).value]),
    ).toEqual([
      [7, 100n],
      [8, 101n],
    ])
    for (const serializedTransaction of signed.signatures)
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address)
  })

  test('the vault’s server is asked about each as it goes after those before it', async () => {
    const { done, act, asked, last } = await review(
      [transaction(0), transaction(1), transaction(2)],
      [answer(), answer(), answer(reverts)],
    )
    await expect.poll(() => last()?.balance).toBe(1_000_000n)
    const noncesOf = (list: readonly { nonce: number }[] = []) => list.map(({ nonce }) => nonce)
    // Asked side by side, so the order in which they arrive says nothing.
    const after = asked.map(({ request }) => [request.transaction.nonce, noncesOf(request.after)] as const)
    expect(after.sort(([a], [b]) => a - b)).toEqual([
      [0, []],
      [1, [0]],
      [2, [0, 1]],
    ])
    // With what each takes for layer 1.
    expect(last()).toMatchObject({ fee: 63_015n, warnings: [{ code: 'reverts', reason: 'no' }] })
    expect(last().calls.map(({ warnings }) => warnings.length)).toEqual([0, 0, 1])
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test('what the server doesn’t say of a later one is left out', async () => {
    const { done, act, last } = await review([transaction(0), transaction(1)], [answer()])
    await expect.poll(() => last()?.balance).toBe(1_000_000n)
    expect(last()).toMatchObject({ fee: 42_005n, isUnderfunded: false })
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test('a trial run in which the first one fails is a warning', async () => {
    const { done, act, last } = await review([transaction(0), transaction(1)], [answer(reverts), answer()])
    await expect.poll(() => last()?.warnings.map(({ code }) => code)).toEqual(['reverts'])
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test('a wallet that can pay each but not all of them is short', async () => {
    const dear = { value: '0x927c0' }
    const { done, act, last } = await review(
      [transaction(0, dear), transaction(1, dear)],
      [answer(), answer()],
    )
    await expect.poll(() => last()?.isUnderfunded).toBe(true)
    expect(last().missing).toBe(242_010n)
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test('what is still prepared can’t be approved', async () => {
    const { seen, done, act } = await review([transaction(0)], [], { state: 'preparing' })
    await expect.poll(() => seen.at(-1)?.props).toMatchObject({ preparing: true })
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })
})

describe('several transactions that are refused', () => {
  const wallet = `0x${'Cd'.repeat(20)}`
  const request = (transactions: readonly object[], more: object = {}) => ({
    kind: 'evmTransactions',
    root: { chainType: 'ethereum', address: wallet },
    walletIndex: 0,
    address: wallet,
    transactions,
    ...more,
  })
  const read = (transactions: readonly object[]) =>
    readSignRequest(request(transactions) as never, { origin: 'https://host.example' }, createTranslate({}))

  test.each<[string, readonly object[]]>([
    ['different chains', [{ transaction: transaction(0) }, { transaction: transaction(1, { chainId: 10 }) }]],
    ['one without a nonce', [{ transaction: transaction(0) }, { transaction: { to, chainId: 1 } }]],
    [
      'one with an unknown field',
      [{ transaction: transaction(0) }, { transaction: transaction(1, { more: 1 }) }],
    ],
    ['a fee that nobody means', [{ transaction: transaction(0, { maxFeePerGas: `0x${'f'.repeat(30)}` }) }]],
    ['a layer-1 fee that is no quantity', [{ transaction: transaction(0), layerOneFee: '12' }]],
  ])('%s', async (_, transactions) => {
    await expect(read(transactions)).rejects.toThrow()
  })

  test.each<[string, object]>([
    ['none', request([])],
    [
      'more than 20',
      request(Array.from({ length: 21 }, (_, nonce) => ({ transaction: transaction(nonce) }))),
    ],
    ['a transaction that is text', request([{ transaction: '0x' }])],
    [
      'a state that only one transaction has',
      request([{ transaction: transaction(0) }], { state: 'reverts' }),
    ],
  ])('%s is no request', (_, raw) => {
    expect(readApprovalRequest('sign', raw as never)).toBeUndefined()
  })
})
