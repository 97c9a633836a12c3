/** Fees, limits and previews against nodes that answer what a test says. */
import {
  ComputeBudgetProgram,
  Ed25519Program,
  type Keypair,
  SystemProgram,
  Transaction,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { toEditableFees } from '../../src/signing/solana/fees.ts'
import { formatSolBriefly } from '../../src/solana/amounts.ts'
import { limitFor, MOST_PRIORITY, type PriorityChoice, priceFor } from '../../src/solana/budget.ts'
import { parseRequest, prepare } from '../../src/solana/prepare.ts'
import { toPreview } from '../../src/solana/preview.ts'
import { readInner, simulate } from '../../src/solana/simulate.ts'
import type { NodeAnswer } from '../support/chain-node.ts'
import {
  account,
  inContext,
  legacyTransaction,
  scriptedNodes,
  solanaBlockhash,
  solanaKeys,
  transferTo,
} from '../support/solana-node.ts'

const [payer, friend, third] = solanaKeys as [Keypair, Keypair, Keypair]
const wallet = payer.publicKey.toBase58()
type Script = Parameters<typeof scriptedNodes>[0]

async function prepared(bytes: Uint8Array, script: Script = {}, mayChange = true, priority?: PriorityChoice) {
  const nodes = scriptedNodes(script)
  const done = await nodes.finish(prepare(nodes, parseRequest(bytes, wallet), { mayChange, priority }))
  return { ...nodes, done, asked: nodes.methods()[0] ?? [] }
}
const simulated = (more: object = {}): Script => ({
  simulateTransaction: ([, options]): NodeAnswer => {
    const { accounts } = options as { accounts: { addresses: string[] } }
    const states = accounts.addresses.map((each) =>
      each === wallet ? account(1_990_000_000) : account(10_000_000),
    )
    const value = {
      err: null,
      logs: [],
      unitsConsumed: 1_000,
      accounts: states,
      innerInstructions: [],
      ...more,
    }
    return { result: inContext(value, 6) }
  },
  getMultipleAccounts: ([addresses]): NodeAnswer => ({
    result: inContext(
      (addresses as string[]).map((each) => (each === wallet ? account(2_000_000_000) : null)),
    ),
  }),
})
const recent =
  (...fees: number[]) =>
  (): NodeAnswer => ({
    result: fees.map((prioritizationFee, slot) => ({ slot, prioritizationFee })),
  })
const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units })
const price = (microLamports: bigint) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
const send = transferTo(friend.publicKey, 5_000_000)

describe('fee', () => {
  test('fee: the node’s figure counts, and is split into base and priority', async () => {
    const { done } = await prepared(legacyTransaction(price(1_000_000n), limit(300_000), send), {
      getFeeForMessage: inContext(305_000),
    })
    expect(done.fee).toEqual({ base: 5_000n, priority: 300_000n, total: 305_000n, isFromNode: true })
  })

  test('fee: no node can make a fee look smaller than the limit and the price allow', async () => {
    const { done } = await prepared(legacyTransaction(price(1_000_000n), limit(300_000), send), {
      getFeeForMessage: inContext(5_000),
    })
    expect(done.fee.total).toBe(305_000n)
  })

  test('fee: a node that counts fewer units where there is no limit is believed', async () => {
    const { done } = await prepared(legacyTransaction(price(1_000_000n), send), {
      getFeeForMessage: inContext(8_150),
    })
    expect(done.fee).toEqual({ base: 5_000n, priority: 3_150n, total: 8_150n, isFromNode: true })
  })

  test.each<[string, NonNullable<Script>[string]]>([
    ['does not know the blockhash', inContext(null)],
    ['has no such method', () => ({ error: { code: -32601, message: 'Method not found' } })],
  ])('fee: it is the most that the network may take where the node %s', async (_, getFeeForMessage) => {
    const { done } = await prepared(legacyTransaction(price(1_000_000n), send), { getFeeForMessage })
    expect(done.fee).toEqual({ base: 5_000n, priority: 203_000n, total: 208_000n, isFromNode: false })
  })

  test('fee: signatures that a program verifies are paid for', async () => {
    const verify = Ed25519Program.createInstructionWithPrivateKey({
      privateKey: payer.secretKey,
      message: Buffer.from('a'),
    })
    const { done } = await prepared(legacyTransaction(verify, send), { getFeeForMessage: inContext(null) })
    expect(done.fee.base).toBe(10_000n)
  })

  test('fee: one that nobody means is refused, and an unusual one is a warning', async () => {
    const absurd = await prepared(legacyTransaction(price(10n ** 13n), limit(1_400_000), send))
    expect(() => toPreview(absurd.done)).toThrow('out of all proportion')
    const high = await prepared(legacyTransaction(price(10n ** 9n), limit(1_000_000), send))
    expect(toPreview(high.done).warnings).toContainEqual({
      code: 'fee',
      severity: 'caution',
      concern: 'high',
    })
  })

  test('fee: it is not the wallet’s where somebody else pays', async () => {
    const built = new Transaction({
      feePayer: friend.publicKey,
      blockhash: solanaBlockhash,
      lastValidBlockHeight: 1,
    })
    built.add(transferTo(third.publicKey, 7))
    const bytes = Uint8Array.from(built.serialize({ requireAllSignatures: false }))
    const { done } = await prepared(bytes, { getFeeForMessage: inContext(10_000) })
    const preview = toPreview(done)
    expect(preview.sponsor).toBe(friend.publicKey.toBase58())
    expect(preview.cost).toMatchObject({ isPayer: false, total: 7n })
    expect(preview.warnings.map(({ code }) => code)).toEqual(['severalSigners'])
  })
})

