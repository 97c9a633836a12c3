import { createSmsGateway } from '../../../demo/world/sms/sms.ts'
import { serveFetch } from '../../support/serve.ts'
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
  const server = await serveFetch((request) => {
    gateway.requests.push(`${request.method} ${new URL(request.url).pathname}`)
    return gateway.instead ? gateway.instead(request) : app.fetch(request)
  })
  gateway.url = server.origin
  world = await startWorld(store, {
    ...settings,
    outside: { ...settings.outside, sms: { baseUrl: gateway.url, from: '+15005550006', ...account } },
  })
  const { stop } = world
  return Object.assign(world, {
    gateway,
    async stop() {
      await server.stop()
      await stop()
    },
  })
}

let numbers = 0
/** A number in Germany that nobody had before. */
export const newNumber = () => `+49151${String(20_000_000 + ++numbers)}`
