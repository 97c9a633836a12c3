/** Previews of a transaction's effects: one `eth_simulateV1`, whose answer is bounded and checked. */

import { catchNodeError, METHOD_NOT_FOUND, NodeError } from '../lib/node-errors.ts'
import { bytes, quantity, readFields, readList, unusable } from './answers.ts'
import {
  type AllowanceChange,
  type AssetChange,
  type AssetChanges,
  assetChanges,
  compareChanges,
  type Difference,
  type LogEntry,
  PERMIT2,
  readLogs,
  UNLIMITED,
} from './asset-changes.ts'
import { readActions } from './call-actions.ts'
import { type FailureReason, failureReason } from './failure-reason.ts'
import { ethereumLimits } from './limits.ts'
import { assertChainId } from './prepare-transaction.ts'
import type { ChainNode } from './rpc.ts'
import {
  allowanceKey,
  codeChange,
  planState,
  type RoleChange,
  readStates,
  type StateChanges,
  toCall,
} from './state-reads.ts'
import { isAllowance } from './token-action.ts'
import {
  addressWord,
  balanceOfData,
  erc20Selectors,
  readMetadata,
  readToken,
  readUint,
  type Token,
  type UnknownToken,
} from './tokens.ts'
import type { WalletTransaction } from './transaction.ts'
import { stateAfterAuthorization } from './wallet-code.ts'

type Hex = `0x${string}`

export interface Simulation extends AssetChanges {
  readonly outcome: 'simulated'
  /** Whether the transaction would go through; if not, why. */
  readonly status: 'success' | 'failed'
  readonly reason?: FailureReason | undefined
  /** Metadata of the tokens in the lists, by address. */
  readonly tokens: Readonly<Record<string, Token | UnknownToken>>
  /** Contracts that wrap the chain's own coin, as their balances have shown. */
  readonly wrappers: readonly string[]
  /** Roles that somebody has at contracts afterwards, as their state shows. */
  readonly roles: readonly RoleChange[]
  /** What its logs say, where its state says something else. */
  readonly logged?: AssetChanges | undefined
  readonly gasUsed: bigint
  /** The block in which it was carried out on trial. */
  readonly blockNumber: bigint
  readonly baseFee: bigint | undefined
  /** When, in milliseconds since 1970: it is true for that moment alone. */
  readonly at: number
}
/** Nobody has run it, which the user is told. */
export interface SimulationUnavailable {
  readonly outcome: 'unavailable'
  /** No node has answered, or not in time. Otherwise it has no such method. */
  readonly isUnanswered?: boolean | undefined
}

export interface SimulateOptions {
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
}

/** How nodes refuse a method that they don't have, beside the code for it. */
const NO_METHOD =
  /(method|eth_simulatev1).*(not (found|supported|available|allowed|implemented)|does not exist|disabled)|unsupported method/i

/**
 * Carries a transaction out on trial. Throws a `NodeError` for an answer that can't be used, `Unreachable`, or the signal's reason.
 */
export async function simulate(
  node: ChainNode,
  request: WalletTransaction,
  { now, signal }: SimulateOptions,
): Promise<Simulation | SimulationUnavailable> {
  const reads = plannedReads(request)
  const [answer] = await Promise.all([
    catchNodeError(node.ask('eth_simulateV1', [payload(request, reads), 'latest'], { signal })),
    assertChainId(node, request.chainId, signal),
  ])
  const at = now()
  if (answer instanceof NodeError) return refused(answer, at)
  const result = readAnswer(answer, reads)
  const { wrappers, changes } = changesOf(request, result, reads)
  const read = { ...changes, allowances: withReadAllowances(changes.allowances, result.allowances) }
  const [found] = await withState(node, [{ request, changes: read, result }], result.tokens, signal)
  if (!found) throw unusable(WHAT)
  const tokens = await metadataOf(node, found, result.tokens, signal)
  return {
    outcome: 'simulated',
    ...found,
    logged: changes,
    status: result.isSuccess ? 'success' : 'failed',
    ...(result.reason && { reason: result.reason }),
    tokens,
    wrappers,
    gasUsed: result.gasUsed,
    blockNumber: result.blockNumber,
    baseFee: result.baseFee,
    at,
  }
}

