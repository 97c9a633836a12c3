/** The vault's own numbers; those of the specification are in core/limits. Times are milliseconds. */
export const bounds = {
  /** Security T12: IndexedDB that has not answered for this long is given up, and memory takes its place. */
  storageWait: 3_000,
  /** Longest wait for another tab that writes. It is well under the 20 s of a creation (spec §7). */
  lockWait: 8_000,
  /** Ids of requests that are remembered, so that none is answered twice (wire 7.1). */
  rememberedIds: 4_096,
  /** Device shares of creations with an unknown end, kept until the end is known. */
  pendingShares: 8,
} as const
