import { maxOf, minOf } from '../../../src/lib/bigint.ts'
import { systemClock, within } from '../../../src/lib/clock.ts'
import type { Allowance, BalanceChange } from '../../../src/solana/balance-changes.ts'
import { encodeTransaction, foundLookups } from '../../../src/solana/message.ts'
import type { PreparedTransaction } from '../../../src/solana/prepare.ts'
import type { Simulation } from '../../../src/solana/simulate.ts'
import { readSolanaTokens, type SplToken } from '../../../src/solana/token-metadata.ts'
import type { Limits } from '../settings/limits.ts'
import {
  type AllowanceView,
  type ChangeView,
  type Disputed,
  type LookupsView,
  namesOf,
  PREVIEW_VERSION,
  type PreviewAnswer,
  type PriorityView,
  type SimulationView,
  type TokenView,
} from './answer.ts'
import { askTwo, differs } from './compare.ts'
import type { PreviewNode } from './nodes.ts'

const VERSIONED = 0x80
/** Mints whose names one preview asks for. */
const MOST_TOKENS = 20

/**
 * Prepares and simulates the message of a transaction. Throws an `InvalidRequest` for one that can't be read, or what `askTwo`
 * throws.
 * @param now Unix milliseconds
 */
export async function previewSolana(
  nodes: readonly PreviewNode[],
  { cluster, wallet, message }: { cluster: string; wallet: string; message: Uint8Array },
  { limits, now }: { limits: Limits; now: () => number },
): Promise<Omit<PreviewAnswer, 'prices'>> {
  const adapter = await import('../../../src/solana/adapter.ts')
  const request = adapter.parseRequest(withoutSignatures(message), wallet)
  const clock = { ...systemClock, now }
  const prepared = await askTwo(
    nodes,
    (rpc) => adapter.prepare({ rpc, clock }, request, { mayChange: false, offersPriorities: true }),
    limits.previewComparison,
  )
  const { figures, lookups, disputed } = compared(prepared)
  const simulations = await simulateOn(nodes, (rpc) => adapter.simulate({ rpc, clock }, figures), limits)
  const { simulation, isDisputed } = worseOf(simulations)
  const { cost, tokenShortage } = adapter.toPreview(figures, simulation)
  const named = await tokensOf(nodes, mintsOf(figures, simulation), limits)
  const tokens = Object.fromEntries(
    Object.entries(named.tokens).map(([mint, each]) => [mint, tokenView(each)]),
  )
  const { fee, rent, deposits, total, shortage } = cost
  const isShort = shortage !== undefined && shortage.mint === undefined && shortage.account === wallet
  const missing = total > figures.balance ? total - figures.balance : (isShort && shortage.missing) || 0n
  return {
    version: PREVIEW_VERSION,
    chain: `solana:${cluster}`,
    prepared: {
      fee: String(fee.total),
      likely_fee: String(fee.total),
      // Whoever counts what is spent counts the accounts of others as well.
      rent: String(rent + deposits),
      ...(deposits > 0n && { deposits: String(deposits) }),
      is_payer: cost.isPayer,
      is_underfunded: isShort || total > figures.balance,
      missing: String(missing),
      ...(tokenShortage && {
        token_shortage: { token: tokenShortage.mint, missing: String(tokenShortage.missing) },
      }),
      ...levelsView(figures),
    },
    ...(simulation && { simulation: simulationView(simulation) }),
    tokens,
    ...(request.transaction.message.lookups.length > 0 && { lookups }),
    names: namesOf(tokens),
    code: {},
    balance: String(figures.balance),
    disputed: [
      ...disputed,
      ...(named.isDisputed ? (['tokens'] as const) : []),
      ...(isDisputed ? (['simulation'] as const) : []),
    ],
    nodes: simulations.length > 0 ? Math.min(prepared.length, simulations.length) : prepared.length,
    ...(simulation && 'slot' in simulation && { block_number: String(simulation.slot) }),
    at: Math.floor(now() / 1_000),
  }
}

/** The priority fees to choose from, with the limit of computation that they are reckoned with. */
function levelsView({ priorities, unitLimit }: PreparedTransaction) {
  if (!priorities || unitLimit === undefined) return undefined
  const level = (lamports: bigint): PriorityView => ({ priority_fee: String(lamports) })
  const { slow, usual, fast } = priorities
  return {
    unit_limit: String(unitLimit),
    levels: { slow: level(slow), usual: level(usual), fast: level(fast) },
  }
}

