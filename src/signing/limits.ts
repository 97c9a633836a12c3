/** The numbers of signing. */
export const signingLimits = {
  /** What a node says is shown up to this many characters. */
  reasonLength: 300,
} as const
