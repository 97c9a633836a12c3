/**
 * The reference backend as a program of its own: `node --import tsx demo/backend/main.ts`.
 *
 * | variable          | meaning                                                             | default |
 * |-------------------|---------------------------------------------------------------------|---------|
 * | `PORT`            | port of the API; 0 takes any free one                               | 4801 |
 * | `HOST`            | address to listen on                                                | 127.0.0.1 |
 * | `API_URL`         | public base of the API                                              | `http://localhost:<port>` |
 * | `VAULT_PORT`      | port of the separate vault listener; without it there is none       | – |
 * | `VAULT_ORIGIN`    | public origin of that listener                                      | `http://localhost:<vault port>` |
 * | `VAULT_FILES`     | folder with the built vault                                         | `dist/vault` |
 * | `LATCHKEY_DATA`   | folder for PGlite and the secrets                                   | `.latchkey` |
 * | `LATCHKEY_SECRETS`| the secrets as JSON text (secrets/secrets.ts) instead of that folder's | – |
 * | `DATABASE_URL`    | PostgreSQL instead of PGlite; `DATABASE_POOL_SIZE`, `DATABASE_CONNECT_TIMEOUT`, `DATABASE_QUERY_TIMEOUT`,
 * |                   | `DATABASE_STATEMENT_TIMEOUT`, `DATABASE_IDLE_TRANSACTION_TIMEOUT`, `DATABASE_KEEP_ALIVE` and
 * |                   | `DATABASE_NAMED_STATEMENTS` say how (settings/database.ts)          | – |
 * | `APPS_FILE`       | JSON file with the apps (settings/app.ts); required but for `DEMO=1`, which takes the demo's | – |
 * | `SMTP_URL`        | where mail goes; required                                           | – |
 * | `MAIL_FROM`       | sender of the mails                                                 | `Latchkey <login@latchkey.example>` |
 * | `LIMITS`          | JSON object with other policy numbers (settings/limits.ts)            | those in settings/limits.ts |
 * | `OUTSIDE`         | JSON object with other addresses of third parties (settings/outside.ts) | the real ones |
 * | `TRUSTED_PROXIES` | addresses and ranges, separated by commas                           | none |
 * | `PLACE_HEADER`    | header in which those proxies say where a caller is                 | none |
 *
 * When it answers it prints one line of JSON, `{"api": <url>, "vault": <url or null>}`. SIGTERM or SIGINT ends it: requests
 * under way are answered within `DRAIN_TIMEOUT` milliseconds (10000), and then cut off. A second signal ends it at once.
 */
import type { Server } from 'node:http'
import { resolve } from 'node:path'
import { serve } from '@hono/node-server'
import { type Backend, createBackend } from './server.ts'
import { readDatabaseSettings } from './settings/database.ts'
import { type AppSettings, demoApps } from './settings/demo-apps.ts'
import { parseJson, readAppsFile, readMilliseconds } from './settings/from-environment.ts'
import { readLimits } from './settings/limits.ts'
import type { Outside } from './settings/outside.ts'

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const smtpUrl = env.SMTP_URL
  if (!smtpUrl) throw new Error('SMTP_URL is not set: codes could not be sent')
  const apps = readApps(env)
  const drainTimeout = readMilliseconds('DRAIN_TIMEOUT', env.DRAIN_TIMEOUT, 10_000)
  let backend: Backend | undefined
  const hostname = env.HOST ?? '127.0.0.1'
  // The ports come first: with port 0 the addresses that the backend must know are known only then.
  const api = await listen(hostname, Number(env.PORT ?? 4801), () => backend?.api)
  const vault = env.VAULT_PORT
    ? await listen(hostname, Number(env.VAULT_PORT), () => backend?.vault)
    : undefined
  const apiUrl = env.API_URL ?? `http://localhost:${api.port}`
  const vaultOrigin = env.VAULT_ORIGIN ?? (vault && `http://localhost:${vault.port}`)

  backend = await createBackend({
    dataDir: resolve(env.LATCHKEY_DATA ?? '.latchkey'),
    databaseUrl: env.DATABASE_URL,
    databaseSettings: readDatabaseSettings(env),
    secrets: env.LATCHKEY_SECRETS,
    apiUrl,
    vaultOrigin,
    apps,
    smtpUrl,
    mailFrom: env.MAIL_FROM,
    vaultFiles: resolve(env.VAULT_FILES ?? 'dist/vault'),
    limits: readLimits(env.LIMITS),
    outside: parseJson('OUTSIDE', () => env.OUTSIDE || '{}') as Partial<Outside>,
    log: (line) => console.error(line),
    placeHeader: env.PLACE_HEADER,
    trustedProxies: env.TRUSTED_PROXIES?.split(',').map((range) => range.trim()),
  })
  console.log(JSON.stringify({ api: apiUrl, vault: vaultOrigin ?? null }))

  const running = backend
  async function stop() {
    running.drain()
    await Promise.all([api.stop(drainTimeout), vault?.stop(drainTimeout)])
    // Nothing that a database in trouble does not answer keeps the process alive.
    setTimeout(() => process.exit(0), CLOSE_TIMEOUT).unref()
    await running.close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

interface Listening {
  port: number
  /** Takes no more connections; what is under way after `timeout` milliseconds is cut off. */
  stop: (timeout: number) => Promise<void>
}

/** Milliseconds for what is left once no request is under way. */
const CLOSE_TIMEOUT = 5_000

/** @throws Error without `APPS_FILE`: nobody serves the demo's apps, which anybody may use, by mistake */
function readApps({ APPS_FILE: file, DEMO: demo }: NodeJS.ProcessEnv): readonly AppSettings[] {
  if (file) return readAppsFile(file)
  if (demo === '1') return demoApps
  throw new Error("APPS_FILE is not set: there are no apps to serve. DEMO=1 serves the demo's.")
}

function listen(hostname: string, port: number, app: () => Backend['api'] | undefined) {
  return new Promise<Listening>((ready, failed) => {
    const server = serve(
      {
        hostname,
        port,
        fetch: (request, env) => app()?.fetch(request, env) ?? starting(request),
      },
      (info) => ready({ port: info.port, stop }),
    ) as Server
    const stop = (timeout: number) =>
      new Promise<void>((stopped) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), timeout)
        server.close(() => {
          clearTimeout(cutOff)
          stopped()
        })
      })
    server.once('error', (cause: Error) => failed(new Error(`Port ${port} cannot be used`, { cause })))
  })
}

/** The process is alive, and not ready. */
function starting(request: Request): Response {
  const isProbe = new URL(request.url).pathname === '/livez'
  return Response.json(isProbe ? { ok: true } : { error: 'Starting' }, {
    status: isProbe ? 200 : 503,
    headers: isProbe ? {} : { 'retry-after': '1' },
  })
}

main(process.env).catch((cause: unknown) => {
  console.error(cause instanceof Error ? cause.message : cause)
  if (cause instanceof Error && cause.cause instanceof Error) console.error(cause.cause.message)
  process.exit(1)
})
