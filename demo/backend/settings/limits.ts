import * as v from 'valibot'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The backend's policy numbers; docs/security.md says what they are against. Times are milliseconds. */
export const defaultLimits = {
  /** Life of a code that logs in. */
  codeLife: 10 * minute,
  /** Wrong guesses after which a code is dead. */
  codeTries: 5,
  /** No second code for an address while one that nobody used is younger than this. */
  resendLock: 30 * second,
  /** Codes for one mailbox or number that nobody used. */
  sendsPerAddressHour: 5,
  sendsPerAddressDay: 10,
  /** Codes that are sent in one hour of the clock: for one app, unless its settings say otherwise, and in all. */
  mailsPerAppHour: 5_000,
  mailsPerHour: 20_000,
  smsPerAppHour: 500,
  smsPerHour: 2_000,
  /** Codes asked for from one network address (IPv6: /64). */
  sendsPerIpMinute: 3,
  sendsPerIpHour: 30,
  /** Failed guesses at one address from one network address: fewer than pause it for everybody. */
  guessesPerSourceHour: 8,
  /** Failed guesses at one address, over all its codes and from everywhere. */
  guessesPerAddressHour: 10,
  /** The same in 30 days; the first number is for those of whom nothing says that they are the owner. */
  guessesOfStrangersMonth: 80,
  guessesPerAddressMonth: 100,
  /** From so many network addresses an owner is known, who came in from there last. */
  knownSources: 10,
  /** After too many failed guesses nothing is judged for this long, or until the owner has come in another way. */
  guessCooldown: hour,
  /** Failed guesses from one network address: what the codes that it may ask for allow. */
  guessesPerIpHour: 150,
  /** Refresh token: life since its last use, and of the whole session. */
  refreshLife: 30 * day,
  sessionLife: 90 * day,
  /** For so long a rotated refresh token still answers with its successor: the answer may have been lost. */
  refreshGrace: 30 * second,
  refreshesPerWindow: 60,
  refreshWindow: 5 * minute,
  forkLife: minute,
  /** For so long the answer of a request with an idempotency key is kept. */
  idempotencyLife: day,
  /** Answers to anonymous calls that are kept for one network address (IPv6: /64) in one hour of the clock. */
  keptAnswersPerIpHour: 3_000,
  /** OAuth: from the start to the provider's answer, and from there to the client's. */
  oauthStateLife: 10 * minute,
  oauthCodeLife: minute,
  /** WebAuthn challenge; the ceremony's own time-out in the browser is shorter. */
  passkeyChallengeLife: 6 * minute,
  passkeyTimeout: 5 * minute,
  passkeysPerUser: 5,
  farcasterChannelLife: 5 * minute,
  farcasterNonceLife: 10 * minute,
  /** A request for a signer, unless it names a deadline of its own … */
  farcasterSignerLife: 60 * minute,
  /** … which is no later than this. */
  farcasterSignerLongest: 24 * 60 * minute,
  walletNonceLife: 10 * minute,
  /** The date of a message that a wallet signs is the page's, whose clock may be so far off. */
  walletMessageSkew: 5 * minute,
  /** All that a chain is asked for one signature: less than the 20 s after which a client stops waiting. */
  walletCheckTime: 12 * second,
  /** Characters of a message, and of a signature: one by a wallet that is not deployed yet brings its deployment. */
  walletMessageLength: 4_096,
  walletSignatureLength: 32_768,
  /** `auth_date` of Telegram may be this old, and no younger than the clocks differ. */
  telegramAge: 10 * minute,
  clockSkew: 30 * second,
  /** A transfer of an account may be confirmed for so long. */
  transferLife: 10 * minute,
  /** A user with wallets who was given up in a transfer can be restored for so long. */
  removedUserLife: 30 * day,
  /** A change of accounts or sessions waits so long for an enrolled device; and how many of one session may wait. */
  pendingChangeLife: 10 * minute,
  pendingChangesPerSession: 20,
  /**
   * Addresses that were removed or replaced are told for so long, and the link of a notice freezes the account. A frozen
   * account takes no proof that is younger: a thief may have made it before the freeze.
   */
  accountChangeWait: 7 * day,
  captchaTokenLife: 10 * minute,
  /** Logins that are begun from one network address, over all methods. */
  startsPerIpMinute: 30,
  startsPerIpHour: 300,
  /** Behind a captcha many people may share an address. */
  captchaAllowance: 10,
  /** One call to a third party: time, and bytes of its answer. */
  outsideTimeout: 8 * second,
  outsideAnswerSize: 1_048_576,
  /** A key set of custom JWTs is kept; an unknown key asks again no sooner than this. */
  keySetLife: 10 * minute,
  keySetCooldown: minute,
  providerTokenLife: hour,
  /** An app that nobody has used with their account for so long is no longer connected. Longer than the life of its tokens. */
  connectedAppLife: 90 * day,
  /** Life of another app's request to a wallet, from its own time on; and its characters, as they stand in an address. */
  crossAppRequestLife: 2 * minute,
  crossAppRequestLength: 12_288,
  /** A result waits for so long for the page that hands it to the app. */
  crossAppAnswerLife: minute,
  /**
   * Tries of a recovery password: of one enrolled device, or of all others together, of which a single login has fewer; and of one
   * wallet without a success; then each costs a wait.
   */
  recoveryTriesPerHour: 10,
  recoveryTriesPerSourceHour: 6,
  recoveryTriesInAll: 100,
  recoveryCooldown: hour,
  /** What a password is combined with, until a wallet uses it; and a change of recovery, until it is confirmed. */
  recoverySecretLife: day,
  recoverySecretsPerHour: 30,
  recoveryChangeLife: day,
  pendingRecoveryChanges: 8,
  /** A proof of a browser's key: how far its time may be off, how long its nonce is good and its id is remembered. */
  proofSkew: minute,
  proofNonceLife: 5 * minute,
  proofIdLife: 3 * minute,
  /** So long after a login a compatible app's user with a wallet has further devices enrolled by that login. */
  compatibleEnrolment: 15 * minute,
  /** Codes, and challenges of passkeys and wallets, that one login may ask for to enrol a device. */
  enrolmentCodesPerSourceHour: 3,
  enrolmentChallengesPerSourceHour: 60,
  /** A request that an enrolled device approves: how long it lives, and how many one login and one user may make. */
  deviceRequestLife: 5 * minute,
  deviceRequestsPerSourceHour: 5,
  deviceRequestsPerHour: 20,
  vaultPasskeysPerUser: 10,
  /** For so long somebody who has shown how their wallet is recovered need not do so again in the same browser. */
  recoveryPresentLife: 10 * minute,
  /** Browsers of one person. */
  devicesPerUser: 100,
  importedWallets: 20,
  walletsPerRoot: 100,
  /**
   * Wrong tries of second factors, of one person over all of them: as many as one prompt has, with a break after them;
   * and in the long run. A single source has fewer, so that what is left to the others is a prompt at least.
   */
  mfaTries: 4,
  mfaTriesBreak: 10 * second,
  mfaTriesPerHour: 10,
  mfaTriesPerDay: 30,
  mfaTriesPerSourceHour: 6,
  mfaTriesPerSourceDay: 20,
  mfaCodeLife: 5 * minute,
  /** A proof of a second factor lets wallets be used for so long, and anything else that asks for one for this long. */
  mfaLife: 15 * minute,
  mfaFreshLife: minute,
  exportTicketLife: minute,
  exportTicketsPerHour: 60,
  /** Transactions that are filled in for one user: each asks a chain several times. */
  populatesPerMinute: 60,
  /** Previews of transactions: for one device, and for all users of an app in one hour of the clock. */
  previewsPerMinute: 60,
  previewsPerAppHour: 100_000,
  /** Simulations for compatible clients, of one user; prices and token data for one network address. */
  scansPerMinute: 30,
  lookupsPerIpMinute: 120,
  /** One question to a node for a preview; and how long the first answer waits for a second node's, with which it is compared. */
  previewNodeTime: 2 * second,
  previewComparison: 700,
  /** While another node could answer in its place, one has no more than this. */
  nodePatience: 3 * second,
  /** Answers of nodes that previews share are remembered for so long: of the latest block, and of what hardly ever changes. */
  blockAnswerLife: 2 * second,
  metadataLife: 10 * minute,
  nodeAnswers: 2_000,
  /** A price that the source has for older, or is less sure of (0 to 1), is none; and for how long one is remembered. */
  priceAge: 10 * minute,
  priceConfidence: 0.9,
  priceLife: minute,
  prices: 1_000,
  /** A transfer that the vault's frame has approved counts for so long; and how many of one user do. */
  frameSpendingSpan: day,
  frameSpendings: 500,
  /** A request of a grant's signer expires at most so far ahead; and how many of them one grant takes. */
  grantRequestLife: minute,
  grantCallsPerMinute: 60,
  /** Requests of one grant that a server works on at a time; the others wait. */
  grantLanes: 8,
  /**
   * So often a server looks which transactions of grants are due, and takes so many at a time; none is looked after again sooner than
   * this; and one that waits behind a free number for so long has the number used up by the server itself.
   */
  grantSettleEvery: 10 * second,
  grantSettleBatch: 20,
  grantSettleAfter: 15 * second,
  grantGapAfter: 2 * minute,
  /** Blocks under which a receipt counts for good. */
  grantDepth: 12,
  /** Grants that users and signers are shown, and uses of each; and how long ended ones are kept. */
  grantsShown: 50,
  grantUsesShown: 20,
  grantLife: 365 * day,
  /** Quotes of on-ramps, and purchases that are started, of one user. */
  fundingQuotesPerMinute: 30,
  purchasesPerHour: 30,
  /** A provider is asked for the state of one purchase no more often than this. */
  purchaseCheck: second,
  /** By so much a total may be above the one that was shown. */
  quoteSlack: 0.01,
  /** A webhook that is older is refused. */
  webhookAge: 5 * minute,
  /** Webhooks are remembered for so long, to know one that comes again. */
  webhookMemory: 7 * day,
  /** Purchases that nobody paid, and all others, are kept for so long after they have changed last. */
  unpaidPurchaseLife: 30 * day,
  purchaseLife: 730 * day,
  /** Events that clients report about their use, from one network address. */
  eventsPerIpMinute: 120,
  /** Not policy but housekeeping: how long analytics and the log of released shares are kept. */
  analyticsLife: 30 * day,
  shareReleaseLife: 365 * day,
  auditLife: 365 * day,
  /** Wrong keys of the admin API from one network address. */
  adminFailuresPerHour: 30,
  /** How often a server looks whether its sealing keys have changed. */
  secretsReload: 10 * second,
}
export type Limits = typeof defaultLimits

const names = Object.keys(defaultLimits) as (keyof Limits)[]
const numbers = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.number()))

/**
 * Other policy numbers, from JSON text like `{"codeTries":3}`; none where there is no text.
 * @throws Error that says what is wrong, such as a name that isn't one
 */
export function readLimits(text?: string): Partial<Limits> {
  if (!text) return {}
  const result = v.safeParse(numbers, text)
  if (!result.success) throw new Error('LIMITS must be an object of numbers: {"codeTries":3}')
  const unknown = Object.keys(result.output).filter((name) => !(names as string[]).includes(name))
  if (unknown.length > 0) throw new Error(`LIMITS has names that no limit has: ${unknown.join(', ')}`)
  return result.output
}