/** Whether a simulation says too little about the present: it is old, or the base fee has moved by an eighth. */
export function isStale(simulation: Simulation, now: number, baseFee?: bigint | undefined): boolean {
  const age = now - simulation.at
  if (age < 0 || age >= ethereumLimits.simulationAge) return true
  if (baseFee === undefined || simulation.baseFee === undefined) return false
  const moved = baseFee - simulation.baseFee
  return (moved < 0n ? -moved : moved) * 8n >= simulation.baseFee && moved !== 0n
}

/**
 * Compares a receipt with the simulation that was shown.
 * @returns the differences; none: it happened as shown
 */
export function compareWithReceipt(
  simulation: Simulation,
  receipt: { readonly status: 'success' | 'reverted'; readonly logs: readonly LogEntry[] },
  account: string,
): readonly Difference[] {
  const actual = assetChanges(receipt.logs, { account, wrappers: simulation.wrappers })
  return compareChanges(simulation.logged ?? simulation, actual)
}

interface Reads {
  /** Its balance is read before and after. */
  readonly contract: Hex | undefined
  readonly tokens: readonly string[]
  readonly allowances: readonly { readonly token: string; readonly spender: string }[]
}

/** What the second block has to read, as far as the transaction's own bytes tell. */
function plannedReads({ from, to, value, data }: WalletTransaction): Reads {
  if (to === undefined || data === '0x') return { contract: undefined, tokens: [], allowances: [] }
  const { actions } = readActions({ to, value, data })
  const contracts = actions.flatMap((action) => ('contract' in action && action.contract) || [])
  const allowances = actions.flatMap((action) =>
    action.action === 'approve' &&
    action.contract &&
    (action.by === undefined || action.by === from) &&
    isAllowance(action) &&
    !isPermit2Call(data)
      ? [{ token: action.contract, spender: action.party }]
      : [],
  )
  return {
    contract: to,
    tokens: [...new Set([to, ...contracts])].slice(0, ethereumLimits.simulatedTokens),
    allowances: allowances.slice(0, ethereumLimits.simulatedTokens),
  }
}

/** Permit2 holds the allowances that it is asked for, so the token knows nothing of them. */
const isPermit2Call = (data: string) => data.startsWith('0x87517c45')

const metadataNames = ['name', 'symbol', 'decimals'] as const

function payload(request: WalletTransaction, reads: Reads): object {
  const { from } = request
  const stateOverrides = stateAfterAuthorization(request)
  const read = (contract: string, input: string) => ({ to: contract, input })
  const balance = reads.contract ? [read(reads.contract, balanceOfData(from))] : []
  const metadata = reads.tokens.flatMap((token) =>
    metadataNames.map((name) => read(token, erc20Selectors[name])),
  )
  const allowances = reads.allowances.map(({ token, spender }) =>
    read(token, `${erc20Selectors.allowance}${addressWord(from)}${addressWord(spender)}`),
  )
  return {
    blockStateCalls: [
      { ...(stateOverrides && { stateOverrides }), calls: [...balance, toCall(request)] },
      { calls: [...balance, ...metadata, ...allowances] },
    ],
    traceTransfers: true,
    validation: false,
  }
}

/** A node's result for one call of a simulation. */
export interface CallResult {
  readonly isSuccess: boolean
  readonly returned: Hex
  readonly gasUsed: bigint
  readonly logs: readonly LogEntry[]
  readonly isComplete: boolean
  readonly reason?: FailureReason | undefined
}
interface Result extends CallResult {
  readonly blockNumber: bigint
  readonly baseFee: bigint | undefined
  readonly before: bigint | undefined
  readonly after: bigint | undefined
  readonly tokens: Readonly<Record<string, Token | UnknownToken>>
  readonly allowances: readonly {
    readonly token: string
    readonly spender: string
    readonly amount: bigint
  }[]
}

