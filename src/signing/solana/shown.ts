import { bytesToHex } from '@noble/hashes/utils.js'
import { formatUnits } from '../../ethereum/amounts.ts'
import { feeConcern } from '../../lib/fee-concern.ts'
import { LAMPORT_DECIMALS, SOL } from '../../solana/clusters.ts'
import { type InstructionFact, solanaFeeLimits } from '../../solana/instructions.ts'
import type { SolanaMessage } from '../../solana/transaction.ts'
import type { ApproveTransactionProps } from '../transaction/approve-transaction.tsx'
import type { ShownFact } from './instructions.tsx'

/** The preview of a Solana transaction. Throws an `InvalidRequest` for an absurd fee. */
export function shownSolana({
  lamports,
  fee,
  isPayer,
  to,
  instructions,
}: SolanaMessage): Pick<
  ApproveTransactionProps,
  'value' | 'to' | 'instructions' | 'fee' | 'total' | 'feeConcern'
> {
  const concern = feeConcern(fee, lamports, solanaFeeLimits)
  return {
    // Programs transfer what nobody here can tell: without a plain transfer there is no amount to show.
    value: lamports > 0n ? inSol(lamports) : '',
    ...(to && { to }),
    ...(isPayer && {
      fee: inSol(fee),
      total: inSol(lamports + fee),
      ...(concern && { feeConcern: concern }),
    }),
    instructions: instructions.map(({ program, accounts, data, action }) => ({
      program,
      accounts,
      data: `0x${bytesToHex(data)}`,
      ...(action && { action: { ...action, facts: action.facts.map(shownFact) } }),
    })),
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
