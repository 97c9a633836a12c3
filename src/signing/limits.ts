/** The numbers of signing. */
export const signingLimits = {
  /** What a node says is shown up to this many characters. */
  reasonLength: 300,
  /** Milliseconds after which a confirmation takes longer than usual. */
  usualConfirmation: 60_000,
  /** Milliseconds after which a trial run is repeated before anything is signed. */
  previewAge: 15_000,
  /** Milliseconds that figures of tokens and descriptors are waited for before a review is displayed without them. */
  figuresWait: 3_000,
} as const
