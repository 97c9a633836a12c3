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
