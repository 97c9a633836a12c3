/** What the vault's own server says of a transaction, while the user reads it. */
import '../../support/quick-stretching.ts'
import { createTransferCheckedInstruction } from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js'
import { parseTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { TransactionPreview } from '../../../../src/signing/preview.ts'
import { decodeActions } from '../../../../src/solana/decode.ts'
import { decodeMessage } from '../../../../src/solana/message.ts'
import type { VaultContext } from '../../../../src/vault/context.ts'
import { fetchPreview } from '../../../../src/vault/server/preview.ts'
import type { Token } from '../../../../src/vault/token.ts'
import { notSupported, reviewSigning, transactionOf } from '../../support/signing-review.ts'

const to = `0x${'ab'.repeat(20)}`
const contract = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const word = (value: string | bigint) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')
const tokens = `0xa9059cbb${word(to)}${word(2_500_000n)}`

/** All that a server says, and more than this vault knows. */
const answer = (change: object = {}) => ({
  version: 1,
  chain: 'eip155:1',
  prepared: { fee: '21000', layer_one_fee: '0', missing: '0', is_underfunded: false, newer: 1 },
  simulation: { outcome: 'simulated', status: 'success', out: [], in: [], allowances: [], is_complete: true },
  tokens: {},
  names: {},
  code: {},
  balance: '1000000',
  disputed: [],
  nodes: 2,
  newer: { more: true },
  at: 1,
  ...change,
})

/** A transaction before a user. `answers` are the server's replies, in turn; `undefined`: it refuses. */
async function review(
  transaction: object,
  answers: readonly (unknown | Promise<unknown>)[],
  more: object = {},
  clock = systemClock,
) {
  const asked: Record<string, unknown>[] = []
  const left = [...answers]
  const request = transactionOf({ to, value: '0x64', ...transaction })
  const approval = await reviewSigning(
    (address) => ({ ...request(address), ...more }),
    async (path, body) => {
      if (path !== '/preview') return undefined
      asked.push(body)
      const found = await left.shift()
      return found === undefined ? notSupported() : Response.json(found)
    },
    { clock },
  )
  const { done } = approval
  const last = () => approval.seen.at(-1)?.props.preview as TransactionPreview
  /** Waits until what is displayed is as expected. */
  const displays = (expected: object) => expect.poll(last).toMatchObject(expected)
  const cancel = async () => {
    await approval.act(['approve-transaction', 'cancel'])
    await expect(done).rejects.toThrow()
  }
  return { ...approval, asked, last, displays, cancel }
}
const signed = { signed: expect.stringMatching(/^0x02/) }
const never = new Promise(() => {})

describe('server preview', () => {
  test('server preview: the balance and what moves are displayed, and the request’s own bytes are what was asked about', async () => {
    const out = [{ kind: 'native', amount: '100', parties: [to] }]
    const said = answer({ simulation: { ...answer().simulation, out } })
    const { displays, asked, cancel, address } = await review({}, [said])
    await displays({
      balance: 1_000_000n,
      isUnderfunded: false,
      balanceChanges: {
        out: [{ amount: 100n, asset: { symbol: 'ETH', decimals: 18 } }],
        in: [],
        allowances: [],
      },
    })
    await cancel()
    expect(asked).toMatchObject([
      {
        version: 1,
        address,
        chain: 'eip155:1',
        request: { transaction: { to: expect.any(String), value: '0x64' } },
      },
    ])
  })

  test('server preview: a role of a kind that the vault doesn’t know is displayed as control, and a bad date hides nobody', async () => {
    const role = { account: contract, spender: to, is_unlimited: true }
    const allowances = [
      { ...role, kind: 'operator' },
      { ...role, kind: 'grand-vizier' },
      { ...role, kind: 'constructor', until: 'soon' },
      { ...role, kind: 'custodian', until: '77' },
      { kind: 'amount', token: contract, spender: to, amount: '0', is_unlimited: false },
    ]
    const said = answer({ simulation: { ...answer().simulation, allowances } })
    const { displays, cancel } = await review({}, [said])
    await displays({
      balanceChanges: {
        allowances: [
          { kind: 'operator', account: contract, spender: to },
          { kind: 'control' },
          { kind: 'control' },
          { kind: 'custodian', until: 77n },
        ],
      },
    })
    await cancel()
  })

  test('server preview: a token’s symbol and decimals are its contract’s, and what an allowance reaches stays', async () => {
    const said = answer({ tokens: { [contract]: { symbol: 'USDC', decimals: 6 } } })
    const transfer = await review({ to: contract, value: '0x0', data: tokens }, [said])
    await transfer.displays({ actions: [{ kind: 'token', asset: { symbol: 'USDC', decimals: 6 } }] })
    await transfer.cancel()
    const data = tokens.replace('a9059cbb', '095ea7b3')
    const approve = await review({ to: contract, value: '0x0', data }, [
      answer({
        tokens: { [contract]: { symbol: 'USDC', decimals: 6 } },
        simulation: {
          ...answer().simulation,
          allowances: [
            { kind: 'amount', token: contract, spender: to, amount: '2500000', is_unlimited: false },
          ],
        },
      }),
    ])
    await approve.displays({
      balanceChanges: {
        allowances: [{ spender: to, amount: 2_500_000n, asset: { symbol: 'USDC', decimals: 6 } }],
      },
      warnings: [{ code: 'allowance' }],
    })
    await approve.cancel()
  })

  test('server preview: a wallet with too little is told how much is missing, and asks the server again', async () => {
    const { displays, act, done, asked } = await review({}, [answer({ balance: '90' }), answer()])
    await displays({ balance: 90n, isUnderfunded: true, missing: 21_010n })
    await act(['approve-transaction', 'recheck'])
    await displays({ balance: 1_000_000n, isUnderfunded: false, warnings: [] })
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
    expect(asked).toHaveLength(2)
  })

  test('server preview: where the page says that funds are missing, the server says how much', async () => {
    const { displays, cancel } = await review({}, [answer({ balance: '90' })], { state: 'underfunded' })
    await displays({ balance: 90n, isUnderfunded: true, missing: 21_010n })
    await cancel()
  })

  test.each([
    ['that the page has found missing', { state: 'underfunded' }],
    ['that the server alone has found missing', {}],
  ])('add funds: funds %s are for the page to add, with the figure of the server', async (_, state) => {
    const { displays, act, done, seen } = await review({}, [answer({ balance: '90' })], {
      ...state,
      isFundable: true,
    })
    await displays({ isUnderfunded: true, missing: 21_010n })
    expect(seen.at(-1)?.props.isFundable).toBe(true)
    await act(['approve-transaction', 'add-funds'])
    expect(await done).toEqual({ wants: 'funds', missing: '21010' })
  })

  test('add funds: a page that offers funding changes nothing of a transaction that the wallet can pay for', async () => {
    const { displays, act, done, seen } = await review({}, [answer()], { isFundable: true })
    await displays({ balance: 1_000_000n, isUnderfunded: false })
    expect(seen.at(-1)?.props).not.toHaveProperty('isFundable')
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
  })

  test('add funds: without the offer of the page the balance can only be checked again', async () => {
    const { displays, cancel, seen } = await review({}, [answer({ balance: '90' })], { state: 'underfunded' })
    await displays({ isUnderfunded: true, missing: 21_010n })
    expect(seen.at(-1)?.props).not.toHaveProperty('isFundable')
    await cancel()
  })

  test('server preview: on Solana the rent is part of the total, and no answer makes the fee smaller', async () => {
    const [from, party] = [Keypair.generate().publicKey, Keypair.generate().publicKey]
    const recentBlockhash = Keypair.generate().publicKey.toBase58()
    const message = new Transaction({ feePayer: from, recentBlockhash })
      .add(SystemProgram.transfer({ fromPubkey: from, toPubkey: party, lamports: 1_000 }))
      .serializeMessage()
      .toString('base64')
    const more = { kind: 'solanaTransaction', address: from.toBase58(), message } as const
    const prepared = { fee: '1', rent: '2039280', missing: '40', is_underfunded: true }
    const said = answer({ chain: 'solana:mainnet', prepared, balance: '7' })
    const { displays, asked, cancel } = await review({}, [said], more)
    await displays({
      fee: 5_000n,
      total: 2_045_280n,
      balance: 7n,
      isUnderfunded: true,
      missing: 40n,
      warnings: [{ code: 'solana-insufficientFunds' }],
    })
    await cancel()
    expect(asked).toMatchObject([{ chain: 'solana:mainnet', request: { message } }])
    // The bytes are good on any network, and only the page names this one.
    const devnet = await review({}, [answer({ chain: 'solana:devnet', prepared })], {
      ...more,
      cluster: 'devnet',
    })
    await devnet.displays({ network: { isClaimed: true }, balance: 1_000_000n })
    await devnet.cancel()
  })

  describe('Solana', () => {
    const [from, party, mint] = [1, 2, 3].map(
      (seed) => Keypair.fromSeed(new Uint8Array(32).fill(seed)).publicKey,
    ) as [PublicKey, PublicKey, PublicKey]
    const messageOf = (...instructions: TransactionInstruction[]) =>
      new Transaction({ feePayer: from, recentBlockhash: mint.toBase58() })
        .add(...instructions)
        .serializeMessage()
    const transfer = SystemProgram.transfer({ fromPubkey: from, toPubkey: party, lamports: 1_000 })
    const budget = (units: number, microLamports: number) => [
      ComputeBudgetProgram.setComputeUnitLimit({ units }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
    ]
    const level = (lamports: number) => ({ priority_fee: String(lamports) })
    const prepared = {
      fee: '5000',
      rent: '0',
      missing: '0',
      is_underfunded: false,
      unit_limit: '1000',
      levels: { slow: level(0), usual: level(40), fast: level(900) },
    }
    const said = (change: object = {}) => answer({ chain: 'solana:mainnet', prepared, ...change })
    const open = (bytes: Uint8Array, answers: unknown[], more: object = {}) =>
      review({}, answers, {
        kind: 'solanaTransaction',
        address: from.toBase58(),
        message: Buffer.from(bytes).toString('base64'),
        isEditable: true,
        ...more,
      })
    const messageIn = (asked: Record<string, unknown> | undefined) => {
      const { message } = (asked?.request ?? {}) as { message: string }
      return decodeMessage(new Uint8Array(Buffer.from(message, 'base64')))
    }
    const actionsOf = (asked: Record<string, unknown> | undefined) => decodeActions(messageIn(asked))

    test.each([
      ['without a budget', messageOf(transfer), 'slow', 5_000n],
      ['with one', messageOf(...budget(1_000, 40_000), transfer), 'usual', 5_040n],
    ] as const)(
      'Solana fees: another level is reviewed anew by its own bytes: %s',
      async (_, bytes, chosen, fee) => {
        const { act, displays, asked, cancel } = await open(bytes, [said(), said()])
        await displays({ fees: { chosen, levels: [{ fee: 5_000n }, { fee: 5_040n }, { fee: 5_900n }] }, fee })
        await act(['approve-transaction', { edited: { fees: 'fast' } }])
        await displays({ fees: { chosen: 'fast' }, fee: 5_900n, total: 6_900n })
        await cancel()
        expect(actionsOf(asked[1])).toMatchObject([
          { setting: 'unitLimit', value: 1_000n },
          { setting: 'unitPrice', value: 900_000n },
          { kind: 'transferSol', lamports: 1_000n },
        ])
      },
    )

    const withTable = (...instructions: TransactionInstruction[]) => {
      const state = {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [mint, party],
      }
      const message = new TransactionMessage({
        payerKey: from,
        recentBlockhash: mint.toBase58(),
        instructions,
      }).compileToV0Message([new AddressLookupTableAccount({ key: tableKey, state })])
      return message.serialize()
    }
    const tableKey = Keypair.fromSeed(new Uint8Array(32).fill(4)).publicKey
    const lookups = { [tableKey.toBase58()]: { 1: party.toBase58() } }

    test.each([
      ['without a budget', withTable(transfer), 'slow'],
      ['with one', withTable(...budget(1_000, 40_000), transfer), 'usual'],
    ] as const)(
      'Solana fees: with a lookup table that the server resolves another level keeps all else, %s',
      async (_, bytes, chosen) => {
        const { act, displays, asked, last, cancel } = await open(bytes, [
          said({ lookups }),
          said({ lookups }),
        ])
        await displays({ fees: { chosen }, warnings: [] })
        expect(last().actions[0]).toMatchObject({ kind: 'transfer', to: party.toBase58() })
        await act(['approve-transaction', { edited: { fees: 'fast' } }])
        await displays({ fees: { chosen: 'fast' }, fee: 5_900n, total: 6_900n, warnings: [] })
        await cancel()
        const [before, after] = [decodeMessage(bytes), messageIn(asked[1])]
        expect(after.lookups).toEqual(before.lookups)
        expect(after.blockhash).toBe(before.blockhash)
        expect(actionsOf(asked[1])).toMatchObject([
          { setting: 'unitLimit', value: 1_000n },
          { setting: 'unitPrice', value: 900_000n },
          { kind: 'transferSol', lamports: 1_000n, to: `${tableKey.toBase58()} #1` },
        ])
      },
    )

    test('Solana fees: none are offered where the server does not know what a lookup table holds', async () => {
      const { displays, last, cancel } = await open(withTable(transfer), [said()])
      await displays({ balance: 1_000_000n, warnings: [{ code: 'solana-unknownAccounts' }] })
      expect(last().fees).toBeUndefined()
      await cancel()
    })

    test('Solana fees: an own fee is taken, and one that nobody means is refused', async () => {
      const { act, displays, seen, cancel } = await open(messageOf(transfer), [said(), said()])
      await displays({ fees: { chosen: 'slow' } })
      await act(['approve-transaction', { edited: { fees: { priority: 10n ** 13n } } }])
      await expect.poll(() => seen.at(-1)?.props.notice).toBe('fees-refused')
      await act(['approve-transaction', { edited: { fees: { priority: 77n } } }])
      await displays({ fees: { chosen: 'asked', own: { priority: 77n } }, fee: 5_077n })
      await cancel()
    })

    test.each<[string, Uint8Array, object]>([
      ['the page does not take another transaction', messageOf(transfer), { isEditable: false }],
      ['the message sets a price alone', messageOf(budget(1, 1)[1] as TransactionInstruction, transfer), {}],
      [
        'somebody else signs as well',
        messageOf(transfer, SystemProgram.transfer({ fromPubkey: party, toPubkey: from, lamports: 1 })),
        {},
      ],
    ])('Solana fees: none are offered where %s', async (_, bytes, more) => {
      const { displays, last, cancel } = await open(bytes, [said()], more)
      await displays({ balance: 1_000_000n })
      expect(last().fees).toBeUndefined()
      await cancel()
    })

    test('Solana: symbols and prices of tokens are those of the server', async () => {
      const bytes = messageOf(createTransferCheckedInstruction(party, mint, party, from, 250_000n, 6))
      const token = mint.toBase58()
      const { displays, cancel } = await open(bytes, [
        said({
          tokens: { [token]: { symbol: 'USDC', decimals: 6, scale: 1 } },
          simulation: { ...answer().simulation, out: [{ kind: 'token', token, amount: '250000' }] },
          prices: { coin: { usd: 150, at: 1 }, tokens: { [token]: { usd: 0.99, at: 1 } } },
        }),
      ])
      await displays({
        actions: [{ kind: 'instruction', instruction: { kind: 'transferToken', symbol: 'USDC' } }],
        balanceChanges: { out: [{ amount: 250_000n, asset: { symbol: 'USDC', decimals: 6 } }] },
        prices: { coin: 150, tokens: { [token]: 0.99 } },
      })
      await cancel()
    })
  })

  /** A clock on which time is up once a test says so. */
  function stoppedClock() {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const sleep = (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        ended.then(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    return { clock: { now: systemClock.now, sleep }, end: () => end() }
  }

  test('server preview: the review is displayed before it comes, waits for it without a red word, and says its absence once time is up', async () => {
    const { clock, end } = stoppedClock()
    const { act, done, last, displays, seen } = await review({ data: '0xdeadbeef' }, [never], {}, clock)
    await displays({ fee: 21_000n, balanceChanges: 'waiting', warnings: [] })
    end()
    await displays({ balanceChanges: 'unanswered', warnings: [{ code: 'not-understood' }] })
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
    expect(last().balance).toBeUndefined()
    expect(seen.map(({ props }) => (props.preview as TransactionPreview).warnings.length)).toEqual([0, 1])
  })

  test('server preview: an agreement that comes before the trial run’s end signs nothing', async () => {
    let arrive: (said: unknown) => void = () => {}
    const late = new Promise((resolve) => {
      arrive = resolve
    })
    const { act, done, displays, force } = await review({}, [late])
    await displays({ balanceChanges: 'waiting' })
    force('approve')
    arrive(answer({ balance: '1000001' }))
    await displays({ balance: 1_000_001n, balanceChanges: { out: [] } })
    await act(['approve-transaction', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test.each<[string, object, unknown, string]>([
    ['without a trial run', { simulation: undefined }, 'unanswered', 'not-understood'],
    [
      'of a network that can’t try',
      { simulation: { outcome: 'unavailable' } },
      'unavailable',
      'not-understood',
    ],
    [
      'of a run that failed',
      { simulation: { outcome: 'simulated', status: 'failed' } },
      'failed',
      'undescribed',
    ],
    ['of two nodes that differ', { disputed: ['simulation'] }, { isDisputed: true }, 'not-understood'],
    ['of one node', { nodes: 1 }, { isSingle: true }, 'undescribed'],
    ['that counts no nodes', { nodes: undefined }, { isSingle: true }, 'undescribed'],
    [
      'of a run that leaves things out',
      { simulation: { ...answer().simulation, is_complete: false } },
      { isComplete: false },
      'not-understood',
    ],
  ])('server preview: an answer %s is said as such', async (_, change, balanceChanges, code) => {
    const { displays, cancel } = await review({ data: '0xdeadbeef' }, [answer(change)])
    await displays({
      balanceChanges:
        typeof balanceChanges === 'object' ? expect.objectContaining(balanceChanges) : balanceChanges,
      warnings: expect.arrayContaining([expect.objectContaining({ code })]),
    })
    await cancel()
  })

  test('server preview: prices of its own time are displayed, others and broken ones are left out', async () => {
    const prices = {
      coin: { usd: 2_500, at: 9_000 },
      tokens: { [contract]: { usd: 1, at: 10_000 } },
    }
    const { displays, cancel } = await review({}, [answer({ prices, at: 10_000 })])
    await displays({ balance: 1_000_000n, prices: { tokens: { [contract]: 1 } } })
    await cancel()
    const broken = await review({}, [answer({ prices: { coin: { usd: -1, at: 10_000 } }, at: 10_000 })])
    await broken.displays({ balance: 1_000_000n })
    expect(broken.last().prices).toBeUndefined()
    await broken.cancel()
  })

  test('server preview: an approval after 15 s has it repeated, and is asked for again where it says something else', async () => {
    const changed = answer({
      simulation: { ...answer().simulation, out: [{ kind: 'native', amount: '100' }] },
    })
    let ahead = 0
    const clock = { ...systemClock, now: () => systemClock.now() + ahead }
    const { act, done, displays, seen, asked } = await review({}, [answer(), changed], {}, clock)
    await displays({ balance: 1_000_000n })
    ahead = 15_000
    await act(['approve-transaction', 'approve'])
    await displays({ balanceChanges: { out: [{ amount: 100n }] } })
    expect(seen.at(-1)?.props.notice).toBe('renewed')
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
    expect(asked).toHaveLength(2)
  })

  test('server preview: one that says the same is signed without another look', async () => {
    let ahead = 0
    const clock = { ...systemClock, now: () => systemClock.now() + ahead }
    const { act, done, displays, asked } = await review(
      {},
      [answer(), answer({ balance: '2000000' })],
      {},
      clock,
    )
    await displays({ balance: 1_000_000n })
    ahead = 15_000
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject(signed)
    expect(asked).toHaveLength(2)
  })

  describe('fees', () => {
    const gas = (most: number, tip: number) => ({
      max_fee_per_gas: String(most),
      max_priority_fee_per_gas: String(tip),
    })
    const levels = { slow: gas(2, 1), usual: gas(4, 2), fast: gas(8, 4) }
    const priced = (more: object = {}) => answer({ prepared: { ...answer().prepared, levels, ...more } })

    test('fees: another level of the server is reviewed anew, and is what is signed', async () => {
      const { act, done, displays, asked } = await review({}, [priced(), priced()])
      await displays({ fees: { chosen: 'asked' }, fee: 21_000n })
      await act(['approve-transaction', { edited: { fees: 'fast' } }])
      await displays({ fees: { chosen: 'fast' }, fee: 8n * 21_000n, total: 100n + 8n * 21_000n })
      await act(['approve-transaction', 'approve'])
      const { signed: raw } = (await done) as { signed: `0x02${string}` }
      expect(parseTransaction(raw)).toMatchObject({ maxFeePerGas: 8n, maxPriorityFeePerGas: 4n, value: 100n })
      expect(asked[1]).toMatchObject({ request: { transaction: { maxFeePerGas: '0x8' } } })
    })

    test("fees: the user's own are displayed as theirs, and are what is signed", async () => {
      const { act, done, displays } = await review({}, [priced(), priced()])
      await displays({ fees: { chosen: 'asked' } })
      const own = { maxFeePerGas: 6n, maxPriorityFeePerGas: 3n }
      await act(['approve-transaction', { edited: { fees: own } }])
      await displays({ fees: { chosen: 'own', own }, fee: 6n * 21_000n })
      await act(['approve-transaction', 'approve'])
      const { signed: raw } = (await done) as { signed: `0x02${string}` }
      expect(parseTransaction(raw)).toMatchObject(own)
    })

    test.each<[string, unknown]>([
      ['an absurd fee', { maxFeePerGas: 10n ** 18n, maxPriorityFeePerGas: 1n }],
      ['a tip above the whole', { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }],
      ['fees of another type', { gasPrice: 5n }],
      ['text', { maxFeePerGas: '5', maxPriorityFeePerGas: '1' }],
      ['a level that nobody has named', 'warp'],
    ])('fees: %s is refused, and the former ones are signed', async (_, fees) => {
      const { act, done, displays, seen } = await review({}, [priced()])
      await displays({ fees: { chosen: 'asked' } })
      await act(['approve-transaction', { edited: { fees } }])
      await expect.poll(() => seen.at(-1)?.props.notice).toBe('fees-refused')
      await act(['approve-transaction', 'approve'])
      const { signed: raw } = (await done) as { signed: `0x02${string}` }
      expect(parseTransaction(raw)).toMatchObject({ maxFeePerGas: 1n })
    })

    test('fees: levels of another type, or broken ones, are not offered', async () => {
      const legacy = { gas_price: '5' }
      for (const given of [{ slow: legacy, usual: legacy, fast: legacy }, { slow: 'x' }]) {
        const { displays, last, cancel } = await review({}, [priced({ levels: given })])
        await displays({ balance: 1_000_000n })
        expect(last().fees).toBeUndefined()
        await cancel()
      }
    })
  })

  test('server preview: a fee of layer 1 that the page alone knows is marked, until the server confirms its own', async () => {
    const base = { chainId: 8453 }
    const more = { layerOneFee: '0x64' }
    const alone = await review(base, [undefined], more)
    await alone.displays({ fee: 21_100n, isFeeClaimed: true })
    await alone.cancel()
    const prepared = { ...answer().prepared, layer_one_fee: '5000' }
    const confirmed = await review(base, [answer({ chain: 'eip155:8453', prepared })], more)
    await confirmed.displays({ fee: 26_000n, balance: 1_000_000n })
    expect(confirmed.last().isFeeClaimed).toBeUndefined()
    await confirmed.cancel()
    // On layer 1 the bytes say all of it.
    const plain = await review({}, [undefined])
    await plain.displays({ fee: 21_000n })
    expect(plain.last().isFeeClaimed).toBeUndefined()
    await plain.cancel()
  })

  test('server preview: the server’s trial counts in place of the page’s, and contradicting nodes are named', async () => {
    const failed = {
      outcome: 'simulated',
      status: 'failed',
      reason: { kind: 'reverted', message: 'paused' },
    }
    const reverts = await review({}, [answer({ simulation: failed })])
    await reverts.displays({ warnings: [{ code: 'reverts', severity: 'danger', reason: 'paused' }] })
    await reverts.cancel()
    const cleared = await review({}, [answer({ disputed: ['fee'] })], { state: 'reverts' })
    await cleared.displays({ warnings: [{ code: 'nodes-differ' }] })
    await cleared.cancel()
    const without = await review({}, [answer({ simulation: { outcome: 'unavailable' } })], {
      state: 'reverts',
    })
    await without.displays({ balanceChanges: 'unavailable', warnings: [{ code: 'reverts' }] })
    await without.cancel()
  })

  const unusable: Record<string, unknown> = {
    'of another version': answer({ version: 2 }),
    'of another chain': answer({ chain: 'eip155:10' }),
    'with a negative balance': answer({ balance: '-1' }),
    'with a balance that is a number': answer({ balance: 5 }),
    'with more than 256 bits': answer({ balance: '9'.repeat(78) }),
    'with a symbol that hides its direction': answer({
      tokens: { [contract]: { symbol: 'US\u202eDC', decimals: 6 } },
    }),
    'with a symbol of markup': answer({ tokens: { [contract]: { symbol: '<b>', decimals: 6 } } }),
    'with a symbol that is long': answer({ tokens: { [contract]: { symbol: 'A'.repeat(12), decimals: 6 } } }),
    'with too many decimals': answer({ tokens: { [contract]: { symbol: 'USDC', decimals: 37 } } }),
    'with a simulation of no known kind': answer({ simulation: { outcome: 'guessed' } }),
    'with a list without end': answer({
      simulation: { ...answer().simulation, out: Array(1_001).fill({ kind: 'native', amount: '1' }) },
    }),
    'that is a list': [],
  }
  const fetchFrom = (said: unknown) =>
    fetchPreview({ api: async () => said } as unknown as VaultContext, {} as Token, {
      address: to,
      chain: 'eip155:1',
      request: {},
    })
  test.each(Object.entries(unusable))('server preview: an answer %s is refused', async (_, said) => {
    await expect(fetchFrom(said)).rejects.toThrow()
  })
  test('server preview: fields of a newer server are left out', async () => {
    const found = await fetchFrom(answer())
    expect(found).toMatchObject({ balance: 1_000_000n, prepared: { fee: 21_000n } })
    expect(JSON.stringify(Object.keys({ ...found, ...found.prepared }))).not.toContain('newer')
  })
})