const WHAT = 'a simulation'

function readAnswer(answer: unknown, reads: Reads): Result {
  const blocks = readList(answer, WHAT)
  if (blocks.length !== 2) throw unusable(WHAT)
  const first = readFields(blocks[0], WHAT)
  const base = reads.contract ? 1 : 0
  const calls = readCalls(first, base + 1)
  const readBack = readCalls(
    readFields(blocks[1], WHAT),
    base + reads.tokens.length * metadataNames.length + reads.allowances.length,
  )
  const call = calls[base]
  if (!call) throw unusable(WHAT)
  const returned = (at: number) => {
    const result = readBack[at]
    return result?.isSuccess ? result.returned : undefined
  }
  const balance = (result: CallResult | undefined) =>
    reads.contract && result?.isSuccess ? readUint(result.returned) : undefined
  const tokens = reads.tokens.map((token, at) => {
    const [name, symbol, decimals] = metadataNames.map((_, offset) =>
      returned(base + at * metadataNames.length + offset),
    )
    return [token, readMetadata(token, { name, symbol, decimals })] as const
  })
  const firstAllowance = base + reads.tokens.length * metadataNames.length
  const allowances = reads.allowances.flatMap((entry, at) => {
    const result = returned(firstAllowance + at)
    const amount = result && readUint(result)
    return amount === undefined ? [] : [{ ...entry, amount }]
  })
  const baseFee = first.get('baseFeePerGas') ?? undefined
  return {
    ...call,
    blockNumber: quantity(WHAT, BigInt(Number.MAX_SAFE_INTEGER))(first.get('number')),
    baseFee: baseFee === undefined ? undefined : quantity(WHAT)(baseFee),
    before: balance(calls[0]),
    after: balance(readBack[0]),
    tokens: Object.fromEntries(tokens),
    allowances,
  }
}

export function readCalls(block: ReadonlyMap<string, unknown>, count: number): readonly CallResult[] {
  const calls = readList(block.get('calls'), WHAT)
  if (calls.length !== count) throw unusable(WHAT)
  return calls.map(readCall)
}

function readCall(answer: unknown): CallResult {
  const fields = readFields(answer, WHAT)
  const status = fields.get('status')
  if (status !== '0x0' && status !== '0x1') throw unusable(WHAT)
  const isSuccess = status === '0x1'
  const returned = bytes(WHAT)(fields.get('returnData') ?? '0x')
  const { logs, isComplete } = readLogs(fields.get('logs') ?? [])
  const gasUsed = quantity(WHAT, 2n ** 64n)(fields.get('gasUsed'))
  if (isSuccess) return { isSuccess, returned, gasUsed, logs, isComplete }
  // The changes of a failed call are undone, whatever a node lists.
  return {
    isSuccess,
    returned,
    gasUsed,
    logs: [],
    isComplete: true,
    reason: readReason(fields.get('error'), returned),
  }
}

function readReason(error: unknown, returned: Hex): FailureReason {
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >
  const words = typeof message === 'string' ? message : 'execution reverted'
  const number = typeof code === 'number' && Number.isSafeInteger(code) ? code : 3
  // Some nodes put the contract's words into the error, some beside it.
  const reason = failureReason(new NodeError(number, words, returned === '0x' ? data : returned))
  return reason.kind === 'unknown' ? { kind: 'reverted' } : reason
}

/** Reads why a node refuses a whole simulation. Throws the refusal where it gives no reason. */
export function refused(cause: NodeError, at: number): Simulation | SimulationUnavailable {
  if (cause.code === METHOD_NOT_FOUND || NO_METHOD.test(cause.message)) return { outcome: 'unavailable' }
  const reason = failureReason(cause)
  // A node may refuse the whole simulation of a transaction that can't be carried out.
  if (reason.kind !== 'insufficient-funds' && reason.kind !== 'reverted') throw cause
  return {
    outcome: 'simulated',
    status: 'failed',
    reason,
    leaves: [],
    comes: [],
    allowances: [],
    isComplete: true,
    tokens: {},
    wrappers: [],
    roles: [],
    gasUsed: 0n,
    blockNumber: 0n,
    baseFee: undefined,
    at,
  }
}

