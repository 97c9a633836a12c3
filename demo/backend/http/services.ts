import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { RefusalCode } from '../lib/refusal.ts'
import type { Mailer } from '../outside/mail.ts'
import type { SmsGateway } from '../outside/sms.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { App, Apps } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import type { Outside } from '../settings/outside.ts'
import type { Database } from '../store/database.ts'
import type { OneTime } from '../store/one-time.ts'
import type { Idempotency } from './idempotency.ts'

/** What every feature works with: the settings, the store, and where this server is known to the world. */
export interface CoreServices {
  database: Database
  secrets: Secrets
  oneTime: OneTime
  idempotency: Idempotency
  /** Unix milliseconds. */
  clock: () => number
  log: (line: string) => void
  /** `isDraining`: the server ends once what is under way is answered. */
  lifecycle: Readonly<{ isDraining: boolean }>
  apps: Apps
  limits: Limits
  outside: Outside
  mailer: Mailer
  sms: SmsGateway
  /** Origin of the API, such as `http://localhost:4801`. */
  apiOrigin: string
  /** Origins on which the vault runs: the API's own, and that of the separate listener. */
  vaultOrigins: readonly string[]
  /** Folder with the built vault. */
  vaultFiles: string
  /** Who asks, as a key for limits; `undefined` for a call without a connection (from inside). */
  clientIp: (c: ServerContext) => string | undefined
  /** Their whole address, for providers that have to be told; from the connection, or from a trusted proxy. */
  callerAddress: (c: ServerContext) => string | undefined
  /** About where they are, for people to read; `''` where nothing is known. */
  placeOf: (c: ServerContext) => string
}

/** `app` is there behind `requireApp`; `requestId` names the request in the log; `refused` is the code of a refusal. */
export interface ServerEnv {
  Bindings: Partial<HttpBindings>
  Variables: { app: App; requestId: string; refused?: RefusalCode }
}
export type ServerContext = Context<ServerEnv>
