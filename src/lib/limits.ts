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
  /** Wait for a ready vault when creating a wallet or signing. */
  vaultReadyAction: 30_000,
  /** The largest message between page and vault, in characters. */
  vaultMessageSize: 131_072,
  popupWidth: 440,
  popupHeight: 680,
  popupLimit: 120_000,
  /** What became of a press to copy is said for this long. */
  copiedVisible: 2_000,
} as const