/** A transaction begins with its signatures, which are not there yet; the message says how many there will be. */
function withoutSignatures(message: Uint8Array): Uint8Array {
  const [first = 0, second = 0] = message
  const count = first & VERSIONED ? second : first
  return encodeTransaction(
    message,
    Array.from({ length: Math.min(count, VERSIONED - 1) }, () => undefined),
  )
}

function compared([one, other]: readonly [PreparedTransaction, ...PreparedTransaction[]]): {
  figures: PreparedTransaction
  lookups: LookupsView
  disputed: readonly Disputed[]
} {
  const found = foundLookups(one.message)
  if (!other) return { figures: one, lookups: found, disputed: [] }
  const others = foundLookups(other.message)
  const disputed: Disputed[] = []
  if (differs(one.fee.total, other.fee.total)) disputed.push('fee')
  if (one.balance !== other.balance) disputed.push('balance')
  const lookups = sharedLookups(found, others)
  if (countOf(lookups) < Math.max(countOf(found), countOf(others))) disputed.push('lookups')
  const dearer = one.fee.total >= other.fee.total ? one : other
  return {
    figures: {
      ...dearer,
      balance: minOf(one.balance, other.balance),
      minimum: maxOf(one.minimum, other.minimum),
    },
    lookups,
    disputed,
  }
}

/** The findings in which two nodes agree. */
const sharedLookups = (one: LookupsView, other: LookupsView): LookupsView =>
  Object.fromEntries(
    Object.entries(one).map(([table, found]) => [
      table,
      Object.fromEntries(Object.entries(found).filter(([at, account]) => other[table]?.[at] === account)),
    ]),
  )
const countOf = (lookups: LookupsView) =>
  Object.values(lookups).reduce((sum, found) => sum + Object.keys(found).length, 0)

/** The runs of two nodes, as far as they could be asked in time. */
async function simulateOn(
  nodes: readonly PreviewNode[],
  simulate: (node: PreviewNode) => Promise<Simulation>,
  limits: Limits,
): Promise<readonly Simulation[]> {
  const unavailable: Simulation[] = []
  const run = async (node: PreviewNode) => {
    const result = await simulate(node)
    if (result.status !== 'unavailable') return result
    unavailable.push(result)
    throw new Error('The node has not run it')
  }
  try {
    return await within(systemClock, limits.previewNodeTime, () =>
      askTwo(nodes, run, limits.previewComparison),
    )
  } catch {
    return unavailable.slice(0, 1)
  }
}

/**
 * Of two runs what is worse for the user: all that leaves in either of them and all that somebody may control, and only what
 * comes in both.
 */
export function worseOf([one, other]: readonly Simulation[]): {
  simulation: Simulation | undefined
  isDisputed: boolean
} {
  if (!one || !other) return { simulation: one, isDisputed: false }
  // What a transaction takes if it succeeds is worse than that it may fail.
  if (one.status !== 'done' || other.status !== 'done')
    return { simulation: other.status === 'done' ? other : one, isDisputed: one.status !== other.status }
  const [first, second] = [one.changes, other.changes]
  const allowances = united(first.allowances, second.allowances, allowanceKey, (mine) => mine)
  const changes = {
    out: united(first.out, second.out, changeKey, (mine, theirs) => ({
      ...mine,
      amount: maxOf(mine.amount, theirs.amount),
    })),
    in: first.in.flatMap((mine) => {
      const theirs = second.in.find((each) => changeKey(each) === changeKey(mine))
      return theirs ? [{ ...mine, amount: minOf(mine.amount, theirs.amount) }] : []
    }),
    allowances,
  }
  const isDisputed =
    areOther(first.out, second.out) ||
    areOther(first.in, second.in) ||
    allowances.length > Math.min(first.allowances.length, second.allowances.length)
  return { simulation: { ...one, changes, slot: minOf(one.slot, other.slot) }, isDisputed }
}

const changeKey = ({ mint, account }: BalanceChange) => `${mint} ${account}`
const allowanceKey = ({ kind, account, to, mint, amount, until }: Allowance) =>
  [kind, account, to, mint, amount, until].join(' ')