function changesOf(
  { from: account, to, value }: WalletTransaction,
  { isSuccess, logs, isComplete, before, after }: Result,
  { contract }: Reads,
): { readonly wrappers: readonly string[]; readonly changes: AssetChanges } {
  const plain = assetChanges(logs, { account, isComplete })
  // Other contracts log deposits as well. One that wraps coins has the account's new balance to show for it.
  const wrapped = contract ? assetChanges(logs, { account, isComplete, wrappers: [contract] }) : plain
  const moved = before === undefined || after === undefined ? undefined : after - before
  const isWrapper =
    contract !== undefined && moved !== netOf(plain, contract) && moved === netOf(wrapped, contract)
  const changes = isWrapper ? wrapped : plain
  const isSent = changes.leaves.some(({ kind }) => kind === 'native')
  const isTraced = logs.some(({ address }) => /^0xe{40}$/i.test(address))
  // A node that doesn't trace the coins must not hide those that the transaction itself sends.
  const coins: readonly AssetChange[] =
    isSuccess && value > 0n && !isSent && !isTraced && to !== account
      ? [{ kind: 'native', amount: value, parties: to ? [to] : [] }]
      : []
  return {
    wrappers: isWrapper ? [contract] : [],
    changes: { ...changes, leaves: [...coins, ...changes.leaves] },
  }
}

function netOf({ leaves, comes }: AssetChanges, token: string): bigint {
  const sum = (list: readonly AssetChange[]) =>
    list.reduce(
      (total, each) => total + (each.kind === 'erc20' && each.token === token ? each.amount : 0n),
      0n,
    )
  return sum(comes) - sum(leaves)
}

/** An allowance that was read says more than an event: contracts may log another one, or none. */
function withReadAllowances(
  changes: readonly AllowanceChange[],
  read: Result['allowances'],
): readonly AllowanceChange[] {
  const isRead = ({ kind, isPermit2, token, spender }: AllowanceChange) =>
    kind === 'amount' &&
    !isPermit2 &&
    read.some((entry) => entry.token === token && entry.spender === spender)
  const found = read.map(
    ({ token, spender, amount }): AllowanceChange => ({
      kind: 'amount',
      token: token as Hex,
      spender: spender as Hex,
      amount,
      isUnlimited: amount >= UNLIMITED,
      isPermit2: false,
    }),
  )
  return [...found, ...changes.filter((change) => !isRead(change))]
}

/** What logs say of assets and allowances, with what contracts answer. */
export interface FoundChanges extends AssetChanges {
  readonly roles: readonly RoleChange[]
}
interface Run {
  readonly request: WalletTransaction
  readonly changes: AssetChanges
  readonly result: CallResult
}

/**
 * Compares state before and after each of several transactions that have gone through on trial. Where it can't be read, nobody knows whether
 * the logs are all: the lists are incomplete.
 */
export async function withState(
  node: ChainNode,
  runs: readonly Run[],
  known: Result['tokens'],
  signal: AbortSignal | undefined,
): Promise<readonly FoundChanges[]> {
  const planned = runs.map(({ request, changes, result }) => {
    const plan = planState(request, result.isSuccess ? result.logs : [])
    return {
      request,
      changes: { ...changes, isComplete: changes.isComplete && plan.isComplete },
      plan,
      result,
    }
  })
  const isAsked = planned.some(({ plan, result }) => result.isSuccess && plan.reads.length > 0)
  const states = isAsked ? await orNothing(readStates(node, planned, signal), signal) : []
  const suspects = planned.flatMap(({ changes }, k) => suspectsOf(changes, states?.[k]))
  const tokens = suspects.length === 0 ? known : await tokensOf(node, suspects, known, signal)
  return planned.map(({ request, changes, plan, result }, k) => {
    if (!result.isSuccess) return { ...changes, roles: [] }
    const state = states?.[k]
    const roles = codeChange(request)
    if (plan.reads.length === 0) return { ...changes, roles }
    if (!state) return { ...changes, roles, isComplete: false }
    const merged = mergeState(changes, state, tokens)
    return { ...merged, roles: [...roles, ...merged.roles] }
  })
}

