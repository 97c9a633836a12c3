import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { App, Apps } from '../domain/app-settings.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import type { EmailLogin } from '../domain/login.ts'
import type { Sessions } from '../domain/sessions.ts'
import type { Tokens } from '../domain/tokens.ts'
import type { Wallets } from '../domain/wallets.ts'
import type { Database } from '../store/open.ts'

/** What the routes work with: the domain, and where this server is known to the world. */
export interface Services {
  database: Database
  clock: () => number
  apps: Apps
  tokens: Tokens
  sessions: Sessions
  emailLogin: EmailLogin
  wallets: Wallets
  idempotency: Idempotency
  /** Origin of the API, such as `http://localhost:4801`. */
  apiOrigin: string
  /** Origins on which the vault runs: the API's own, and that of the separate listener. */
  vaultOrigins: readonly string[]
  vaultFiles: string
  /** Who asks, as a key for limits; `undefined` for a call without a connection (from inside). */
  clientIp: (c: ServerContext) => string | undefined
}

/** `app` is there behind `requireApp`. */
export interface ServerEnv {
  Bindings: Partial<HttpBindings>
  Variables: { app: App }
}
export type ServerContext = Context<ServerEnv>
