/** What a transaction changes for a wallet: what leaves it, what comes, and who may take or control what afterwards. */
import { minOf } from '../lib/bigint.ts'
import { LAMPORT_DECIMALS } from './clusters.ts'
import { type AccountControl, type Role, type RoleKind, readControl } from './control.ts'
import { areEqual } from './message.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
import { NATIVE_MINT } from './programs/token.ts'
import type { AccountState } from './queries.ts'
import { readMint, readTokenAccount } from './token-state.ts'

export interface BalanceChanges {
  readonly out: readonly BalanceChange[]
  readonly in: readonly BalanceChange[]
  readonly allowances: readonly Allowance[]
}
export interface BalanceChange {
  /** `undefined`: lamports. */
  readonly mint: string | undefined
  readonly amount: bigint
  readonly decimals: number | undefined
  /** The account that lamports leave, which the wallet controls and which is not the wallet itself. */
  readonly account?: string | undefined
}
/** Somebody who may take or control something afterwards, and could not before. */
export interface Allowance {
  /** `program`: it alone says who controls the account. `data`: the wallet's own account holds data. */
  readonly kind: RoleKind | 'program' | 'data'
  readonly account: string
  readonly mint: string | undefined
  readonly to: string
  /** `undefined`: all that the account holds. */
  readonly amount: bigint | undefined
  /** Seconds since the epoch, until which a custodian holds it. */
  readonly until?: bigint | undefined
}
export type Accounts = ReadonlyMap<string, AccountState | undefined>

/** What is known of a transaction beside the accounts that it changes. */
export interface Costs {
  /** What of the lamports that leave the wallet is the fee, which is told apart from what it sends. */
  readonly fee: bigint
  /** An instruction takes lamports of the wallet, even if more come to it. */
  readonly isSpending: boolean
}

/** Compares the accounts that a transaction may write to. */
export function diffAccounts(
  wallet: string,
  before: Accounts,
  after: Accounts,
  { fee, isSpending }: Costs,
): BalanceChanges {
  const sums = new Map<string | undefined, bigint>()
  const add = (mint: string | undefined, amount: bigint) => sums.set(mint, (sums.get(mint) ?? 0n) + amount)
  const pairs: Pair[] = []
  for (const [address, state] of after) {
    const old = before.get(address)
    const pair = { was: readControl(old, address), now: readControl(state, address) }
    pairs.push({ address, ...pair, isSame: isSameState(old, state) })
    if (address === wallet) {
      add(undefined, (pair.now?.lamports ?? 0n) - (pair.was?.lamports ?? 0n) + fee)
      continue
    }
    const had = readTokenAccount(old)
    const has = readTokenAccount(state)
    if (had?.owner === wallet) add(had.mint, -had.amount)
    if (has?.owner === wallet) add(has.mint, has.amount)
  }
  const own = pairs.map((pair) => ownLamports(wallet, pair, before, after))
  const isPaying = isSpending || (sums.get(undefined) ?? 0n) < 0n || own.some(({ change }) => change < 0n)
  const decimals = (mint: string | undefined) =>
    mint === undefined ? LAMPORT_DECIMALS : readMint(after.get(mint) ?? before.get(mint))?.decimals
  const changes = [...sums].map(([mint, amount]) => ({ mint, amount, decimals: decimals(mint) }))
  const out = changes.filter(({ amount }) => amount < 0n).map((each) => ({ ...each, amount: -each.amount }))
  // Lamports that were tokens leave as such, so what they bring makes up for nothing else.
  const unwrapped = minOf(sums.get(NATIVE_MINT) ?? 0n, 0n)
  return {
    out: [...out, ...lostOf(own, (sums.get(undefined) ?? 0n) + unwrapped)],
    in: changes.filter(({ amount }) => amount > 0n),
    allowances: pairs.flatMap((pair) => (pair.isSame ? [] : changesOf(wallet, pair, isPaying, after))),
  }
}

interface Pair {
  readonly address: string
  readonly was: AccountControl | undefined
  readonly now: AccountControl | undefined
  readonly isSame: boolean
}

const isSameState = (one: AccountState | undefined, other: AccountState | undefined): boolean =>
  one === undefined || other === undefined
    ? one === other
    : one.owner === other.owner && one.lamports === other.lamports && areEqual(one.data, other.data)

/** Roles whose holder can take everything that the account holds. */
const taking: readonly RoleKind[] = ['owner', 'withdrawer', 'nonceAuthority', 'upgradeAuthority']

