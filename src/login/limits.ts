/** The numbers of logins. Times are milliseconds unless the name says otherwise. */
export const loginLimits = {
  /** A code that was sent is good for this long. */
  codeLife: 600_000,
  /** Another code can't be sent for this long. */
  resendCooldown: 30_000,
  /** A success stays visible before the next screen follows. */
  successBeforeNext: 900,
  /** A successful transfer of somebody else's account stays visible for this long. */
  transferVisible: 1_000,
  /** A window that has lost its opener waits this long for somebody to listen. */
  openerAnswer: 500,
  /** A login that has left for a provider can be resumed for this long. */
  oauthStateLife: 600_000,
  /** Characters of the address at which another app is asked to sign: servers take no more than 16 KiB of headers. */
  appRequestLength: 14_336,
  /** Random bytes of a guest credential. */
  guestRandomBytes: 32,
  /** A WebAuthn ceremony. */
  passkeyTimeout: 300_000,
  /** The browser ends a ceremony by itself; if it doesn't, we do this much later. */
  passkeyGrace: 5_000,
  /** How often Farcaster's status is polled, and for how long. */
  farcasterPollEvery: 2_000,
  farcasterLoginLimit: 120_000,
  farcasterSignerLimit: 300_000,
  captchaPollEvery: 200,
  captchaLimit: 20_000,
  captchaVisible: 1_000,
  captchaExecuteDelay: 500,
  captchaRetries: 3,
  /** In a window that is narrower, in pixels, the vendor's box of 300 doesn't fit between the dialog's sides. */
  captchaFits: 348,
  /** A captcha that asks the person something is given up after this. */
  captchaAnswer: 300_000,
  /** One wallet needs this pause before it shows a request to sign. */
  walletSignDelay: 2_500,
} as const
