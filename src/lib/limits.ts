/**
 * The numbers of the product, each named after its reason. Times are milliseconds unless the name says
 * otherwise. docs/protocol.md, "Limits" and "Times", lists those that others rely on.
 */
export const limits = {
  /** One HTTP attempt. */
  requestTimeout: 20_000,
  /** Waits between the attempts of one HTTP call. */
  retryDelays: [500, 1_500, 4_500],
  /** Only these statuses are retried. */
  retryStatuses: [408, 409, 425, 500, 502, 503, 504],
  /** The largest JSON answer that is read, in characters. */
  responseSize: 1_048_576,
  /** A login that has left for a provider can be resumed for this long. */
  oauthStateLife: 600_000,
  passkeysPerUser: 5,
  /** A third party's script that neither loads nor fails is given up after this. */
  scriptWait: 15_000,
  /** Wait for a ready vault when creating a wallet or signing. */
  vaultReadyAction: 30_000,
  /** The largest message between page and vault, in characters. */
  vaultMessageSize: 131_072,
  popupWidth: 440,
  popupHeight: 680,
  popupClosedCheck: 300,
  popupLimit: 120_000,
  /** How often, and for how long, a Solana transaction is looked for; by then its blockhash has expired. */
  solanaStatusEvery: 1_000,
  solanaStatusLimit: 90_000,
} as const
