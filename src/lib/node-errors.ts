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

/** No readable answer came, so nobody knows what has become of the request. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** Nobody can say whether the network has a signed transaction, so it must not be created again. */
export class Unsettled extends Error {
  override name = 'Unsettled'
  /** @param hash the transaction's hash, or on Solana its first signature in base58 */
  constructor(
    message: string,
    readonly hash: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** JSON-RPC 2.0. */
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** EIP-1474. */
export const LIMIT_EXCEEDED = -32005
