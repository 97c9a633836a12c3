import { type AllowanceChange, type AssetChange, UNLIMITED } from '../../../src/ethereum/asset-changes.ts'
import { decodeCall } from '../../../src/ethereum/call-decoder.ts'
import { gasPriceOracleOf } from '../../../src/ethereum/chains.ts'
import type { FailureReason } from '../../../src/ethereum/failure-reason.ts'
import type { FeesPerGas } from '../../../src/ethereum/fees.ts'
import { isHexBytes } from '../../../src/ethereum/hex.ts'
import { parseQuantity } from '../../../src/ethereum/integer.ts'
import { type PreparedTransaction, prepareTransaction } from '../../../src/ethereum/prepare-transaction.ts'
import { type Simulation, type SimulationUnavailable, simulate } from '../../../src/ethereum/simulate.ts'
import { simulateCalls } from '../../../src/ethereum/simulate-calls.ts'
import { allowanceKey, type RoleChange } from '../../../src/ethereum/state-reads.ts'
import { readToken, type Token, type UnknownToken } from '../../../src/ethereum/tokens.ts'
import type { WalletTransaction } from '../../../src/ethereum/transaction.ts'
import { readWalletCode } from '../../../src/ethereum/wallet-code.ts'
import { maxOf, minOf } from '../../../src/lib/bigint.ts'
import { systemClock, within } from '../../../src/lib/clock.ts'
import type { Limits } from '../settings/limits.ts'
import {
  type AllowanceView,
  type ChangeView,
  type Disputed,
  defined,
  type FeesView,
  namesOf,
  PREVIEW_VERSION,
  type PreviewAnswer,
  type ReasonView,
  type SimulationView,
  type TokenView,
} from './answer.ts'
import { askTwo, differs } from './compare.ts'
import type { PreviewNode } from './nodes.ts'
import { allowancesTo } from './paymaster.ts'

/**
 * Prepares and simulates a transaction. Throws what `askTwo` throws if no node can prepare it; everything else may be missing.
 * @param now Unix milliseconds
 */
export async function previewEthereum(
  nodes: readonly PreviewNode[],
  request: WalletTransaction,
  { limits, now, after = [], paymaster }: SimulationOptions & { readonly paymaster?: string | undefined },
): Promise<Omit<PreviewAnswer, 'prices'>> {
  const gasPriceOracle = gasPriceOracleOf({ host: {} }, request.chainId)
  const { to, data } = request
  const contract = to && data !== '0x' ? (decodeCall(data, to)?.contract ?? to) : undefined
  const patience = limits.previewComparison
  const [prepared, { simulation, isDisputed, nodes: ran }, token, code, ownCode, standing] =
    await Promise.all([
      askTwo(
        nodes,
        async (node) => {
          const [figures, block] = await Promise.all([
            prepareTransaction(node, request, { gasPriceOracle, offersLevels: true }),
            node.ask('eth_blockNumber').then(parseQuantity),
          ])
          return { figures, block }
        },
        patience,
      ),
      simulateOn(nodes, request, { limits, now, after }),
      contract === undefined
        ? []
        : orNothing(askTwo(nodes, (node) => readToken(node, contract), patience)).then(
            (found) => found ?? [],
          ),
      to === undefined ? undefined : orNothing(askTwo(nodes, (node) => readCode(node, to), 0)),
      orNothing(askTwo(nodes, (node) => readWalletCode(asking(node), request.from), patience)),
      paymaster === undefined
        ? undefined
        : orNothing(
            allowancesTo(
              nodes,
              { owner: request.from, paymaster, chain: `eip155:${request.chainId}`, contract },
              patience,
            ),
          ),
    ])
  const { figures, disputed } = compared(prepared.map((each) => each.figures) as [PreparedTransaction])
  const known = simulation?.outcome === 'simulated' ? Object.values(simulation.tokens) : []
  const [first, ...others] = [...token, ...known.filter((each) => each.address === contract)]
  const isTokenDisputed = others.some((each) => !isSameToken(first, each))
  // A token that two nodes describe differently has no description, or one of them could make an amount look small.
  const allowed = (standing ?? []).flatMap(({ described: [one, ...more] }) =>
    one && more.every((other) => isSameToken(one, other)) ? [one] : [],
  )
  const tokens = tokensOf(
    [...allowed, ...token, ...known].filter((each) => !isTokenDisputed || each.address !== contract),
  )
  const size = code?.[0]
  return {
    version: PREVIEW_VERSION,
    chain: `eip155:${request.chainId}`,
    prepared: preparedView(figures),
    ...(simulation && { simulation: simulationView(simulation) }),
    tokens,
    names: namesOf(tokens),
    code: to !== undefined && size !== undefined ? { [to]: size } : {},
    ...walletCodeView(ownCode),
    ...(standing && {
      paymaster_allowances: standing.map(({ token, amount }) => ({
        token,
        amount: amount === undefined ? null : String(amount),
        is_unlimited: amount !== undefined && amount >= UNLIMITED,
      })),
    }),
    balance: String(figures.balance),
    disputed: [
      ...disputed,
      ...(isTokenDisputed ? (['tokens'] as const) : []),
      ...(isDisputed ? (['simulation'] as const) : []),
    ],
    nodes: ran > 0 ? Math.min(prepared.length, ran) : prepared.length,
    ...(prepared[0].block !== undefined && { block_number: String(prepared[0].block) }),
    at: Math.floor(now() / 1_000),
  }
}

