/** The numbers of a run of the dialog. Times are milliseconds unless the name says otherwise. */
export const dialogLimits = {
  /** The login flow is cleared this long after the dialog closed. */
  authFlowClearedAfterClose: 200,
  /** A flow whose work has been done before the dialog was closed has this long to read what has become of it. */
  committedAfterClose: 10_000,
} as const
