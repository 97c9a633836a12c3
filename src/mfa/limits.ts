/** The numbers of second factors. Times are milliseconds. */
export const mfaLimits = {
  /** Wrong answers after which a prompt takes no more. */
  attempts: 4,
  /** A prompt that is open for longer takes no answer. */
  prompt: 300_000,
  /** Passkeys shown at first, and if there are more than these. */
  passkeyRows: 3,
  passkeyRowsOfMore: 2,
  passkeys: 5,
  /** Steps of a factor that a code proves: what sends the code, and the code. */
  codeSteps: 2,
  /** Another text message can't be asked for this long. */
  resendCooldown: 30_000,
  /** That a factor is gone stays visible for this long. */
  removedVisible: 900,
} as const
