/** The numbers of the Ethereum room. Times are milliseconds unless the name says otherwise. */
export const ethereumLimits = {
  /** Most decimals of a token that amounts are shown with. */
  tokenDecimals: 36,
  /** Log entries of one simulation or receipt that are read. */
  logs: 1_000,
  /** Most tokens whose metadata one simulation asks for. */
  simulatedTokens: 20,
  /** Most contracts whose state one simulation compares, and most pairs of a contract and somebody who may act there. */
  stateContracts: 4,
  statePairs: 24,
  /** A simulation older than this is repeated. */
  simulationAge: 15_000,
  /** Interval of the tracker while a transaction is fresh; it grows by half each time … */
  trackInterval: 1_000,
  /** … up to this one, … */
  trackSlowInterval: 15_000,
  /** … and once the time limit has passed, to this one. */
  trackIdleInterval: 60_000,
  /** A transaction without a result for this long is reported as unknown. It is followed all the same. */
  trackTime: 10 * 60_000,
  /** A confirmed transaction is followed for so many blocks, in case its block is replaced. */
  trackDepth: 12,
  /** A transaction is dropped once the node has not known it for so many polls in a row … */
  dropPolls: 3,
  /** … and this long. */
  dropTime: 30_000,
  /** Blocks back from the latest one that are searched for a replacement made elsewhere. */
  replacementBlocks: 128,
} as const
