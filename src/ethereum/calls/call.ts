/** A call, whoever asks for it and whatever carries it out. Addresses and data are in lower case. */
export interface Call {
  readonly to: string
  /** In hex. */
  readonly data: string
  readonly value: bigint | undefined
  readonly from: string | undefined
  /** The account as which the called code runs, where it is a delegate call. */
  readonly runsAs?: string | undefined
}
