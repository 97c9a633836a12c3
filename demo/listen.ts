import type { Server as HttpServer } from 'node:http'
import { serve } from '@hono/node-server'

/** What answers requests, such as a Hono app. */
export type Fetch = (request: Request) => Response | Promise<Response>

export interface Server {
  close(): Promise<void>
}

/** Serves an app on this machine only. Throws an error that names the port when it is taken. */
export function listen(port: number, app: { fetch: Fetch }, name: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve(
      // A process that serves keeps its own Request and Response.
      { fetch: app.fetch, port, hostname: '127.0.0.1', overrideGlobalObjects: false },
      () => resolve({ close }),
    ) as HttpServer
    server.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'EADDRINUSE'
          ? new Error(`Port ${port}, for the ${name}, is taken. Set LATCHKEY_PORT to another one.`)
          : cause,
      ),
    )
    const close = () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
  })
}
