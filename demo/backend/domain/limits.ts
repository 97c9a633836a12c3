const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The backend's policy numbers, security §5. Times are milliseconds. */
export const defaultLimits = {
  /** Life of a code that logs in. */
  codeLife: 10 * minute,
  /** Wrong guesses after which a code is dead. */
  codeTries: 5,
  /** No second code for an address while one that nobody used is younger than this. */
  resendLock: 30 * second,
  /** Codes for one address that nobody used. */
  sendsPerAddressHour: 5,
  sendsPerAddressDay: 10,
  /** Codes asked for from one network address (IPv6: /64). */
  sendsPerIpMinute: 3,
  sendsPerIpHour: 30,
  /** Failed guesses at one address, over all its codes. */
  guessesPerAddressHour: 10,
  guessesPerAddressMonth: 100,
  /** After too many failed guesses nothing is judged for this long. */
  guessCooldown: hour,
  /** Failed guesses from one network address: what the codes that it may ask for allow. */
  guessesPerIpHour: 150,
  /** Refresh token: life since its last use, and of the whole session. */
  refreshLife: 30 * day,
  sessionLife: 90 * day,
  /** For so long a rotated refresh token still answers with its successor (S1, T10). */
  refreshGrace: 30 * second,
  refreshesPerWindow: 60,
  refreshWindow: 5 * minute,
  forkLife: minute,
  /** For so long the answer of a request with an idempotency key is kept (S1). */
  idempotencyLife: day,
  /** Not policy but housekeeping: how long analytics and the log of released shares are kept. */
  analyticsLife: 30 * day,
  shareReleaseLife: 365 * day,
}
export type RateLimits = typeof defaultLimits