describe('priority', () => {
  test('priority: a limit a tenth above the simulation’s units, and a price of recent fees, are added', async () => {
    const { done } = await prepared(legacyTransaction(), {
      ...simulated(),
      getRecentPrioritizationFees: recent(0, 1_000, 2_000, 3_000, 4_000),
    })
    expect(done.hasOwnBudget).toBe(true)
    expect(done.actions).toMatchObject([
      { kind: 'computeBudget', setting: 'unitLimit', value: 1_430n },
      { kind: 'computeBudget', setting: 'unitPrice', value: 3_000n },
      { kind: 'transferSol', lamports: 5_000_000n },
    ])
    expect(done.transaction.signatures).toEqual([undefined])
  })

  const two = () => {
    const built = new Transaction({
      feePayer: payer.publicKey,
      blockhash: solanaBlockhash,
      lastValidBlockHeight: 1,
    })
    built.add(
      SystemProgram.transfer({ fromPubkey: friend.publicKey, toPubkey: third.publicKey, lamports: 1 }),
    )
    built.partialSign(friend)
    return Uint8Array.from(built.serialize({ requireAllSignatures: false }))
  }
  test.each<[string, Uint8Array, boolean]>([
    ['the app has set a limit', legacyTransaction(limit(5_000), send), true],
    ['the app has set a price', legacyTransaction(price(1n), send), true],
    ['somebody else has signed', two(), true],
    ['the app wants its own bytes signed', legacyTransaction(), false],
  ])('priority: nothing is added where %s', async (_, bytes, mayChange) => {
    const script = { ...simulated(), getRecentPrioritizationFees: recent(5_000) }
    const { done } = await prepared(bytes, script, mayChange)
    expect(done.hasOwnBudget).toBe(false)
    expect(done.transaction.bytes).toEqual(bytes)
  })

  test.each<[string, Script]>([
    ['nobody pays for it', { ...simulated(), getRecentPrioritizationFees: recent(0, 0) }],
    ['the simulation fails', simulated({ err: 'AccountInUse' })],
    ['the node simulates nothing', { getRecentPrioritizationFees: recent(5_000) }],
    ['nobody knows recent fees', { ...simulated(), getRecentPrioritizationFees: () => 'lost' }],
  ])('priority: nothing is added where %s', async (_, script) => {
    const { done } = await prepared(legacyTransaction(), script)
    expect(done.hasOwnBudget).toBe(false)
  })

  const script = {
    ...simulated(),
    getRecentPrioritizationFees: recent(0, 1_000_000, 2_000_000, 3_000_000, 9_000_000),
  }
  test.each<[string, PriorityChoice, bigint | undefined]>([
    ['the slow level takes nothing', 'slow', undefined],
    ['the usual level', 'usual', 3_000_000n],
    ['the fast level', 'fast', 9_000_000n],
    ['lamports of the user’s own are never exceeded', 2_000n, 1_398_601n],
  ])('priority: %s', async (_, choice, expected) => {
    const { done } = await prepared(legacyTransaction(), script, true, choice)
    const added = done.actions.flatMap((action) =>
      action.kind === 'computeBudget' && action.setting === 'unitPrice' ? [action.value] : [],
    )
    expect(added).toEqual(expected === undefined ? [] : [expected])
    expect(done.priorities).toEqual({ slow: 0n, usual: 4_290n, fast: 12_870n })
    if (typeof choice === 'bigint') expect(done.fee.priority).toBeLessThanOrEqual(choice)
    const fees = toEditableFees(done, choice)
    expect(fees).toMatchObject({ chosen: typeof choice === 'bigint' ? 'own' : choice })
    expect(fees?.levels.map(({ speed }) => speed)).toEqual(['slow', 'usual', 'fast'])
  })

  test('priority: nothing can be chosen where the app has set a price', async () => {
    const { done } = await prepared(legacyTransaction(price(1n), send), script)
    expect(toEditableFees(done)).toBeUndefined()
  })

  test('priority: it is capped, however much others pay', () => {
    const high = priceFor([10n ** 15n], 200_000n)
    expect((high * 200_000n) / 1_000_000n).toBeLessThanOrEqual(MOST_PRIORITY)
    expect(priceFor([], 200_000n)).toBe(0n)
    expect(limitFor(1_399_999n)).toBe(1_400_000n)
  })
})

