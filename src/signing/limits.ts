/** The numbers of signing. */
export const signingLimits = {
  /** What a node says is shown up to this many characters. */
  reasonLength: 300,
  /** Milliseconds after which a confirmation takes longer than usual. */
  usualConfirmation: 60_000,
} as const
