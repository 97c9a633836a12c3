import type {
  BalanceChange as SolanaChange,
  BalanceChanges as SolanaChanges,
} from '../../solana/balance-changes.ts'
import { LAMPORT_DECIMALS, SOL } from '../../solana/clusters.ts'
import type { SolanaReview } from '../../solana/review.ts'
import type { SolanaWarning } from '../../solana/warnings.ts'
import {
  type Asset,
  type BalanceChange,
  type BalanceChanges,
  solanaAsset,
  solanaShortage,
  type TransactionPreview,
  type Warning,
} from '../preview.ts'

/** Values that the transaction itself does not contain. */
export interface SolanaPreviewContext {
  readonly origin: string
  readonly network: TransactionPreview['network']
}

/** The preview of a Solana transaction, out of what its bytes and, as far as they were asked, nodes say. */
export function toSolanaPreview(
  { wallet, actions, cost, warnings, sponsor, balanceChanges, tokens, tokenShortage }: SolanaReview,
  context: SolanaPreviewContext,
): TransactionPreview {
  const { fee, isPayer, sent, rent, deposits, total, balanceBefore, shortage } = cost
  const concern = warnings.find((each) => each.code === 'fee')?.concern
  const own = actions.filter(({ kind }) => kind !== 'computeBudget')
  const [only] = own
  // Of several recipients each stands in its own instruction.
  const recipient =
    own.length === 1 && only?.kind === 'transferSol' && only.from === wallet ? only : undefined
  const isOwn = shortage?.account === wallet && shortage.mint === undefined
  return {
    ...context,
    wallet,
    coin: sol,
    value: sent,
    ...(isPayer && { fee: fee.total }),
    ...(rent !== undefined && rent > 0n && { rent }),
    ...(deposits !== undefined && deposits > 0n && { deposits }),
    ...(total !== undefined && (isPayer || total > 0n) && { total }),
    ...(balanceBefore !== undefined && { balance: balanceBefore }),
    ...(sponsor !== undefined && { sponsor }),
    ...(balanceChanges && { balanceChanges: changesOf(balanceChanges, tokens) }),
    isUnderfunded: isOwn,
    ...(isOwn && shortage.missing !== undefined && { missing: shortage.missing }),
    ...(tokenShortage && { tokenShortage: solanaShortage(tokenShortage.mint, tokenShortage) }),
    ...(concern && { feeConcern: concern }),
    actions: [
      ...(recipient ? [{ kind: 'transfer', to: recipient.to, amount: recipient.lamports } as const] : []),
      ...actions.map((instruction) => ({ kind: 'instruction', instruction }) as const),
    ],
    warnings: [
      ...warnings.flatMap((warning) => warningOf(warning, wallet) ?? []),
      // A wallet without any account of the token fails in other words.
      ...(tokenShortage && !warnings.some(({ code }) => code === 'insufficientFunds')
        ? [{ code: 'solana-insufficientFunds', severity: 'danger' } as const]
        : []),
    ],
  }
}

const sol: Asset = { symbol: SOL, decimals: LAMPORT_DECIMALS }

const changesOf = (changes: SolanaChanges, tokens: SolanaReview['tokens'] = {}): BalanceChanges => ({
  out: changes.out.map((each) => changeOf(each, tokens)),
  in: changes.in.map((each) => changeOf(each, tokens)),
  allowances: changes.allowances.map(({ kind, account, mint, to, amount, until }) => ({
    kind,
    account,
    spender: to,
    isUnlimited: amount === undefined,
    ...(mint !== undefined && { token: mint, ...assetIn(tokens, mint, undefined) }),
    ...(amount !== undefined && { amount }),
    ...(until !== undefined && { until }),
  })),
  isComplete: true,
})

const changeOf = (
  { mint, amount, decimals }: SolanaChange,
  tokens: NonNullable<SolanaReview['tokens']>,
): BalanceChange => ({
  amount,
  ...(mint === undefined
    ? { asset: sol }
    : {
        token: mint,
        ...assetIn(tokens, mint, decimals),
      }),
})

function assetIn(
  tokens: NonNullable<SolanaReview['tokens']>,
  mint: string,
  decimals: number | undefined,
): { readonly asset?: Asset } {
  const figures = (Object.hasOwn(tokens, mint) && tokens[mint]) || {}
  const { symbol, rules } = figures
  const asset = solanaAsset({ symbol, decimals: decimals ?? figures.decimals, scale: rules?.scale })
  return asset ? { asset } : {}
}

const severities = { danger: 'danger', caution: 'warning', notice: 'info' } as const

/** A warning in the terms of all chains; `undefined` for one of a fee, which has a confirmation of its own. */
function warningOf(warning: SolanaWarning, wallet: string): Warning | undefined {
  const severity = severities[warning.severity]
  switch (warning.code) {
    case 'fee':
      return undefined
    case 'insufficientFunds': {
      const { account } = warning.shortage
      return {
        code: 'solana-insufficientFunds',
        severity: 'danger',
        ...(account !== wallet && { address: account }),
      }
    }
    case 'willFail': {
      const { code, custom, words } = warning.failure
      return {
        code: 'may-fail',
        severity: 'danger',
        reason: words ?? (custom === undefined ? code : `${code} ${custom}`),
      }
    }
    case 'approval':
      return {
        code: warning.isUnlimited ? 'unlimited-allowance' : 'solana-approval',
        severity,
        spender: warning.delegate,
      }
    case 'allowance':
      return {
        code: warning.allowance.kind === 'delegate' ? 'solana-approval' : 'solana-control',
        severity,
        spender: warning.allowance.to,
      }
    case 'mintExtension':
      return { code: `solana-mint.${warning.extension}`, severity, address: warning.mint }
    default:
      return { code: `solana-${warning.code}`, severity, ...subjectOf(warning) }
  }
}

/** The address that a warning is about. */
function subjectOf(warning: SolanaWarning): Pick<Warning, 'address' | 'reason' | 'spender'> {
  if (warning.code === 'unknownProgram' || warning.code === 'knownProgram')
    return { address: warning.program }
  if (!('account' in warning)) return {}
  const isNamed = warning.code === 'strangeAccount' || warning.code === 'lock'
  const spender = isNamed ? warning.to : undefined
  return { address: warning.account, ...(spender !== undefined && { spender }) }
}