interface SimulationOptions {
  readonly limits: Limits
  /** Unix milliseconds. */
  readonly now: () => number
  /** Transactions of the wallet that are sent before it. */
  readonly after?: readonly WalletTransaction[]
}

/** What two nodes say of a trial run. `undefined`: none could be asked in time. */
export async function simulateOn(
  nodes: readonly PreviewNode[],
  request: WalletTransaction,
  { limits, now, after = [] }: SimulationOptions,
): Promise<{
  readonly simulation: Simulated | undefined
  readonly isDisputed: boolean
  /** How many nodes have run it. */
  readonly nodes: number
}> {
  const unavailable: SimulationUnavailable[] = []
  const run = async (node: PreviewNode): Promise<Simulation> => {
    const found = await (after.length === 0
      ? simulate(node, request, { now })
      : simulateCalls(node, [...after, request], { now }))
    const result = 'calls' in found ? found.calls.at(-1) : found
    if (result?.outcome === 'simulated') return result
    unavailable.push({ outcome: 'unavailable' })
    throw new Error('The node has not run it')
  }
  const found = await orNothing(
    // A trial run asks a node twice: for what happens, and for the state before and after.
    within(systemClock, 2 * limits.previewNodeTime + limits.previewComparison, () =>
      askTwo(nodes, run, limits.previewComparison),
    ),
  )
  if (!found) return { simulation: unavailable[0], isDisputed: false, nodes: 0 }
  return { ...worseOf(found), nodes: found.length }
}

type Simulated = Simulation | SimulationUnavailable

/**
 * Of two trial runs what is worse for the user: all that leaves in either of them and whoever may take or control something, and only what
 * comes in both.
 */
export function worseOf([one, other]: readonly Simulation[]): {
  readonly simulation: Simulation | undefined
  readonly isDisputed: boolean
} {
  if (!one || !other) return { simulation: one, isDisputed: false }
  // What a transaction takes if it succeeds is worse than that it may fail.
  if (one.status === 'failed' || other.status === 'failed')
    return {
      simulation: other.status === 'success' ? other : one,
      isDisputed: one.status !== other.status,
    }
  const larger = <T extends { readonly amount: bigint }>(mine: T, theirs: T): T =>
    mine.amount < theirs.amount ? theirs : mine
  const allowances = united(one.allowances, other.allowances, allowanceKey, larger)
  const roles = united(one.roles, other.roles, roleKey, (mine, theirs) =>
    (mine.amount ?? 0n) < (theirs.amount ?? 0n) ? theirs : mine,
  )
  return {
    simulation: {
      ...one,
      leaves: united(one.leaves, other.leaves, assetKey, larger),
      comes: one.comes.flatMap((mine) => {
        const theirs = other.comes.find((each) => assetKey(each) === assetKey(mine))
        return theirs ? [mine.amount < theirs.amount ? mine : theirs] : []
      }),
      allowances,
      roles,
      isComplete: one.isComplete && other.isComplete,
      tokens: { ...other.tokens, ...one.tokens },
      wrappers: [...new Set([...one.wrappers, ...other.wrappers])],
    },
    isDisputed:
      one.isComplete !== other.isComplete ||
      areOther(one.leaves, other.leaves, assetKey) ||
      areOther(one.comes, other.comes, assetKey) ||
      areOther(one.allowances, other.allowances, allowanceKey) ||
      areOther(one.roles, other.roles, roleKey),
  }
}

const assetKey = ({ kind, token, id }: AssetChange): string => [kind, token, id].join()
const roleKey = ({ kind, account, spender }: RoleChange): string => [kind, account, spender].join()

/** Prices move between the blocks of two runs, and amounts with them. */
function areOther<T extends { readonly amount?: bigint | undefined }>(
  some: readonly T[],
  others: readonly T[],
  keyOf: (each: T) => string,
): boolean {
  const known = new Map(others.map((each) => [keyOf(each), each]))
  return (
    some.length !== others.length ||
    some.some((mine) => {
      const theirs = known.get(keyOf(mine))
      return !theirs || differs(mine.amount ?? 0n, theirs.amount ?? 0n)
    })
  )
}

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

/** Contracts stay what they are; a wallet gets code, and gives it back. */
const asking = (node: PreviewNode): PreviewNode => ({
  ask: (method, params) => node.ask(method, params, { isFresh: true }),
})

/** Two nodes that differ count as code: it is displayed then. */
function walletCodeView(
  found: readonly (string | undefined)[] | undefined,
): Pick<PreviewAnswer, 'wallet_code'> {
  if (!found) return {}
  return { wallet_code: found.find((each) => each !== undefined) ?? null }
}

async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch {
    return undefined
  }
}

