/** Transfers that an app lets the frame approve: the server counts them, and what it does not allow goes to the window. */
import '../../support/quick-stretching.ts'
import { describe, expect, test } from 'vitest'
import type { Plain } from '../../../../src/lib/plain.ts'
import type { TransactionPreview } from '../../../../src/signing/preview.ts'
import { notSupported, reviewSigning, transactionOf } from '../../support/signing-review.ts'

type Server = (path: string, body: Record<string, unknown>) => Plain | 'silent' | undefined
const to = `0x${'ab'.repeat(20)}`
const contract = `0x${'cd'.repeat(20)}`
const word = (value: string | bigint) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')
const tokens = `0xa9059cbb${word(to)}${word(5n)}`

/** A transaction before a user whose app may let the frame approve it. `server` replies to the questions about amounts. */
async function review(more: object, server: Server, frameSpending = true) {
  const asked: Record<string, unknown>[] = []
  const approval = await reviewSigning(
    transactionOf({ to, value: '0x64', ...more }),
    (path, body) => {
      if (path !== '/spending' && path !== '/tokens/figures') return undefined
      asked.push({ path, ...body })
      const answer = server(path, body)
      if (answer === 'silent') throw new TypeError('Failed to fetch')
      return answer === undefined ? notSupported() : Response.json(answer)
    },
    { app: frameSpending ? { frameSpending } : {} },
  )
  return { ...approval, asked }
}
const signed = { signed: expect.stringMatching(/^0x02/) }

describe('frame spending', () => {
  test('frame spending: a transfer within the limit is approved in the frame, and counted before it is signed', async () => {
    const { act, done, asked, trace } = await review({}, () => ({ allowed: true }))
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
    expect(trace()).toEqual(['frame approve-transaction'])
    const transfer = { chain: 'eip155:1', amount: '100', fee: '21000' }
    expect(asked).toMatchObject([
      { ...transfer, reserve: false },
      { ...transfer, reserve: true },
    ])
    expect(asked[0]?.transaction).toBe(asked[1]?.transaction)
  })

  test('frame spending: tokens are counted by their contract', async () => {
    const more = { to: contract, value: '0x0', data: tokens }
    const { act, done, asked, trace } = await review(more, () => ({ allowed: true }))
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
    expect(trace()).toEqual(['frame approve-transaction'])
    expect(String(asked[0]?.asset).toLowerCase()).toBe(contract)
    expect(asked[0]).toMatchObject({ amount: '5', fee: '21000' })
  })

  test('frame spending: a limit that is used up meanwhile leads to the window, where nothing is counted', async () => {
    const { act, done, asked, trace } = await review({}, (_, { reserve }) => ({ allowed: reserve === false }))
    await act(['approve-transaction', 'approve'], ['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
    expect(trace()).toEqual(['frame approve-transaction', 'window approve-transaction'])
    expect(asked).toHaveLength(2)
  })

  const refusals: Record<string, [object, Server]> = {
    'a transfer above the limit': [{}, () => ({ allowed: false })],
    'a server that can’t be reached': [{}, () => 'silent'],
    'a server that does not know the question': [{}, () => undefined],
    'an answer that says something else': [{}, () => ({ allowed: 'true' })],
    'an answer that says nothing': [{}, () => ({})],
    'coins with a call': [{ data: '0x1234' }, () => ({ allowed: true })],
    'tokens with coins': [{ to: contract, data: tokens }, () => ({ allowed: true })],
    'an allowance': [
      { to: contract, value: '0x0', data: tokens.replace('a9059cbb', '095ea7b3') },
      () => ({ allowed: true }),
    ],
    'somebody’s tokens': [
      { to: contract, value: '0x0', data: `0x23b872dd${word(to)}${word(to)}${word(5n)}` },
      () => ({ allowed: true }),
    ],
    'a new contract': [{ to: undefined, value: '0x0', data: '0x6000' }, () => ({ allowed: true })],
    'an unusual fee': [{ maxFeePerGas: '0x12309ce54000' }, () => ({ allowed: true })],
  }
  test.each(Object.entries(refusals))('frame spending: %s goes to the window', async (_, [more, server]) => {
    const { act, done, trace } = await review(more, server)
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
    expect(trace()).toEqual(['window approve-transaction'])
  })

  test('frame spending: without the setting nothing is asked, and the window approves', async () => {
    const { act, done, asked, trace } = await review({}, () => ({ allowed: true }), false)
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
    expect([trace(), asked]).toEqual([['window approve-transaction'], []])
  })
})

describe('allowance', () => {
  const allow = (amount: bigint) => ({
    to: contract,
    value: '0x0',
    data: `0x095ea7b3${word(to)}${word(amount)}`,
  })
  const reachOf = async (amount: bigint, server: Server) => {
    const { act, done, seen } = await review(allow(amount), server, false)
    await act(['approve-transaction', 'cancel'])
    await expect(done).rejects.toThrow()
    const preview = seen.at(-1)?.props.preview as TransactionPreview | undefined
    const [does] = preview?.actions ?? []
    const call = does?.kind === 'token' ? does.call : undefined
    expect(call).toBeDefined()
    return call?.reach
  }
  test.each([
    [(1n << 255n) - 1n, 'all'],
    [1_000n, 'all'],
    [999n, 'part'],
  ])('allowance: %d of a balance of 1000 reaches %s', async (amount, reach) =>
    expect(await reachOf(amount, () => ({ balance: '1000' }))).toBe(reach),
  )
  test.each<[string, Server]>([
    ['is silent', () => 'silent'],
    ['has no node', () => undefined],
    ['sends no figures', () => ({ balance: 'much' })],
  ])('allowance: its reach is unknown where the server %s', async (_, server) =>
    expect(await reachOf(5n, server)).toBeUndefined(),
  )
})
