import type { Hex } from 'viem'

/** A transaction as the vault sends it to be completed; existing fields are left unchanged. */
export interface TransactionRequest {
  to?: string | undefined
  from?: string | undefined
  data?: Hex | undefined
  value?: bigint | undefined
  chainId: number
  nonce?: number | undefined
  gasLimit?: bigint | undefined
  gasPrice?: bigint | undefined
  maxFeePerGas?: bigint | undefined
  maxPriorityFeePerGas?: bigint | undefined
  /** 0: legacy; 1: EIP-2930; 2: EIP-1559, as without it. */
  type?: 0 | 1 | 2 | undefined
  accessList?: readonly { address: string; storageKeys: readonly string[] }[] | undefined
}
/** The same with everything that a signature needs. */
export type FilledTransaction = TransactionRequest &
  Required<Pick<TransactionRequest, 'from' | 'nonce' | 'gasLimit'>>
