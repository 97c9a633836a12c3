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
 * | `APPS_FILE`       | JSON file with the apps (settings/app.ts)                    | the demo apps |
 * | `SMTP_URL`        | where mail goes; required                                           | – |
 * | `MAIL_FROM`       | sender of the mails                                                 | `Latchkey <login@latchkey.example>` |
 * | `LIMITS`          | JSON object with other policy numbers (settings/limits.ts)            | those in settings/limits.ts |
 * | `OUTSIDE`         | JSON object with other addresses of third parties (settings/outside.ts) | the real ones |
 * | `TRUSTED_PROXIES` | addresses and ranges, separated by commas                           | none |
 * | `PLACE_HEADER`    | header in which those proxies say where a caller is                 | none |
 *
 * When it answers it prints one line of JSON, `{"api": <url>, "vault": <url or null>}`. SIGTERM or SIGINT ends it.
 */
import { resolve } from 'node:path'
import { serve } from '@hono/node-server'
import { type Backend, createBackend } from './server.ts'
import { readDatabaseSettings } from './settings/database.ts'
import { demoApps } from './settings/demo-apps.ts'
import { parseJson, readAppsFile } from './settings/from-environment.ts'
import { readLimits } from './settings/limits.ts'
import type { Outside } from './settings/outside.ts'

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const smtpUrl = env.SMTP_URL
  if (!smtpUrl) throw new Error('SMTP_URL is not set: codes could not be sent')
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
    apps: env.APPS_FILE ? readAppsFile(env.APPS_FILE) : demoApps,
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
    await Promise.all([api.stop(), vault?.stop()])
    await running.close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function listen(hostname: string, port: number, app: () => Backend['api'] | undefined) {
  return new Promise<{ port: number; stop: () => Promise<void> }>((ready, failed) => {
    const server = serve(
      {
        hostname,
        port,
        fetch: (request, env) =>
          app()?.fetch(request, env) ??
          new Response('{"error":"Starting"}', {
            status: 503,
            headers: { 'content-type': 'application/json' },
          }),
      },
      (info) =>
        ready({ port: info.port, stop: () => new Promise((stopped) => server.close(() => stopped())) }),
    )
    server.once('error', (cause: Error) => failed(new Error(`Port ${port} cannot be used`, { cause })))
  })
}

main(process.env).catch((cause: unknown) => {
  console.error(cause instanceof Error ? cause.message : cause)
  if (cause instanceof Error && cause.cause instanceof Error) console.error(cause.cause.message)
  process.exit(1)
})
