import type { Hono } from 'hono'
import { createAccountService } from './accounts/accounts.ts'
import { createAccountChanges } from './accounts/changes/changes.ts'
import { createDescribeUser } from './accounts/describe-user.ts'
import { createSmsGateway } from './codes/sms-gateway.ts'
import { features, sweep } from './features.ts'
import { createApi, createVaultServer } from './http/api.ts'
import { createCallers } from './http/client-ip.ts'
import { createIdempotency } from './http/idempotency.ts'
import type { CoreServices, ServerEnv } from './http/services.ts'
import { createCaptcha } from './login/captcha/captcha.ts'
import type { LoginServices } from './login/services.ts'
import { createMfaGuard } from './mfa/guard.ts'
import { createMailer } from './outside/mail.ts'
import { assertRampSettings } from './ramps/ramps.ts'
import { loadSecrets, refreshSealingKeys } from './secrets/secrets.ts'
import { createAppKeys } from './sessions/app-keys.ts'
import type { SessionServices } from './sessions/services.ts'
import { createSessions } from './sessions/sessions.ts'
import { createTokens } from './sessions/tokens.ts'
import { type AppSettings, readApps } from './settings/app.ts'
import type { DatabaseSettings } from './settings/database.ts'
import { defaultLimits, type Limits } from './settings/limits.ts'
import { defaultOutside, type Outside } from './settings/outside.ts'
import { type Database, openDatabase } from './store/database.ts'
import { startDatabaseClock } from './store/database-clock.ts'
import { checkFingerprint } from './store/fingerprint.ts'
import { createOneTime } from './store/one-time.ts'
import { startSweeping } from './store/sweeping.ts'

export type { ServerEnv } from './http/services.ts'
export type { Limits } from './settings/limits.ts'

export interface BackendSettings {
  /** Folder for the PGlite files and, with mode 600, the secrets. */
  dataDir: string
  /** A PostgreSQL 15 or later instead of PGlite; several processes may share it if they share the secrets. */
  databaseUrl?: string | undefined
  /** How that PostgreSQL is used, where it differs from the defaults (settings/database.ts). */
  databaseSettings?: Partial<DatabaseSettings> | undefined
  /** The secrets as JSON text (secrets/secrets.ts) instead of the file in `dataDir`. */
  secrets?: string | undefined
  /** Public base of this API without a path, such as `http://localhost:4801`. */
  apiUrl: string
  /** Origin of the separate vault listener, if there is one. */
  vaultOrigin?: string | undefined
  apps: readonly AppSettings[]
  /** Where mail goes, such as `smtp://127.0.0.1:2525?ignoreTLS=true`. */
  smtpUrl: string
  mailFrom?: string | undefined
  /** Folder with the built vault: `manifest.json` and the files that it names. */
  vaultFiles: string
  limits?: Partial<Limits> | undefined
  /** Where third parties are (settings/outside.ts); the real ones without it. */
  outside?: Partial<Outside> | undefined
  /** Unix milliseconds, for tests; the database's clock without it. */
  clock?: (() => number) | undefined
  log?: ((line: string) => void) | undefined
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[] | undefined
  /** The header in which those proxies say where a caller is; without it, people see a range of addresses. */
  placeHeader?: string | undefined
}
export interface Backend {
  /** The JSON API, the vault page and its files. */
  api: Hono<ServerEnv>
  /** The vault page and its files alone, for an origin of its own. */
  vault: Hono<ServerEnv>
  /** The open database, for tools and tests. */
  database: Database
  /** Readiness says no from now on, and every answer closes its connection. */
  drain(): void
  /** Ends all that was started; requests under way must have ended. */
  close(): Promise<void>
}

/**
 * The reference backend, ready to be served: `serve({ fetch: backend.api.fetch })`.
 * @throws Error that says which setting, secret or database is wrong
 */
export async function createBackend(settings: BackendSettings): Promise<Backend> {
  const { log = () => {} } = settings
  const limits = { ...defaultLimits, ...settings.limits }
  const outside = { ...defaultOutside, ...settings.outside }
  const apps = readApps(settings.apps)
  assertRampSettings(apps.all)
  const apiOrigin = originOf(settings.apiUrl, 'apiUrl')
  const vaultOrigin = settings.vaultOrigin && originOf(settings.vaultOrigin, 'vaultOrigin')
  const callers = createCallers(settings.trustedProxies ?? [], settings.placeHeader)
  const secrets = await loadSecrets(settings.dataDir, settings.secrets)
  const store = await openDatabase(settings)
  const { database } = store
  const { now: clock, stop: stopClock } = await prepare().catch(async (cause: unknown) => {
    await store.close()
    throw cause
  })
  const lifecycle = { isDraining: false }

  /** Other secrets are refused; what several processes judge by is the clock of the database that they share. */
  async function prepare() {
    await checkFingerprint(database, secrets)
    if (settings.clock) return { now: settings.clock, stop() {} }
    return settings.databaseUrl ? startDatabaseClock(database, log) : { now: Date.now, stop() {} }
  }

  const core: CoreServices = {
    database,
    secrets,
    clock,
    log,
    lifecycle,
    apps,
    limits,
    outside,
    apiOrigin,
    ...callers,
    oneTime: createOneTime({ secrets, clock }),
    idempotency: createIdempotency({ database, secrets, limits, clock, log }),
    mailer: createMailer(settings.smtpUrl, settings.mailFrom ?? 'Latchkey <login@latchkey.example>', log),
    sms: createSmsGateway(outside.sms, limits, log),
    vaultOrigins: vaultOrigin ? [apiOrigin, vaultOrigin] : [apiOrigin],
    vaultFiles: settings.vaultFiles,
  }
  const changes = createAccountChanges({ ...core, sessions: createSessions(core) })
  const sessions: SessionServices = {
    ...core,
    tokens: createTokens(createAppKeys(core), apiOrigin, clock),
    sessions: createSessions(core),
    sessionEnding: changes,
    mfa: createMfaGuard(core),
    describeUser: createDescribeUser(database),
  }
  const services: LoginServices = {
    ...sessions,
    changes,
    accounts: createAccountService({ ...sessions, changes }),
    captcha: createCaptcha({ ...core, verifyUrl: outside.captchaVerifyUrl }),
    proofKinds: [],
  }
  const running = features.map((feature) => feature.start?.(services) ?? {})
  const stopSweeping = startSweeping(core, (now) => sweep(database, limits, now))
  const reloading = setInterval(() => refreshSealingKeys(secrets), limits.secretsReload)
  reloading.unref()

  return {
    api: createApi(services, running),
    vault: createVaultServer(services, running),
    database,
    drain() {
      lifecycle.isDraining = true
    },
    async close() {
      stopSweeping()
      stopClock()
      clearInterval(reloading)
      for (const { close } of running) close?.()
      core.mailer.close()
      await store.close()
    },
  }
}

function originOf(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  )
    throw new Error(`${name} must be an address without a path, such as https://api.example.com`)
  return url.origin
}
