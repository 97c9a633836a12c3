import { formatUnits } from '../../ethereum/amounts.ts'
import { LAMPORT_DECIMALS, SOL } from '../../solana/clusters.ts'
import type { SolanaMessage } from '../../solana/transaction.ts'
import type { ApproveTransactionProps } from '../transaction/approve-transaction.tsx'

/** What a person reads of a Solana transaction. */
export const shownSolana = ({
  lamports,
  to,
  instructions,
}: SolanaMessage): Pick<ApproveTransactionProps, 'value' | 'to' | 'instructions'> => ({
  // What programs transfer is unknown to us: without a plain transfer there is no amount to show.
  value: lamports > 0n ? inSol(lamports) : '',
  ...(to && { to }),
  instructions,
})

export const inSol = (lamports: bigint) => `${formatUnits(lamports, LAMPORT_DECIMALS)} ${SOL}`
