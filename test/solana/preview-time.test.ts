/** How long a user waits for a preview on Solana: in rounds of questions, on a clock that nothing but the node moves. */
import { base64 } from '@scure/base'
import { createTransferCheckedInstruction, createTransferInstruction } from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { getMintEncoder, getTokenEncoder } from '@solana-program/token'
import { expect, test } from 'vitest'
import { parseRequest, prepare } from '../../src/solana/prepare.ts'
import { TOKEN_PROGRAM } from '../../src/solana/programs/token.ts'
import { createSolanaRpc } from '../../src/solana/rpc.ts'
import { simulate } from '../../src/solana/simulate.ts'
import { fakeNode, type NodeAnswer } from '../support/chain-node.ts'
import { testClock } from '../support/clock.ts'
import {
  type Answers,
  account,
  inContext,
  legacyTransaction,
  solanaKeys,
  transferTo,
  walletNode,
} from '../support/solana-node.ts'

const [payer, friend, third, mint, source, target] = solanaKeys.map(({ publicKey }) => publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
]
const wallet = payer.toBase58()
const NO_BLOCKHASH = PublicKey.default.toBase58()

const tokenAccount = (owner: PublicKey) =>
  account(
    2_039_280,
    TOKEN_PROGRAM,
    Uint8Array.from(
      getTokenEncoder().encode({
        mint: mint.toBase58() as never,
        owner: owner.toBase58() as never,
        amount: 50n,
        delegate: null,
        state: 1,
        isNative: null,
        delegatedAmount: 0n,
        closeAuthority: null,
      }),
    ),
  )
const mintAccount = account(
  1_461_600,
  TOKEN_PROGRAM,
  Uint8Array.from(
    getMintEncoder().encode({
      mintAuthority: null,
      supply: 50n,
      decimals: 6,
      isInitialized: true,
      freezeAuthority: null,
    }),
  ),
)
const table = new AddressLookupTableAccount({
  key: third,
  state: {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [friend],
  },
})
/** A table's header, and the one address in it. */
const tableData = Uint8Array.from([1, ...new Uint8Array(55), ...friend.toBytes()])
const states: Readonly<Record<string, object>> = {
  [wallet]: account(5_000_000_000),
  [source.toBase58()]: tokenAccount(payer),
  [target.toBase58()]: tokenAccount(friend),
  [mint.toBase58()]: mintAccount,
  [third.toBase58()]: account(1, AddressLookupTableProgram.programId.toBase58(), tableData),
}
const paid = (prioritizationFee: number) => () => ({ result: [{ slot: 1, prioritizationFee }] })

/** A node whose answers take 100 to 300 ms. */
function slowNode(answers: Answers = {}) {
  const clock = testClock()
  const { fetch, asked, methods } = fakeNode({
    ...walletNode(wallet),
    getMultipleAccounts: ([addresses]): NodeAnswer => ({
      result: inContext((addresses as string[]).map((each) => states[each] ?? null)),
    }),
    simulateTransaction: ([, config]): NodeAnswer => {
      const { addresses } = (config as { accounts: { addresses: string[] } }).accounts
      const accounts = addresses.map((each) => states[each] ?? account(5_000_000))
      return {
        result: inContext({ err: null, logs: [], unitsConsumed: 150, accounts, innerInstructions: [] }),
      }
    },
    ...answers,
  })
  const delays: number[] = []
  const rpc = createSolanaRpc({
    urls: ['https://node.example'],
    clock,
    async fetch(url, init) {
      const delay = 100 + 40 * (delays.length % 6)
      delays.push(delay)
      const answer = await fetch(url, init)
      await clock.sleep(delay)
      return answer
    },
  })
  const cx = { rpc, clock }
  /** Time stands still while addresses are derived, whose hashes the machine computes when it gets to them. */
  async function untilQuiet() {
    let before = -1
    for (let unchanged = 0; unchanged < 16; unchanged++) {
      await crypto.subtle.digest('SHA-256', new Uint8Array(1))
      await new Promise((resolve) => setImmediate(resolve))
      if (delays.length !== before) unchanged = 0
      before = delays.length
    }
  }
  return {
    asked,
    methods,
    /** Prepares and runs a transaction; `rounds`: the time of it in the node's slowest answers. */
    async review(bytes: Uint8Array, mayChange: boolean) {
      const start = clock.now()
      const work = prepare(cx, parseRequest(bytes, wallet), { mayChange, isReviewed: true }).then(
        async (prepared) => ({ prepared, simulation: await simulate(cx, prepared), end: clock.now() }),
      )
      let isDone = false
      const stop = () => {
        isDone = true
      }
      work.then(stop, stop)
      for (let turn = 0; !isDone && turn < 500; turn++) {
        await untilQuiet()
        await clock.advance(10)
      }
      const done = await work
      return { ...done, rounds: (done.end - start) / Math.max(...delays) }
    },
  }
}
const checked = createTransferCheckedInstruction(source, mint, target, payer, 5n, 6)
const unchecked = createTransferInstruction(source, target, payer, 5n)
const withTable = (...instructions: TransactionInstruction[]) =>
  new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer,
      recentBlockhash: mint.toBase58(),
      instructions,
    }).compileToV0Message([table]),
  ).serialize()
