import { type Clock, within } from '../../lib/clock.ts'
import { limits } from '../../lib/limits.ts'
import { originAllowed } from '../../lib/origin.ts'
import { type ExportMessage, exportHello, readExportToken } from '../../protocol/frame/export.ts'
import type { VaultMessage, VaultPage } from '../entry/frame-channel.ts'

/** The way back to the page: messages, and never anything of a key. */
export interface PageConnection {
  readonly accessToken: string
  send(message: ExportMessage): void
}
/** As much of a port as is needed. */
export interface ConnectionPort {
  onmessage: ((event: MessageEvent) => void) | null
  postMessage(message: unknown): void
}

/**
 * Waits for the page's one hello and for the token that follows on its port. A hello counts when it
 * comes from the parent itself, from an allowed origin and with one port; only the first hello and the first token count:
 * anything later is ignored. Throws `TimedOut` when the page has said nothing for 30 s.
 */
export async function connectToPage(
  page: VaultPage,
  allowedOrigins: readonly string[],
  clock: Clock,
): Promise<PageConnection> {
  const { parent } = page
  let onMessage: (event: VaultMessage) => void = () => {}
  const hello = new Promise<ConnectionPort>((resolve) => {
    onMessage = ({ source, origin, data, ports = [] }) => {
      if (source !== parent || data !== exportHello || !originAllowed(origin, allowedOrigins)) return
      const [port, ...more] = ports
      if (!port || more.length > 0) return
      page.removeEventListener('message', onMessage)
      resolve(port as ConnectionPort)
    }
    page.addEventListener('message', onMessage)
  })
  try {
    return await within(clock, limits.vaultReadyAction, async () => {
      const port = await hello
      return { accessToken: await firstToken(port), send: (message) => port.postMessage(message) }
    })
  } finally {
    page.removeEventListener('message', onMessage)
  }
}

const firstToken = (port: ConnectionPort): Promise<string> =>
  new Promise((resolve) => {
    port.onmessage = ({ data }) => {
      const token = readExportToken(data)
      if (!token) return
      port.onmessage = null
      resolve(token.accessToken)
    }
  })
