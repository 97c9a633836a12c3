import { bytesToHex } from '@noble/hashes/utils.js'
import { formatUnits } from '../../ethereum/amounts.ts'
import { feeConcern } from '../../lib/fee-concern.ts'
import { LAMPORT_DECIMALS, SOL } from '../../solana/clusters.ts'
import { type InstructionFact, solanaFeeLimits } from '../../solana/instructions.ts'
import type { SolanaMessage } from '../../solana/transaction.ts'
import type { Action, TransactionPreview } from '../preview.ts'
import type { ShownFact } from './instructions.tsx'

/** Values that the transaction itself does not contain. */
export interface SolanaPreviewContext {
  readonly origin: string
  readonly wallet: string
  readonly network: TransactionPreview['network']
}

/**
 * Creates the preview of a Solana transaction from its own bytes.
 * @throws InvalidRequest if the fee is absurd
 */
export function toSolanaPreview(
  { lamports, fee, isPayer, to, instructions }: SolanaMessage,
  context: SolanaPreviewContext,
): TransactionPreview {
  const concern = isPayer ? feeConcern(fee, lamports, solanaFeeLimits) : undefined
  const recipient: Action[] = to === undefined ? [] : [{ kind: 'transfer', to, amount: lamports }]
  return {
    ...context,
    coin: { symbol: SOL, decimals: LAMPORT_DECIMALS },
    value: lamports,
    ...(isPayer && { fee, total: lamports + fee }),
    ...(concern && { feeConcern: concern }),
    isUnderfunded: false,
    actions: [
      ...recipient,
      ...instructions.map(({ program, accounts, data, action }) => ({
        kind: 'instruction' as const,
        instruction: {
          program,
          accounts,
          data: `0x${bytesToHex(data)}`,
          ...(action && { action: { ...action, facts: action.facts.map(shownFact) } }),
        },
      })),
    ],
    warnings: instructions.flatMap(({ action }) =>
      action?.danger ? [{ code: `solana-${action.danger}`, severity: 'warning' } as const] : [],
    ),
  }
}

function shownFact(fact: InstructionFact): ShownFact {
  const { label } = fact
  if ('address' in fact) return { label, address: fact.address }
  if ('lamports' in fact) return { label, text: inSol(fact.lamports) }
  if ('text' in fact) return { label, text: fact.text }
  const { units, decimals } = fact
  return decimals === undefined
    ? { label, units: units.toLocaleString('en') }
    : { label, text: formatUnits(units, decimals) }
}

export const inSol = (lamports: bigint) => `${formatUnits(lamports, LAMPORT_DECIMALS)} ${SOL}`
