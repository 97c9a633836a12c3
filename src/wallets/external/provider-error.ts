import { INVALID_PARAMS } from '../../lib/node-errors.ts'

/** An EIP-1193 error for a host, whose libraries go by its number. */
export class ProviderRpcError extends Error {
  override name = 'ProviderRpcError'
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export const disconnectedError = () => new ProviderRpcError(4900, 'Disconnected')

/** The wallet is there, but its chain's node is not. */
export const chainDisconnectedError = (cause?: unknown) =>
  new ProviderRpcError(4901, 'Chain disconnected', undefined, { cause })

/**
 * Refuses a request for its parameters. Parameters that are no list are 4200, which hosts compare; anything else is JSON-RPC's own code.
 * @param given all of them; left out where they are a list with a wrong member
 */
export const invalidParams = (method: string, given?: { readonly params: unknown }) =>
  new ProviderRpcError(
    !given || Array.isArray(given.params) ? INVALID_PARAMS : 4200,
    `Invalid params for ${method}`,
  )
