/** Calls as they are described: addresses and data in lower case. */
import type { Call } from '../ethereum/calls/call.ts'

/** What carries the data: a transaction, a call within one, or typed data. Addresses are in lower case. */
export interface Container {
  readonly chainId: number | undefined
  readonly to: string | undefined
  readonly from: string | undefined
  readonly value: bigint | undefined
}
/** A call within a request. */
export interface InnerCall extends Call {
  readonly chainId: number
}