async function orNothing<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  try {
    return await answer
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
}

/** Tokens of which the account has less than the logs say. */
const suspectsOf = (changes: AssetChanges, state: StateChanges | undefined): readonly string[] =>
  [...(state?.balances ?? [])].flatMap(([token, change]) => (change < netOf(changes, token) ? [token] : []))

const tokensOf = (
  node: ChainNode,
  tokens: readonly string[],
  known: Result['tokens'],
  signal: AbortSignal | undefined,
): Promise<Result['tokens']> =>
  metadataOf(
    node,
    {
      leaves: tokens.map((token) => ({ kind: 'erc20', token: token as Hex, amount: 0n, parties: [] })),
      comes: [],
      allowances: [],
      isComplete: true,
    },
    known,
    signal,
  )

/** Allowances and balances as their contracts answer; those that they say nothing of stay as their logs say. */
function mergeState(
  changes: AssetChanges,
  { allowances, answered, roles, balances }: StateChanges,
  tokens: Result['tokens'],
): FoundChanges {
  const moved = [...balances].filter(
    ([token, change]) =>
      Object.hasOwn(tokens, token) &&
      tokens[token]?.kind === 'token' &&
      !isNumbered(changes, token) &&
      change < netOf(changes, token),
  )
  const isMoved = ({ token }: AssetChange) => moved.some(([each]) => each === token)
  const entry = ([token, change]: readonly [string, bigint], sign: bigint): readonly AssetChange[] => {
    const amount = change * sign
    const parties = [...changes.leaves, ...changes.comes].find((each) => each.token === token)?.parties ?? []
    return amount > 0n ? [{ kind: 'erc20', token: token as Hex, amount, parties }] : []
  }
  return {
    ...changes,
    leaves: [
      ...changes.leaves.filter((each) => !isMoved(each)),
      ...moved.flatMap((each) => entry(each, -1n)),
    ],
    comes: [...changes.comes.filter((each) => !isMoved(each)), ...moved.flatMap((each) => entry(each, 1n))],
    allowances: [...allowances, ...changes.allowances.filter((each) => !answered.has(allowanceKey(each)))],
    roles,
  }
}

/** A contract whose tokens have numbers counts them in its balance. */
const isNumbered = ({ leaves, comes }: AssetChanges, token: string): boolean =>
  [...leaves, ...comes].some((each) => each.token === token && each.id !== undefined)

/** Metadata of the tokens in the lists. Those that only the logs name are asked for now. */
export async function metadataOf(
  node: ChainNode,
  { leaves, comes, allowances }: AssetChanges,
  known: Result['tokens'],
  signal: AbortSignal | undefined,
): Promise<Result['tokens']> {
  const named = [...leaves, ...comes, ...allowances].flatMap(({ token }) => token ?? [])
  const addresses = [...new Set(named)].filter((token) => token !== PERMIT2)
  const missing = addresses.filter((token) => !Object.hasOwn(known, token))
  const asked = await Promise.all(
    missing
      .slice(0, ethereumLimits.simulatedTokens)
      .map(async (token) => [token, await readToken(node, token, { signal })] as const),
  )
  const all = { ...known, ...Object.fromEntries(asked) }
  return Object.fromEntries(
    addresses.map((token) => [
      token,
      all[token] ?? { kind: 'unknown' as const, address: token, reason: 'no-token' as const },
    ]),
  )
}