const isOwn = (wallet: string, control: AccountControl | undefined): boolean =>
  control?.roles.some(({ kind, holder }) => holder === wallet && taking.includes(kind)) ?? false

/** Lamports of an account beside the wallet that the wallet can take, without those that are counted as tokens. */
function ownLamports(
  wallet: string,
  { address, was, now }: Pair,
  before: Accounts,
  after: Accounts,
): { address: string; change: bigint } {
  const held = (control: AccountControl | undefined, state: AccountState | undefined) => {
    if (address === wallet || !control || !isOwn(wallet, control)) return 0n
    const tokens = control.mint === NATIVE_MINT ? readTokenAccount(state)?.amount : undefined
    return control.lamports - (tokens ?? 0n)
  }
  return { address, change: held(now, after.get(address)) - held(was, before.get(address)) }
}

/** What the accounts of the wallet lose that neither comes to it nor goes to another one of them. */
function lostOf(
  own: readonly { address: string; change: bigint }[],
  walletChange: bigint,
): readonly BalanceChange[] {
  const total = own.reduce((sum, { change }) => sum + change, walletChange)
  const told = walletChange < 0n ? walletChange : 0n
  const lost = told - total
  const [most] = [...own].sort((one, other) => (one.change < other.change ? -1 : 1))
  return lost > 0n && most && most.change < 0n
    ? [{ mint: undefined, amount: lost, decimals: LAMPORT_DECIMALS, account: most.address }]
    : []
}

/** Who may take or control an account afterwards, and could not before. */
function changesOf(
  wallet: string,
  { address, was, now }: Pair,
  isPaying: boolean,
  after: Accounts,
): readonly Allowance[] {
  // What no longer exists is controlled by nobody; where its lamports are says whose they are now.
  if (!now) return []
  const change = (kind: Allowance['kind'], to: string, more: Partial<Role> = {}): Allowance => ({
    kind,
    account: address,
    mint: now.mint ?? was?.mint,
    to,
    amount: more.amount,
    ...(more.until !== undefined && { until: more.until }),
  })
  const isWallet = address === wallet
  const hadRole = isWallet || holds(wallet, was)
  const isNew = !isWallet && isEmpty(was)
  const isGained = !isWallet && !isOwn(wallet, was) && isOwn(wallet, now)
  if (!hadRole && !(isNew && isPaying) && !isGained) return []
  // Whoever could control an account of somebody else could not yet control one of the wallet.
  const base = isGained || isNew ? [] : (was?.roles ?? [])
  const programBefore = isNew || isGained ? undefined : (was?.program ?? SYSTEM_PROGRAM)
  const changes: Allowance[] = []
  if (isWallet) {
    if (now.program !== programBefore) changes.push(change('program', now.program))
    if (now.size > 0 && (now.size !== (was?.size ?? 0) || !now.isUnderstood))
      changes.push(change('data', now.program))
  } else if (isEmpty(now)) return []
  else if (
    programBefore === undefined ? !now.isUnderstood : now.program !== programBefore || isLost(was, now)
  )
    changes.push(change('program', now.program))
  for (const each of now.roles) {
    if (each.holder === wallet) continue
    const old = base.find(({ name, holder }) => name === each.name && holder === each.holder)
    if (!old || isMore(each, old)) changes.push(change(each.kind, each.holder, each))
  }
  if (now.isFrozen && was && !was.isFrozen && isOwn(wallet, was))
    changes.push(change('freezeAuthority', freezerOf(now, after)))
  return changes
}

const holds = (wallet: string, control: AccountControl | undefined): boolean =>
  control?.roles.some(({ holder }) => holder === wallet) ?? false

/** An account that lamports alone were sent to, or none: whoever creates one there takes it over. */
const isEmpty = (control: AccountControl | undefined): boolean =>
  !control || (control.program === SYSTEM_PROGRAM && control.size === 0)

const isLost = (was: AccountControl | undefined, now: AccountControl): boolean =>
  (was?.isUnderstood ?? false) && !now.isUnderstood

/** More may be taken, or it is locked for longer. */
const isMore = (now: Role, was: Role): boolean =>
  (now.amount ?? 0n) > (was.amount ?? 0n) ||
  (now.until ?? 0n) > (was.until ?? 0n) ||
  (now.epoch ?? 0n) > (was.epoch ?? 0n)

const freezerOf = ({ mint, program }: AccountControl, after: Accounts): string => {
  const control = mint === undefined ? undefined : readControl(after.get(mint), mint)
  return control?.roles.find(({ kind }) => kind === 'freezeAuthority')?.holder ?? program
}
