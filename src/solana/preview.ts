import { maxOf, minOf } from '../lib/bigint.ts'
import { feeConcern } from '../lib/fee-concern.ts'
import type { SolanaAction } from './actions.ts'
import type { BalanceChanges } from './balance-changes.ts'
import { leastEpoch } from './clusters.ts'
import type { Effects } from './effects.ts'
import type { TokenShortage } from './failures.ts'
import { costOf, type SolanaCost, solanaFeeLimits } from './fees.ts'
import type { PreparedTransaction } from './prepare.ts'
import type { Simulation } from './simulate.ts'
import { type MintExtension, readMint, readTokenAccount } from './token-state.ts'
import { assess, judgedEffects, type SolanaWarning } from './warnings.ts'

/** Everything that a review of a Solana transaction shows, as plain data. */
export interface SolanaPreview {
  readonly wallet: string
  readonly actions: readonly SolanaAction[]
  /** Instructions that programs made in the simulation. */
  readonly inner: readonly SolanaAction[]
  readonly cost: SolanaCost
  /** `undefined` if no simulation says it. */
  readonly balanceChanges: BalanceChanges | undefined
  /** `undefined` before there is an answer. */
  readonly simulation: Simulation | undefined
  readonly warnings: readonly SolanaWarning[]
  /** The address that pays the fee, if it isn't the wallet. */
  readonly sponsor: string | undefined
  /** Tokens by their mints. */
  readonly tokens: PreparedTransaction['tokens']
  /** The first token that the wallet has too little of, where that keeps the transaction from succeeding. */
  readonly tokenShortage: TokenShortage | undefined
  readonly raw: Uint8Array
}

/**
 * Builds the preview. Throws an `InvalidRequest` for a fee that nobody means.
 * @param trial `waiting`: it may still come; `undefined`: nobody has made one
 */
export function toPreview(prepared: PreparedTransaction, trial?: Simulation | 'waiting'): SolanaPreview {
  const isWaiting = trial === 'waiting'
  const simulation = isWaiting ? undefined : trial
  const { wallet, message, actions, accounts, fee, balance, minimum, transaction } = prepared
  const done = simulation?.status === 'done' ? simulation : undefined
  const failed = simulation?.status === 'failed' ? simulation : undefined
  const inner = done?.inner ?? []
  const context = {
    wallet,
    accounts,
    allowances: done?.changes.allowances,
    isTried: done !== undefined,
    isWaiting,
    now: simulation && BigInt(Math.floor(simulation.at / 1_000)),
    epoch: leastEpoch(prepared.slot),
  }
  const { effects } = judgedEffects(actions, context)
  const stated = new Set(actions.flatMap((each) => (each.kind === 'createAccount' ? [each.account] : [])))
  // What an account of tokens really takes is what the simulation puts into it, beside what is sent to it.
  const takenBy = ([account, lamports]: readonly [string, bigint]) => {
    if (!done) return lamports
    const added = maxOf(
      lamportsIn(done.after, account) - lamportsIn(done.before, account) - sentTo(actions, account),
      0n,
    )
    return stated.has(account) ? minOf(added, lamports) : added
  }
  const sumOf = (rents: readonly (readonly [string, bigint])[]) =>
    rents.reduce((sum, each) => sum + takenBy(each), 0n)
  const rents = [...prepared.rents]
  const rent = sumOf(rents.filter(([account]) => isKept(effects, account))) + effects.stored
  // What an instruction puts into the account of somebody else is sent already.
  const deposits = sumOf(
    rents.filter(([account]) => !isKept(effects, account) && effects.accounts.get(account)?.created === 0n),
  )
  const cost = costOf({
    wallet,
    message,
    sent: effects.sent,
    fee,
    rent,
    deposits,
    balance,
    minimum,
    simulatedBalance: done && lamportsIn(done.after, wallet),
    shortage: failed?.shortage,
  })
  const concern = cost.isPayer ? feeConcern(fee.total, cost.sent, solanaFeeLimits) : undefined
  const warnings = assess(message, actions, {
    ...context,
    inner,
    failure: failed?.failure,
    shortage: cost.shortage,
    feeConcern: concern,
    mintExtensions: extensionsOf(actions, prepared),
    tokenPlaces: new Set(
      [...accounts].flatMap(([address, account]) => {
        const token = readTokenAccount(account)
        return (token && token.owner !== wallet) || readMint(account) ? [address] : []
      }),
    ),
  })
  return {
    wallet,
    actions,
    inner,
    cost,
    balanceChanges: done?.changes,
    simulation,
    warnings,
    sponsor: cost.isPayer ? undefined : message.payer,
    tokens: prepared.tokens,
    tokenShortage: failed && tokenShortageOf(prepared),
    raw: transaction.bytes,
  }
}

function tokenShortageOf({ wallet, actions, accounts }: PreparedTransaction): TokenShortage | undefined {
  for (const action of actions) {
    if (action.kind !== 'transferToken' || action.authority !== wallet) continue
    const { mint, symbol, decimals, scale, amount, source } = action
    const missing = amount - (readTokenAccount(accounts.get(source))?.amount ?? 0n)
    if (missing > 0n && mint !== undefined && decimals !== undefined)
      return { mint, symbol, decimals, scale, missing }
  }
  return undefined
}

/** An account that is closed again keeps nothing. */
const isKept = (effects: Effects, account: string) =>
  effects.isOwn(account) || effects.accounts.get(account)?.isClosed === true

const lamportsIn = (accounts: PreparedTransaction['accounts'], address: string) =>
  accounts.get(address)?.lamports ?? 0n

const sentTo = (actions: readonly SolanaAction[], account: string) =>
  actions.reduce(
    (sum, action) => (action.kind === 'transferSol' && action.to === account ? sum + action.lamports : sum),
    0n,
  )

/** The extensions of the tokens that the transaction transfers. */
function extensionsOf(
  actions: readonly SolanaAction[],
  { accounts }: PreparedTransaction,
): ReadonlyMap<string, readonly MintExtension[]> {
  const mints = actions.flatMap((action) =>
    action.kind === 'transferToken' && action.mint !== undefined ? [action.mint] : [],
  )
  return new Map(mints.map((mint) => [mint, readMint(accounts.get(mint))?.extensions ?? []]))
}