async function readCode(node: PreviewNode, address: string): Promise<number> {
  const code = await node.ask('eth_getCode', [address, 'latest'])
  if (!isHexBytes(code)) throw new Error('The node did not return code')
  return (code.length - 2) / 2
}

/** Of two nodes' figures the worse ones for the user, and where they contradict each other. */
function compared([one, other]: readonly [PreparedTransaction, PreparedTransaction?]): {
  figures: PreparedTransaction
  disputed: readonly Disputed[]
} {
  if (!other) return { figures: one, disputed: [] }
  const disputed: Disputed[] = []
  if (differs(one.fee, other.fee) || differs(one.layerOneFee, other.layerOneFee)) disputed.push('fee')
  if (one.transaction.nonce !== other.transaction.nonce) disputed.push('nonce')
  if (one.balance !== other.balance) disputed.push('balance')
  const dearer = one.fee >= other.fee ? one : other
  const balance = minOf(one.balance, other.balance)
  const cost = dearer.transaction.value + dearer.fee
  return {
    figures: {
      ...dearer,
      transaction: {
        ...dearer.transaction,
        nonce: maxOf(one.transaction.nonce, other.transaction.nonce),
      },
      layerOneFee: maxOf(one.layerOneFee, other.layerOneFee),
      balance,
      isUnderfunded: balance < cost || one.isUnderfunded || other.isUnderfunded,
      missing: balance < cost ? cost - balance : 0n,
      maxSendable: minOf(one.maxSendable, other.maxSendable),
      reason: one.reason ?? other.reason,
    },
    disputed,
  }
}

const isSameToken = (one: Token | UnknownToken | undefined, other: Token | UnknownToken | undefined) =>
  one?.kind === 'token' && other?.kind === 'token'
    ? one.symbol === other.symbol && one.decimals === other.decimals
    : one?.kind === other?.kind

const tokensOf = (list: readonly (Token | UnknownToken)[]): Record<string, TokenView> =>
  Object.fromEntries(
    list.flatMap((token) =>
      token.kind === 'token'
        ? [[token.address, defined({ symbol: token.symbol, decimals: token.decimals, name: token.name })]]
        : [],
    ),
  )

function preparedView(figures: PreparedTransaction): NonNullable<PreviewAnswer['prepared']> {
  const { transaction, fee, likelyFee, layerOneFee, missing, isUnderfunded, maxSendable, reason } = figures
  const { levels } = figures
  const { nonce, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const amounts = {
    nonce,
    gas_limit: gasLimit,
    gas_price: gasPrice,
    max_fee_per_gas: maxFeePerGas,
    max_priority_fee_per_gas: maxPriorityFeePerGas,
    fee,
    likely_fee: likelyFee,
    layer_one_fee: layerOneFee,
    missing,
    max_sendable: maxSendable,
  }
  return {
    ...Object.fromEntries(
      Object.entries(amounts).flatMap(([name, amount]) =>
        amount === undefined ? [] : [[name, String(amount)]],
      ),
    ),
    is_underfunded: isUnderfunded,
    ...(reason && { reason: reasonView(reason) }),
    ...(levels && {
      levels: {
        slow: feesView(levels.slow.perGas),
        usual: feesView(levels.usual.perGas),
        fast: feesView(levels.fast.perGas),
      },
    }),
  }
}

const feesView = (fees: FeesPerGas): FeesView =>
  fees.type === 2
    ? {
        max_fee_per_gas: String(fees.maxFeePerGas),
        max_priority_fee_per_gas: String(fees.maxPriorityFeePerGas),
      }
    : { gas_price: String(fees.gasPrice) }

const reasonView = ({ kind, message }: FailureReason): ReasonView => ({ kind, ...(message && { message }) })

function simulationView(simulation: Simulation | SimulationUnavailable): SimulationView {
  if (simulation.outcome === 'unavailable') return { outcome: 'unavailable' }
  const { status, reason, leaves, comes, allowances, roles, isComplete } = simulation
  return {
    outcome: 'simulated',
    status,
    ...(reason && { reason: reasonView(reason) }),
    out: leaves.map(changeView),
    in: comes.map(changeView),
    allowances: [...allowances.map(allowanceView), ...roles.map(roleView)],
    is_complete: isComplete,
  }
}

const changeView = ({ kind, token, id, amount, parties }: AssetChange): ChangeView => ({
  kind,
  ...(token && { token }),
  ...(id !== undefined && { id: String(id) }),
  amount: String(amount),
  parties,
})

const allowanceView = ({
  kind,
  token,
  spender,
  amount,
  id,
  isUnlimited,
}: AllowanceChange): AllowanceView => ({
  kind,
  token,
  spender,
  amount: String(amount),
  ...(id !== undefined && { id: String(id) }),
  is_unlimited: isUnlimited,
})

const roleView = ({ kind, account, spender, amount }: RoleChange): AllowanceView => ({
  kind,
  account,
  spender,
  ...(amount !== undefined && { amount: String(amount) }),
  is_unlimited: amount === undefined || amount >= UNLIMITED,
})
