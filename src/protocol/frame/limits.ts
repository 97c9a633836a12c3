/** The numbers of what is sent and read. Times are milliseconds unless the name says otherwise. */
export const protocolLimits = {
  /** Server text that is shown, in characters. */
  serverTextLength: 300,
  /** A wallet client type or connector type, in characters, as the server accepts it. */
  walletOriginLength: 64,
} as const
