import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HttpBindings, serve } from '@hono/node-server'

type Answer = (request: Request, env: HttpBindings) => Response | Promise<Response>
export interface Served<App> {
  readonly origin: string
  readonly app: App
  stop(): Promise<void>
}

/**
 * Serves an app on a free port of this machine. The app is made once its address is known.
 * @param hostname the name in the app's origin: `127.0.0.1` by default
 */
export async function serveOn<App extends { fetch: Answer }>(
  make: (origin: string) => App | Promise<App>,
  hostname: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<Served<App>> {
  let app: App | undefined
  const server = await new Promise<Server>((ready) => {
    const listening = serve(
      {
        // Suites that share this process make responses with its own Response.
        overrideGlobalObjects: false,
        fetch: (request, env) =>
          app?.fetch(request, env as HttpBindings) ?? new Response(null, { status: 503 }),
        port: 0,
        hostname: '127.0.0.1',
      },
      () => ready(listening as Server),
    )
  })
  const origin = `http://${hostname}:${(server.address() as AddressInfo).port}`
  const made = await make(origin)
  app = made
  return {
    origin,
    app: made,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** Serves one function on a free port of this machine. */
export const serveFetch = (fetch: Answer) => serveOn(() => ({ fetch }))
