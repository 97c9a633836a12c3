/** Calls as they are described: addresses and data in lower case. */

/** What carries the data: a transaction, a call within one, or typed data. Addresses are in lower case. */
export interface Container {
  readonly chainId: number | undefined
  readonly to: string | undefined
  readonly from: string | undefined
  readonly value: bigint | undefined
}
/** A call within a request. */
export interface InnerCall {
  readonly chainId: number
  readonly to: string
  /** In lower-case hex. */
  readonly data: string
  readonly value: bigint | undefined
  readonly from: string | undefined
  /** The account as which the called code runs, where it is a delegate call. */
  readonly runsAs?: string | undefined
}
