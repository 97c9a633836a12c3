/** The numbers of activity. */
export const activityLimits = {
  /** Older transactions are forgotten … */
  entries: 50,
  /** … and so are they where all together are longer, in characters. */
  size: 1_000_000,
  /** Characters of one signed transaction. */
  rawLength: 250_000,
  /** The last moment that a `Date` has, in milliseconds since 1970. */
  lastMoment: 8.64e15,
  /** Milliseconds after which a date says more than how long ago it was. */
  recent: 7 * 24 * 60 * 60_000,
} as const
