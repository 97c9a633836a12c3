import type { Emitter } from '../../lib/emitter.ts'
import type { EthereumProvider } from './connector.ts'
import type { ProviderRpcError } from './provider-error.ts'

/** The events for a host's library. */
export interface HostEvents {
  accountsChanged: readonly string[]
  chainChanged: string
  connect: { chainId: string }
  disconnect: ProviderRpcError
  message: unknown
}

/**
 * How libraries listen: the same listener added twice is called once.
 * @param ordered the accounts in the order in which this provider lists them
 */
export function hostListeners<P>(
  hostEvents: Emitter<HostEvents>,
  provider: () => P,
  ordered: (addresses: readonly string[]) => readonly string[] = (addresses) => addresses,
): Pick<EthereumProvider, 'on' | 'removeListener'> {
  const stops = new Map<string, Map<unknown, () => void>>()
  return {
    on(event, listener) {
      const known = stops.get(event) ?? new Map<unknown, () => void>()
      stops.set(event, known)
      const hear = listener as (detail: unknown) => void
      const stop = () =>
        event === 'accountsChanged'
          ? hostEvents.on(event, (addresses) => hear(ordered(addresses)))
          : hostEvents.on(event as keyof HostEvents, hear)
      if (!known.has(listener)) known.set(listener, stop())
      return provider()
    },
    removeListener(event, listener) {
      stops.get(event)?.get(listener)?.()
      stops.get(event)?.delete(listener)
      return provider()
    },
  }
}
