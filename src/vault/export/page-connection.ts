import { type Clock, within } from '../../lib/clock.ts'
import { type ExportMessage, exportHello, readExportToken } from '../../protocol/frame/export.ts'
import { frameLimits } from '../../protocol/frame/limits.ts'
import type { VaultPage } from '../entry/frame-channel.ts'
import { awaitHello, type ConnectionPort } from '../entry/hello.ts'

/** The way back to the page: messages, and never anything of a key. */
export interface PageConnection {
  readonly accessToken: string
  send(message: ExportMessage): void
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
  const over = new AbortController()
  try {
    return await within(clock, frameLimits.readyForAction, async () => {
      const { port } = await awaitHello(page, exportHello, allowedOrigins, over.signal)
      return { accessToken: await firstToken(port), send: (message) => port.postMessage(message) }
    })
  } finally {
    over.abort()
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
