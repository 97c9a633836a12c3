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

/** How libraries listen: the same listener added twice is called once. */
export function hostListeners<P>(
  hostEvents: Emitter<HostEvents>,
  provider: () => P,
): Pick<EthereumProvider, 'on' | 'removeListener'> {
  const stops = new Map<string, Map<unknown, () => void>>()
  return {
    on(event, listener) {
      const known = stops.get(event) ?? new Map<unknown, () => void>()
      stops.set(event, known)
      if (!known.has(listener))
        known.set(listener, hostEvents.on(event as keyof HostEvents, listener as (detail: unknown) => void))
      return provider()
    },
    removeListener(event, listener) {
      stops.get(event)?.get(listener)?.()
      stops.get(event)?.delete(listener)
      return provider()
    },
  }
}