/** Prices move between the slots of two runs, and amounts with them. */
const areOther = (some: readonly BalanceChange[], others: readonly BalanceChange[]): boolean =>
  some.length !== others.length ||
  some.some((mine) => {
    const theirs = others.find((each) => changeKey(each) === changeKey(mine))
    return !theirs || differs(mine.amount, theirs.amount)
  })

function united<T>(
  some: readonly T[],
  others: readonly T[],
  keyOf: (each: T) => string,
  join: (mine: T, theirs: T) => T,
): readonly T[] {
  const all = new Map(some.map((each) => [keyOf(each), each]))
  for (const each of others) {
    const mine = all.get(keyOf(each))
    all.set(keyOf(each), mine === undefined ? each : join(mine, each))
  }
  return [...all.values()]
}

function mintsOf({ actions }: PreparedTransaction, simulation: Simulation | undefined): readonly string[] {
  const {
    out = [],
    in: comes = [],
    allowances = [],
  } = simulation?.status === 'done' ? simulation.changes : {}
  const named = [
    ...actions.map((action) => ('mint' in action ? action.mint : undefined)),
    ...[...out, ...comes, ...allowances].map(({ mint }) => mint),
  ]
  return [...new Set(named.filter((mint) => mint !== undefined))].slice(0, MOST_TOKENS)
}

async function tokensOf(
  nodes: readonly PreviewNode[],
  mints: readonly string[],
  { previewComparison }: Limits,
): Promise<{ tokens: Readonly<Record<string, SplToken>>; isDisputed: boolean }> {
  try {
    const [one, other] = await askTwo(nodes, (node) => readSolanaTokens(node, mints), previewComparison)
    return agreedTokens(one, other ?? one)
  } catch {
    return { tokens: {}, isDisputed: false }
  }
}

/** Tokens as two nodes describe them: one of which they say other figures is left out. */
export function agreedTokens(
  one: Readonly<Record<string, SplToken>>,
  other: Readonly<Record<string, SplToken>>,
): { tokens: Readonly<Record<string, SplToken>>; isDisputed: boolean } {
  const all = Object.entries({ ...other, ...one })
  const agreed = all.filter(([mint, token]) => {
    const theirs = other[mint]
    return !theirs || areSame(token, theirs)
  })
  return { tokens: Object.fromEntries(agreed), isDisputed: agreed.length < all.length }
}

/** Interest grows between the clocks of two nodes, by less than this part. */
const GROWN = 1e-6

function areSame(one: SplToken, other: SplToken): boolean {
  const { scale = 0, transferFee } = one.rules
  const { scale: theirs = 0, transferFee: fee } = other.rules
  return (
    one.decimals === other.decimals &&
    one.symbol === other.symbol &&
    Math.abs(scale - theirs) <= GROWN * scale &&
    transferFee?.basisPoints === fee?.basisPoints &&
    transferFee?.maximum === fee?.maximum
  )
}

const tokenView = ({ symbol, decimals, name, rules: { scale, transferFee } }: SplToken): TokenView => ({
  ...(symbol !== undefined && { symbol }),
  decimals,
  ...(name !== undefined && { name }),
  ...(scale !== undefined && { scale }),
  ...(transferFee && {
    transfer_fee: { basis_points: transferFee.basisPoints, maximum: String(transferFee.maximum) },
  }),
})

function simulationView(simulation: Simulation): SimulationView {
  if (simulation.status === 'unavailable') return { outcome: 'unavailable' }
  if (simulation.status === 'failed')
    return { outcome: 'simulated', status: 'failed', reason: { kind: simulation.failure.code } }
  const { out, in: comes, allowances } = simulation.changes
  return {
    outcome: 'simulated',
    status: 'success',
    out: out.map(changeView),
    in: comes.map(changeView),
    allowances: allowances.map(allowanceView),
    is_complete: true,
  }
}

const changeView = ({ mint, amount }: BalanceChange): ChangeView => ({
  kind: mint === undefined ? 'native' : 'token',
  ...(mint !== undefined && { token: mint }),
  amount: String(amount),
})

const allowanceView = ({ kind, account, mint, to, amount, until }: Allowance): AllowanceView => ({
  kind,
  account,
  ...(mint !== undefined && { token: mint }),
  spender: to,
  ...(amount !== undefined && { amount: String(amount) }),
  ...(until !== undefined && { until: String(until) }),
  is_unlimited: amount === undefined,
})