describe('simulation', () => {
  const run = async (script: Script) => {
    const { done, rpc, clock, finish } = await prepared(legacyTransaction(), script, false)
    const work = simulate({ rpc, clock }, done)
    return { done, simulation: await finish(work) }
  }

  test.each<[string, Script, string]>([
    ['a node without the method', {}, 'method'],
    [
      'a node that refuses its options',
      { simulateTransaction: () => ({ error: { code: -32602, message: 'no' } }) },
      'refused',
    ],
    ['a node that is silent', { simulateTransaction: () => 'lost' }, 'network'],
    ['an answer without accounts', simulated({ accounts: null }), 'network'],
    ['an answer with too few accounts', simulated({ accounts: [null] }), 'network'],
  ])('simulation: it is not available from %s', async (_, script, reason) => {
    const { done, simulation } = await run(script)
    expect(simulation).toMatchObject({ status: 'unavailable', reason })
    const { warnings, balanceChanges } = toPreview(done, simulation)
    expect(warnings).toEqual([])
    expect(balanceChanges).toBeUndefined()
  })

  test('simulation: it asks for the state after the slot of the state before', async () => {
    let config: object = {}
    await run({
      ...simulated(),
      simulateTransaction: ([, options]) => {
        config = options as object
        return { error: { code: -32601, message: 'no' } }
      },
    })
    expect(config).toMatchObject({
      sigVerify: false,
      replaceRecentBlockhash: true,
      innerInstructions: true,
      minContextSlot: 5,
      accounts: { encoding: 'base64', addresses: [wallet, friend.publicKey.toBase58()] },
    })
  })

  test('simulation: more than the transaction says leaves the wallet, and is shown', async () => {
    const { done, simulation } = await run(simulated())
    const { balanceChanges, cost } = toPreview(done, simulation)
    // 10,000,000 lamports are gone, of which 5,000 are the fee.
    expect(balanceChanges?.out).toEqual([{ mint: undefined, amount: 9_995_000n, decimals: 9 }])
    expect(cost).toMatchObject({ balanceBefore: 2_000_000_000n, balanceAfter: 1_990_000_000n })
  })

  test('simulation: an account that is left with less than the network asks for is a shortage', async () => {
    const left = 2_000_000_000 - 5_000 - 100_000
    const { done } = await prepared(legacyTransaction(transferTo(friend.publicKey, left)))
    expect(toPreview(done).cost.shortage).toEqual({ account: wallet, mint: undefined, missing: 790_880n })
    const all = await prepared(legacyTransaction(transferTo(friend.publicKey, 2_000_000_000 - 5_000)))
    expect(toPreview(all.done).cost.shortage).toBeUndefined()
  })

  test('inner instructions: all three forms of nodes are read', async () => {
    const { done } = await prepared(legacyTransaction())
    const system = SystemProgram.programId.toBase58()
    const to = friend.publicKey.toBase58()
    const groups = (instruction: object) => [{ index: 0, instructions: [instruction] }]
    const data = '3Bxs411Dtc7pkFQj'
    const expected = [{ kind: 'transferSol', from: wallet, to, isInner: true, instruction: 0 }]
    for (const instruction of [
      { programIdIndex: 2, accounts: [0, 1], data, stackHeight: 2 },
      { programId: system, accounts: [wallet, to], data, stackHeight: 2 },
      {
        program: 'system',
        programId: system,
        parsed: { type: 'transfer', info: { source: wallet, destination: to, lamports: 1 } },
      },
    ])
      expect(readInner(groups(instruction), done.message)).toMatchObject(expected)
    expect(() => readInner(groups({ programIdIndex: 9, accounts: [], data: '' }), done.message)).toThrow()
  })
})

describe('display', () => {
  test.each([
    [0n, '0'],
    [1n, '<0.001'],
    [999_999n, '<0.001'],
    [1_000_000n, '0.001'],
    [1_500_000_000n, '1.5'],
    [12_345_678_901n, '12.345'],
    [-5_000n, '-<0.001'],
    [(1n << 64n) - 1n, '18446744073.709'],
  ])('display: %s lamports are %s SOL', (lamports, text) => {
    expect(formatSolBriefly(lamports)).toBe(text)
  })
})
