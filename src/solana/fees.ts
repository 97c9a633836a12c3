/** The cost of a transaction to a wallet, in lamports. */
import type { FeeLimits } from '../lib/fee-concern.ts'
import type { SolanaAction } from './actions.ts'
import { budgetOf, priorityFee, VERIFIERS } from './budget.ts'
import { readEffects } from './effects.ts'
import type { Shortage } from './failures.ts'
import type { DecodedMessage } from './message.ts'
import { TOKEN_2022_PROGRAM } from './programs/token-2022.ts'

/** Fees that need another look, and those that nobody means. */
export const solanaFeeLimits: FeeLimits = { unusual: 10_000_000n, absurd: 5_000_000_000n }
/** What one signature costs. */
const LAMPORTS_PER_SIGNATURE = 5_000n

export interface NetworkFee {
  /** For the signatures. */
  readonly base: bigint
  /** For being preferred. */
  readonly priority: bigint
  readonly total: bigint
  /** `false`: no node has said it, so it is the most that the network may take. */
  readonly isFromNode: boolean
}
/** What a transaction costs a wallet besides what it sends. */
export interface SolanaCost {
  readonly fee: NetworkFee
  /** Whether the wallet pays the fee. */
  readonly isPayer: boolean
  /** Lamports that the wallet puts into new accounts of its own, which hold them as long as they exist. */
  readonly rent: bigint
  /** The same for token accounts of others, who get them. */
  readonly deposits: bigint
  /** Lamports that the system program takes from the wallet for others; other programs may take more. */
  readonly sent: bigint
  /** All of it. */
  readonly total: bigint
  readonly balanceBefore: bigint
  /** Below zero if the wallet has too little. */
  readonly balanceAfter: bigint
  readonly shortage: Shortage | undefined
}

/**
 * The fee of a message.
 * @param answer what a node says that it costs altogether, if one does
 */
export function networkFee(
  message: DecodedMessage,
  actions: readonly SolanaAction[],
  answer: bigint | undefined,
): NetworkFee {
  const verified = message.instructions.reduce(
    (sum, { program, data }) => sum + (VERIFIERS.includes(program) ? (data[0] ?? 0) : 0),
    0,
  )
  const base = LAMPORTS_PER_SIGNATURE * BigInt(message.signers.length + verified)
  const budget = budgetOf(actions)
  const most = priorityFee(budget, actions)
  if (answer === undefined) return { base, priority: most, total: base + most, isFromNode: false }
  // Without a limit the network counts fewer units for its own programs. With one, no node can make the fee look smaller.
  const priority = budget.limit !== undefined || answer < base ? most : answer - base
  const total = answer > base + priority ? answer : base + priority
  return { base, priority: total - base, total, isFromNode: true }
}

export interface NewAccount {
  readonly account: string
  readonly lamports?: bigint
  readonly size?: number
  /** `true`: one that exists already is left as it is. */
  readonly isIdempotent: boolean
}

/**
 * The accounts that a wallet pays for, with the lamports that it puts into each; of token accounts the size is known alone.
 * @param tokens by mint, as far as they are known: a mint may ask for larger accounts
 */
export function newAccounts(
  actions: readonly SolanaAction[],
  wallet: string,
  tokens: Readonly<Record<string, { readonly rules: { readonly accountSize: number } }>> = {},
): readonly NewAccount[] {
  return actions.flatMap((action): NewAccount[] => {
    if (action.kind === 'createAccount' && action.payer === wallet)
      return [{ account: action.account, lamports: action.lamports, isIdempotent: false }]
    if (action.kind !== 'createTokenAccount' || action.payer !== wallet) return []
    const { account, mint, tokenProgram, isIdempotent } = action
    const least = tokenProgram === TOKEN_2022_PROGRAM ? TOKEN_2022_SIZE : TOKEN_SIZE
    const size = (Object.hasOwn(tokens, mint) && tokens[mint]?.rules.accountSize) || least
    return [{ account, size, isIdempotent }]
  })
}
export const TOKEN_SIZE = 165
/** With the extension that every associated account of Token-2022 has. */
export const TOKEN_2022_SIZE = 170

/** Lamports that leave the wallet for others, as far as its instructions state them: also those in accounts that others control. */
export const lamportsSent = (actions: readonly SolanaAction[], wallet: string): bigint =>
  readEffects(actions, { wallet }).sent

/**
 * Adds up what a transaction costs a wallet.
 * @param simulatedBalance the lamports that a simulation leaves to the wallet: they count more than our own sum
 * @param minimum the lamports below which the network refuses to leave an account that is not empty
 */
export function costOf({
  wallet,
  message,
  sent,
  fee,
  rent,
  deposits,
  balance,
  minimum,
  simulatedBalance,
  shortage,
}: {
  wallet: string
  message: DecodedMessage
  sent: bigint
  fee: NetworkFee
  rent: bigint
  deposits: bigint
  balance: bigint
  minimum: bigint
  simulatedBalance?: bigint | undefined
  shortage?: Shortage | undefined
}): SolanaCost {
  const isPayer = message.payer === wallet
  const total = sent + rent + deposits + (isPayer ? fee.total : 0n)
  const balanceAfter = simulatedBalance ?? balance - total
  const missing =
    balanceAfter < 0n
      ? -balanceAfter
      : // The account that pays has to keep what the network asks of any account, or be empty.
        balanceAfter > 0n && balanceAfter < minimum && balance > balanceAfter
        ? minimum - balanceAfter
        : undefined
  return {
    fee,
    isPayer,
    rent,
    deposits,
    sent,
    total,
    balanceBefore: balance,
    balanceAfter,
    shortage:
      missing === undefined
        ? shortage
        : shortage?.mint !== undefined
          ? shortage
          : { account: wallet, mint: undefined, missing },
  }
}
