/** What a transaction changes for a wallet: what leaves it, what comes, and who may take what afterwards. */
import { LAMPORT_DECIMALS } from './clusters.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
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
}
/** Somebody who may do something with an account of the wallet, and could not before. */
export interface Allowance {
  readonly kind: 'delegate' | 'owner' | 'closeAuthority' | 'program'
  readonly account: string
  readonly mint: string | undefined
  readonly to: string
  /** `undefined`: all that the account holds. */
  readonly amount: bigint | undefined
}
export type Accounts = ReadonlyMap<string, AccountState | undefined>

/**
 * Compares the accounts that a transaction may write to.
 * @param fee what of the lamports that leave the wallet is the fee, which is told apart from what it sends
 */
export function diffAccounts(wallet: string, before: Accounts, after: Accounts, fee: bigint): BalanceChanges {
  const sums = new Map<string | undefined, bigint>()
  const add = (mint: string | undefined, amount: bigint) => sums.set(mint, (sums.get(mint) ?? 0n) + amount)
  const allowances: Allowance[] = []
  for (const [address, now] of after) {
    const then = before.get(address)
    if (address === wallet) {
      add(undefined, (now?.lamports ?? 0n) - (then?.lamports ?? 0n) + fee)
      if (now && now.lamports > 0n && now.owner !== (then?.owner ?? SYSTEM_PROGRAM))
        allowances.push({
          kind: 'program',
          account: address,
          mint: undefined,
          to: now.owner,
          amount: undefined,
        })
      continue
    }
    const tokensThen = readTokenAccount(then)
    const tokensNow = readTokenAccount(now)
    const had = tokensThen?.owner === wallet ? tokensThen : undefined
    const has = tokensNow?.owner === wallet ? tokensNow : undefined
    if (had) add(had.mint, -had.amount)
    if (has) add(has.mint, has.amount)
    if (had && tokensNow && !has)
      allowances.push({
        kind: 'owner',
        account: address,
        mint: had.mint,
        to: tokensNow.owner,
        amount: undefined,
      })
    if (!has) continue
    const { mint, delegate, delegatedAmount: amount, closeAuthority } = has
    const isMore = delegate !== had?.delegate || amount > (had?.delegatedAmount ?? 0n)
    if (delegate !== undefined && delegate !== wallet && amount > 0n && isMore)
      allowances.push({ kind: 'delegate', account: address, mint, to: delegate, amount })
    if (closeAuthority !== undefined && closeAuthority !== wallet && closeAuthority !== had?.closeAuthority)
      allowances.push({
        kind: 'closeAuthority',
        account: address,
        mint,
        to: closeAuthority,
        amount: undefined,
      })
  }
  const decimals = (mint: string | undefined) =>
    mint === undefined ? LAMPORT_DECIMALS : readMint(after.get(mint) ?? before.get(mint))?.decimals
  const changes = [...sums].map(([mint, amount]) => ({ mint, amount, decimals: decimals(mint) }))
  return {
    out: changes.filter(({ amount }) => amount < 0n).map((each) => ({ ...each, amount: -each.amount })),
    in: changes.filter(({ amount }) => amount > 0n),
    allowances,
  }
}
