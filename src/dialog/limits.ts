/** The numbers of a run of the dialog. Times are milliseconds unless the name says otherwise. */
export const dialogLimits = {
  /** The login flow is cleared this long after the dialog closed. */
  authFlowClearedAfterClose: 200,
} as const
