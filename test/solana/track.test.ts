/** How a transaction is sent and followed while nodes fail, forget and disagree. */
import { base58, base64 } from '@scure/base'
import { Transaction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import type { NodeError } from '../../src/lib/node-errors.ts'
import { withBudget } from '../../src/solana/budget.ts'
import { decodeTransaction } from '../../src/solana/message.ts'
import { NO_BLOCKHASH, parseRequest, prepare, type TransactionLife } from '../../src/solana/prepare.ts'
import { compareReceipt, getReceipt } from '../../src/solana/receipt.ts'
import { renewRequest } from '../../src/solana/renew.ts'
import { submit } from '../../src/solana/submit.ts'
import { type TransactionStatus, track } from '../../src/solana/track.ts'
import type { NodeAnswer } from '../support/chain-node.ts'
import { inContext, legacyTransaction, scriptedNodes, solanaKeys } from '../support/solana-node.ts'

const built = Transaction.from(legacyTransaction())
built.partialSign(...solanaKeys.slice(0, 1))
const bytes = Uint8Array.from(built.serialize())
const signature = base58.encode(built.signature ?? new Uint8Array())
const { message } = decodeTransaction(bytes)
const transaction = { bytes, signature }
const life: TransactionLife = { kind: 'blockhash', lastValidBlockHeight: 150n }

type Script = Parameters<typeof scriptedNodes>[0]
const status = (confirmationStatus: string, err: unknown = null) =>
  inContext([{ slot: 7, confirmations: null, err, confirmationStatus }])
const none = inContext([null])
/** How far the chain has come, at one block in each slot. */
const height = (blockHeight: number, absoluteSlot = 5) => ({ blockHeight, absoluteSlot })
/** One answer after the other; the last one stays. */
const inTurn = (...answers: unknown[]) => {
  let at = 0
  return (): NodeAnswer => {
    const answer = answers[Math.min(at++, answers.length - 1)]
    return answer === 'lost' ? 'lost' : { result: answer }
  }
}
async function follow(script: Script, more: Partial<Parameters<typeof track>[1]> = {}) {
  const nodes = scriptedNodes({ sendTransaction: signature, ...script })
  const statuses: TransactionStatus[] = []
  const work = (async () => {
    for await (const each of track(nodes, { transaction, message, life, ...more })) statuses.push(each)
  })()
  await nodes.finish(work)
  return { statuses, kinds: statuses.map((each) => each.status), methods: nodes.methods()[0] ?? [], nodes }
}

describe('tracking', () => {
  test('tracking: each status is reported once, and the last one ends it', async () => {
    const { statuses } = await follow({
      getSignatureStatuses: inTurn(
        none,
        status('processed'),
        status('confirmed'),
        status('confirmed'),
        status('finalized'),
      ),
    })
    expect(statuses).toEqual([
      { status: 'sent' },
      { status: 'confirmed', slot: 7n },
      { status: 'finalized', slot: 7n },
    ])
  })

  test('tracking: it ends at the status that is asked for', async () => {
    const { kinds } = await follow({ getSignatureStatuses: status('confirmed') }, { until: 'confirmed' })
    expect(kinds).toEqual(['sent', 'confirmed'])
  })

  test('tracking: a transaction that a fork has dropped is sent again', async () => {
    const { kinds, methods } = await follow({
      getSignatureStatuses: inTurn(
        status('confirmed'),
        none,
        none,
        none,
        none,
        none,
        none,
        status('finalized'),
      ),
    })
    expect(kinds).toEqual(['sent', 'confirmed', 'sent', 'finalized'])
    expect(methods.filter((each) => each === 'sendTransaction').length).toBeGreaterThan(0)
  })

  test('tracking: the same bytes are sent again while no node knows them', async () => {
    const sent: unknown[] = []
    await follow({
      getSignatureStatuses: inTurn(...new Array(10).fill(none), status('finalized')),
      sendTransaction: ([raw]) => {
        sent.push(raw)
        return { error: { code: -32002, message: 'This transaction has already been processed' } }
      },
    })
    expect(sent.length).toBeGreaterThanOrEqual(2)
    expect(new Set(sent)).toEqual(new Set([base64.encode(bytes)]))
  })

  test('tracking: past the last block, and unknown to the node’s history, it has expired', async () => {
    const asked: unknown[] = []
    const { kinds } = await follow({
      getEpochInfo: inTurn(height(149), height(150), height(151)),
      getSignatureStatuses: ([, options]) => {
        asked.push((options as { searchTransactionHistory: boolean }).searchTransactionHistory)
        return { result: none }
      },
    })
    expect(kinds).toEqual(['sent', 'expired'])
    expect(asked.at(-1)).toBe(true)
  })

  test('tracking: one that landed in its last block has not expired', async () => {
    const { kinds } = await follow({
      getEpochInfo: height(151),
      getSignatureStatuses: inTurn(none, status('confirmed'), status('finalized')),
    })
    expect(kinds).toEqual(['sent', 'finalized'])
  })

  test('tracking: a node that is behind is no proof that it expired', async () => {
    const behind = inContext([null], 4)
    const { kinds } = await follow({
      getEpochInfo: height(151, 5),
      getSignatureStatuses: inTurn(behind, behind, behind, status('finalized')),
    })
    expect(kinds).toEqual(['sent', 'finalized'])
  })

  test.each([
    [160, 'expired'],
    [900, 'unknown'],
  ] as const)('tracking: without a history, at height %s, it ends in %s', async (at, end) => {
    const { kinds } = await follow({
      getEpochInfo: height(at),
      getSignatureStatuses: ([, options]) =>
        (options as { searchTransactionHistory: boolean }).searchTransactionHistory
          ? { error: { code: -32011, message: 'Transaction history is not available from this node' } }
          : { result: none },
    })
    expect(kinds).toEqual(['sent', end])
  })

  test('tracking: nodes that no longer answer are no proof that it expired', async () => {
    const { kinds } = await follow({ getSignatureStatuses: inTurn('lost'), getEpochInfo: height(500) })
    expect(kinds).toEqual(['sent', 'unknown'])
  })

  test('tracking: an answer that got lost is asked for again', async () => {
    const { kinds } = await follow({
      getSignatureStatuses: inTurn('lost', 'lost', 'lost', 'lost', 'lost', status('finalized')),
    })
    expect(kinds).toEqual(['sent', 'finalized'])
  })

  test('tracking: a block height that never grows ends in `unknown`', async () => {
    expect((await follow({ getSignatureStatuses: none })).kinds).toEqual(['sent', 'unknown'])
  })

  test('tracking: a failure has its error and its logs', async () => {
    const { statuses } = await follow({
      getSignatureStatuses: status('confirmed', { InstructionError: [0, { Custom: 1 }] }),
      getTransaction: { meta: { logMessages: ['Program log: insufficient lamports 1, need 2'] } },
    })
    expect(statuses.at(-1)).toEqual({
      status: 'failed',
      slot: 7n,
      failure: {
        code: 'Custom',
        instruction: 0,
        program: '1'.repeat(32),
        custom: 1,
        words: 'There is too little SOL in the account',
      },
      logs: ['Program log: insufficient lamports 1, need 2'],
    })
  })

  test('tracking: a failure without a record is a failure all the same', async () => {
    const { statuses } = await follow({ getSignatureStatuses: status('finalized', 'AccountInUse') })
    expect(statuses.at(-1)).toMatchObject({ status: 'failed', failure: { code: 'AccountInUse' }, logs: [] })
  })

  test('tracking: the signal ends it with its reason', async () => {
    const controller = new AbortController()
    const work = follow({ getSignatureStatuses: none }, { signal: controller.signal })
    controller.abort(new Error('closed'))
    await expect(work).rejects.toThrow('closed')
  })
})

describe('sending', () => {
  const send = async (script: Script) => {
    const nodes = scriptedNodes(script)
    return nodes.finish(submit(nodes.rpc, transaction, { message }))
  }
  const refused = (text: string, data?: unknown) => () => ({
    error: { code: -32002, message: text, ...(data !== undefined && { data }) },
  })

  test.each<[string, Script]>([
    ['the node takes it', { sendTransaction: signature }],
    [
      'the network has it already',
      { sendTransaction: refused('This transaction has already been processed') },
    ],
    [
      'the node says so in its data alone',
      { sendTransaction: refused('Transaction simulation failed', { err: 'AlreadyProcessed' }) },
    ],
    [
      'the answer is lost, and the network has it',
      { sendTransaction: () => 'lost', getSignatureStatuses: status('processed') },
    ],
    [
      'the node refuses it, and the network has it',
      { sendTransaction: refused('Blockhash not found'), getSignatureStatuses: status('confirmed') },
    ],
  ])('sending: it is a success when %s', async (_, script) => {
    await expect(send(script)).resolves.toBeUndefined()
  })

  test.each<[string, Script]>([
    ['no answer comes', { sendTransaction: () => 'lost' }],
    ['the node names another transaction', { sendTransaction: 'other' }],
  ])('sending: nobody can say what became of it when %s', async (_, script) => {
    await expect(send(script)).rejects.toMatchObject({ name: 'TransactionUnknownError', hash: signature })
  })

  test('sending: a refusal says which instruction fails, and which lamports are missing', async () => {
    const data = {
      err: { InstructionError: [0, { Custom: 1 }] },
      logs: ['Transfer: insufficient lamports 100, need 5000000'],
    }
    await expect(send({ sendTransaction: refused('Simulation failed', data) })).rejects.toMatchObject({
      name: 'TransactionRefused',
      failure: { code: 'Custom', instruction: 0, custom: 1 },
      logs: data.logs,
    })
  })

  test('sending: a refusal for want of the fee names the account that pays', async () => {
    const failure = (await send({
      sendTransaction: refused('Simulation failed', { err: 'InsufficientFundsForFee', logs: [] }),
    }).catch((cause) => cause)) as NodeError
    expect(failure).toMatchObject({
      shortage: { account: message.payer, mint: undefined, missing: undefined },
    })
  })
})

describe('signing anew', () => {
  const prepared = async (raw: Uint8Array) => {
    const nodes = scriptedNodes({})
    const [payer] = message.signers
    return nodes.finish(prepare(nodes, parseRequest(raw, payer ?? ''), { mayChange: false }))
  }

  test('signing anew: only an expired transaction gives a request, which waits for a blockhash', async () => {
    const old = await prepared(legacyTransaction())
    const others: TransactionStatus[] = [
      { status: 'sent' },
      { status: 'unknown' },
      { status: 'confirmed', slot: 1n },
      { status: 'failed', slot: 1n, failure: { code: 'AccountInUse' }, logs: [] },
    ]
    for (const status of others) expect(renewRequest(old, old, status)).toBeUndefined()
    const renewed = renewRequest(old, old, { status: 'expired' })
    expect(renewed?.transaction.message.blockhash).toBe(NO_BLOCKHASH)
    expect(renewed?.transaction.message.instructions).toEqual(old.message.instructions)
    expect(renewed?.transaction.signatures).toEqual([undefined])
  })

  test('signing anew: a budget that the wallet had added is left to the user again', async () => {
    const asked = await prepared(legacyTransaction())
    const bytes = withBudget(asked.transaction, { limit: 1_000n, price: 5n })
    if (!bytes) throw new Error('there is no room')
    const transaction = decodeTransaction(bytes)
    const old = { ...asked, transaction, message: transaction.message }
    const instructionsOf = (hasOwnBudget: boolean) =>
      renewRequest(asked, { ...old, hasOwnBudget }, { status: 'expired' })?.transaction.message.instructions
    expect(instructionsOf(true)).toEqual(asked.message.instructions)
    expect(instructionsOf(false)).toEqual(old.message.instructions)
  })

  test('signing anew: a durable nonce and other signers belong to the app', async () => {
    const old = await prepared(legacyTransaction())
    const nonce = { kind: 'nonce', account: 'a', value: 'b' } as const
    expect(renewRequest(old, { ...old, life: nonce }, { status: 'expired' })).toBeUndefined()
    const several = { ...old, message: { ...old.message, signers: ['a', 'b'] } }
    expect(renewRequest(several, several, { status: 'expired' })).toBeUndefined()
  })
})

describe('receipts', () => {
  const [wallet = ''] = message.signers
  const record = (more: object = {}) => ({
    slot: 9,
    blockTime: 1_700_000_000,
    meta: {
      err: null,
      fee: 5_000,
      preBalances: [10_000_000, 0, 1],
      postBalances: [4_995_000, 5_000_000, 1],
      preTokenBalances: [],
      postTokenBalances: [],
      logMessages: ['Program log: ok'],
      computeUnitsConsumed: 150,
      ...more,
    },
  })
  const read = (answer: unknown) => {
    const nodes = scriptedNodes({ getTransaction: () => ({ result: answer }) })
    return nodes.finish(getReceipt(nodes.rpc, signature, { wallet, message }))
  }
  const said = { out: [{ mint: undefined, amount: 5_000_000n, decimals: 9 }], in: [] }

  test('receipt: the fee and what has left are the network’s, and equal what was said', async () => {
    const receipt = await read(record())
    expect(receipt).toMatchObject({ ...said, fee: 5_000n, slot: 9n, units: 150n, failure: undefined })
    expect(receipt && compareReceipt(said, receipt)).toEqual([])
  })

  test('receipt: another balance than the one that was said is a difference, and so is a token nobody spoke of', async () => {
    const token = {
      accountIndex: 1,
      mint: 'token',
      owner: wallet,
      uiTokenAmount: { amount: '70', decimals: 6 },
    }
    const receipt = await read(record({ postBalances: [3_995_000, 6_000_000, 1], preTokenBalances: [token] }))
    expect(receipt && compareReceipt(said, receipt)).toEqual([
      { mint: undefined, expected: -5_000_000n, actual: -6_000_000n },
      { mint: 'token', expected: 0n, actual: -70n },
    ])
  })

  test('receipt: tokens of others are none of the wallet’s', async () => {
    const token = {
      accountIndex: 1,
      mint: 'token',
      owner: 'other',
      uiTokenAmount: { amount: '70', decimals: 6 },
    }
    expect((await read(record({ postTokenBalances: [token] })))?.in).toEqual([])
  })

  test('receipt: there is none while the node has no record', async () => {
    expect(await read(null)).toBeUndefined()
  })

  test.each<[string, object]>([
    ['too few balances', record({ preBalances: [1] })],
    ['a negative fee', record({ fee: -1 })],
    ['no metadata', { slot: 9, meta: null }],
  ])('receipt: a record with %s is none', async (_, answer) => {
    await expect(read(answer)).rejects.toMatchObject({ name: 'Unreachable' })
  })
})
