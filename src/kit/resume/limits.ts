/** The numbers of the kit. Times are milliseconds unless the name says otherwise. */
export const kitLimits = {
  /** A resumed login waits this long for the element in which it began. */
  surfaceWait: 1_500,
  /** Characters of a mini app's signature that are enough to tell one start from another. */
  miniAppMark: 16,
} as const
