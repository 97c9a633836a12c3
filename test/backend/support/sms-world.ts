import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createSmsGateway } from '../../../demo/world/sms/sms.ts'
import { type Store, startWorld, type World } from './world.ts'

export const account = { accountSid: `AC${'0123456789abcdef'.repeat(2)}`, authToken: 'token-of-the-gateway' }

type Answer = (request: Request) => Response | Promise<Response>

export interface SmsWorld extends World {
  /** Answers instead of the gateway until it is set back to `undefined`. */
  gateway: { instead: Answer | undefined; url: string; requests: string[] }
}

/** A world whose backend sends SMS through the stand-in, over HTTP. */
export async function startSmsWorld(
  store: Store,
  settings: Parameters<typeof startWorld>[1] = {},
): Promise<SmsWorld> {
  let world: World | undefined
  const { app } = createSmsGateway({
    mailbox: { add: (message) => world?.mailbox.add(message) },
    sid: account.accountSid,
    token: account.authToken,
  })
  const gateway: SmsWorld['gateway'] = { instead: undefined, url: '', requests: [] }
  const server = serve({
    overrideGlobalObjects: false,
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      gateway.requests.push(`${request.method} ${new URL(request.url).pathname}`)
      return gateway.instead ? gateway.instead(request) : app.fetch(request)
    },
  })
  await new Promise<void>((ready) => (server.listening ? ready() : server.once('listening', () => ready())))
  gateway.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  world = await startWorld(store, {
    ...settings,
    outside: { ...settings.outside, sms: { baseUrl: gateway.url, from: '+15005550006', ...account } },
  })
  const { stop } = world
  return Object.assign(world, {
    gateway,
    async stop() {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await stop()
    },
  })
}

let numbers = 0
/** A number in Germany that nobody had before. */
export const newNumber = () => `+49151${String(20_000_000 + ++numbers)}`
