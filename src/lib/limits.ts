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
} as const
