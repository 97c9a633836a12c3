import type { Browser } from 'playwright-core'

/** How slow the machine and its network pretend to be. */
export interface Slowness {
  /** How many times slower the processor is. */
  readonly cpu: number
  readonly network: { latency: number; downloadThroughput: number; uploadThroughput: number } | undefined
}

/**
 * Opens an address in a window of its own, with nothing in the cache, and closes it after `work`. Playwright itself
 * follows what runs in its pages, and an engine that is followed reads a file a second time where an error arises in it,
 * and keeps its stack: no time that a person waits. So this page is told to be slow, and what it finds it has to tell by itself.
 */
export async function openPlainly<T>(
  browser: Browser,
  address: string,
  { cpu, network }: Slowness,
  work: () => Promise<T>,
): Promise<T> {
  const session = await browser.newBrowserCDPSession()
  const { browserContextId } = await session.send('Target.createBrowserContext')
  try {
    const { targetId } = await session.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false })
    let calls = 0
    const tell = (method: string, params: object) => {
      const id = ++calls
      const answered = new Promise<void>((resolve, reject) => {
        session.on('Target.receivedMessageFromTarget', ({ message }) => {
          const answer: { id?: number; error?: { message: string } } = JSON.parse(message)
          if (answer.id !== id) return
          if (answer.error) reject(new Error(`${method}: ${answer.error.message}`))
          else resolve()
        })
      })
      const message = JSON.stringify({ id, method, params })
      return Promise.all([session.send('Target.sendMessageToTarget', { sessionId, message }), answered])
    }
    await tell('Network.enable', {})
    await tell('Network.setCacheDisabled', { cacheDisabled: true })
    if (network) await tell('Network.emulateNetworkConditions', { offline: false, ...network })
    await tell('Emulation.setCPUThrottlingRate', { rate: cpu })
    await tell('Page.navigate', { url: address })
    return await work()
  } finally {
    await session.send('Target.disposeBrowserContext', { browserContextId })
    await session.detach()
  }
}