const withoutBlockhash = (bytes: Uint8Array) => {
  const transaction = VersionedTransaction.deserialize(bytes)
  transaction.message.recentBlockhash = NO_BLOCKHASH
  return transaction.serialize()
}

test.each<[string, Uint8Array, boolean, Answers]>([
  ['a transfer as the app wants it', legacyTransaction(), false, {}],
  ['a transfer to which a fee may be added, and nobody pays one', legacyTransaction(), true, {}],
  ['a transfer of tokens that names its mint', legacyTransaction(checked), false, {}],
  [
    'a transfer that fails',
    legacyTransaction(),
    true,
    {
      simulateTransaction: () => ({
        result: inContext({ err: 'AccountInUse', logs: [], unitsConsumed: 1, accounts: null }),
      }),
    },
  ],
])('preview time on Solana: %s takes one round', async (_, bytes, mayChange, answers) => {
  const { review, methods } = slowNode(answers)
  const { rounds } = await review(bytes, mayChange)
  expect(methods()).toContain('simulateTransaction')
  expect(rounds).toBeLessThanOrEqual(1.2)
})

test.each<[string, Uint8Array, boolean, Answers, number]>([
  [
    'a priority fee that the wallet adds',
    legacyTransaction(),
    true,
    { getRecentPrioritizationFees: paid(5_000) },
    2,
  ],
  ['a blockhash that the wallet fills in', withoutBlockhash(legacyTransaction()), true, {}, 2],
  [
    'a blockhash and a priority fee of the wallet',
    withoutBlockhash(legacyTransaction()),
    true,
    { getRecentPrioritizationFees: paid(5_000) },
    2,
  ],
  ['a lookup table', withTable(transferTo(friend, 5)), false, {}, 2],
  ['a token that only its accounts name', legacyTransaction(unchecked), false, {}, 2],
  [
    'a lookup table and a priority fee',
    withTable(transferTo(friend, 5)),
    true,
    { getRecentPrioritizationFees: paid(5_000) },
    3,
  ],
])(
  'preview time on Solana: %s takes the rounds that it needs',
  async (_, bytes, mayChange, answers, most) => {
    const { review } = slowNode(answers)
    const { rounds, simulation } = await review(bytes, mayChange)
    expect(simulation.status).toBe('done')
    expect(rounds).toBeGreaterThan(1)
    expect(rounds).toBeLessThanOrEqual(most + 0.2)
  },
)

test('preview on Solana: what is signed is what was run last, with its priority fee', async () => {
  const { review, asked } = slowNode({ getRecentPrioritizationFees: paid(5_000) })
  const { prepared } = await review(legacyTransaction(), true)
  const runs = asked.filter(({ method }) => method === 'simulateTransaction').map(({ params }) => params)
  expect(prepared.hasOwnBudget).toBe(true)
  expect(runs).toHaveLength(2)
  expect(runs[1]).toMatchObject([base64.encode(prepared.transaction.bytes), { minContextSlot: 5 }])
})

test('preview on Solana: a transaction that stays as it is runs once, with nothing but another blockhash', async () => {
  const { review, asked } = slowNode()
  const given = withoutBlockhash(legacyTransaction())
  const { prepared } = await review(given, true)
  const runs = asked.filter(({ method }) => method === 'simulateTransaction').map(({ params }) => params)
  expect(runs).toHaveLength(1)
  expect(runs[0]).toMatchObject([base64.encode(given), { sigVerify: false, replaceRecentBlockhash: true }])
  expect(withoutBlockhash(prepared.transaction.bytes)).toEqual(given)
})

test('preview on Solana: a run on an older state than the accounts before it is repeated', async () => {
  const slots: unknown[] = []
  const { review } = slowNode({
    simulateTransaction: ([, config]): NodeAnswer => {
      const { accounts, minContextSlot } = config as {
        accounts: { addresses: string[] }
        minContextSlot?: number
      }
      slots.push(minContextSlot)
      const isOld = minContextSlot === undefined
      const states = accounts.addresses.map(() => account(isOld ? 1_000_000_000 : 4_990_000_000))
      const value = { err: null, logs: [], unitsConsumed: 150, accounts: states, innerInstructions: [] }
      return { result: inContext(value, isOld ? 4 : 5) }
    },
  })
  const { simulation } = await review(legacyTransaction(), false)
  expect(slots).toEqual([undefined, 5])
  expect(simulation).toMatchObject({
    status: 'done',
    slot: 5n,
    changes: { out: [{ amount: 9_995_000n }] },
  })
})
