/** How a node is asked to take a transaction, as libraries name it. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'
export interface SendOptions {
  readonly preflightCommitment?: Commitment | undefined
  readonly minContextSlot?: number | undefined
  readonly skipPreflight?: boolean | undefined
  readonly maxRetries?: number | undefined
}

export interface SolanaSendOptions extends SendOptions {
  /** Waits until the network has confirmed the transaction to this degree. */
  readonly commitment?: Commitment | undefined
}
