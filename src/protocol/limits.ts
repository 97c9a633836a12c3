/** The numbers of what is sent and read. */
export const protocolLimits = {
  /** Server text that is shown, in characters. */
  serverTextLength: 300,
} as const
