/** An error as EIP-1193 gives it to a host, whose libraries go by its number. */
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

/** Spec §8 "Wallet connection". */
export const disconnectedError = () => new ProviderRpcError(4900, 'Disconnected')
