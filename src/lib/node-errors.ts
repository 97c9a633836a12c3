/** What can go wrong between the kit and a chain's node. */

/** A node refused a request. `code`, the message and `data` are the node's own. */
export class NodeError extends Error {
  override name = 'NodeError'
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** The network has taken a transaction, and it failed there: the same one can never succeed. */
export class TransactionFailedError extends NodeError {
  override name = 'TransactionFailedError'
}

/** No readable answer came, so nobody knows what has become of the request. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** Nobody can say whether the network has a signed transaction, so it must not be created again. */
export class TransactionUnknownError extends Error {
  override name = 'TransactionUnknownError'
  /** @param hash the transaction's hash, or on Solana its first signature in base58 */
  constructor(
    message: string,
    readonly hash: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Resolves with a node's own refusal as with an answer. An unusable answer doesn't count as one, nor does silence. */
export const catchNodeError = <T>(answer: Promise<T>): Promise<T | NodeError> =>
  answer.catch((cause: unknown) => {
    if (cause instanceof NodeError) return cause
    throw cause
  })

/** The words of all clients for a balance that is too small. */
export const INSUFFICIENT_FUNDS =
  /insufficient[ _]?(funds|balance|lamports)|OutOfFund|not enough (funds|balance)|up-?front cost.*exceeds|exceeds (transaction sender )?(account )?balance|lack of funds|cause overdraft|INSUFFICIENT_PAYER_BALANCE|does(n't| not) have enough funds|(lower|less) than (the )?(tx|transaction) cost/i

/** Whether a node refuses because the wallet has too little money; Solana's says so in the log lines of the programs. */
export const isInsufficientFunds = (cause: unknown): boolean =>
  cause instanceof NodeError &&
  (INSUFFICIENT_FUNDS.test(cause.message) || INSUFFICIENT_FUNDS.test(logsOf(cause)))

function logsOf({ data }: NodeError): string {
  const logs = typeof data === 'object' && data !== null && 'logs' in data ? data.logs : undefined
  return Array.isArray(logs) ? logs.map(String).join('\n') : ''
}

/** JSON-RPC 2.0. */
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** Error code that some nodes use for a revert. */
export const EXECUTION_REVERTED = 3
/** EIP-1474. */
export const LIMIT_EXCEEDED = -32005
