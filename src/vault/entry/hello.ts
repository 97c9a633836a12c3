import { originAllowed } from '../../lib/origin.ts'
import type { VaultMessage, VaultPage } from './frame-channel.ts'

/** As much of a port as is needed. */
export interface ConnectionPort {
  onmessage: ((event: MessageEvent) => void) | null
  postMessage(message: unknown): void
}

/**
 * Waits for the one window message with which the page around connects. It counts when it comes from the parent itself, from
 * an allowed origin and with one port; nothing later counts. `signal` ends the wait, and the promise is then left as it is.
 * Resolves with the port, and with the origin as the browser names it.
 */
export function awaitHello(
  page: Pick<VaultPage, 'parent' | 'addEventListener' | 'removeEventListener'>,
  hello: string,
  allowedOrigins: readonly string[],
  signal?: AbortSignal,
): Promise<{ readonly port: ConnectionPort; readonly origin: string }> {
  const { parent } = page
  return new Promise((resolve) => {
    const onMessage = ({ source, origin, data, ports = [] }: VaultMessage) => {
      if (source !== parent || data !== hello || !originAllowed(origin, allowedOrigins)) return
      const [port, ...more] = ports
      if (!port || more.length > 0) return
      page.removeEventListener('message', onMessage)
      resolve({ port: port as ConnectionPort, origin })
    }
    page.addEventListener('message', onMessage)
    signal?.addEventListener('abort', () => page.removeEventListener('message', onMessage), { once: true })
  })
}
