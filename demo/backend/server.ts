import type { Hono } from 'hono'
import { createAdmissions } from './domain/admissions.ts'
import { type AppSettings, readApps } from './domain/app-settings.ts'
import { createCaptcha } from './domain/captcha.ts'
import { createCodes } from './domain/codes.ts'
import { createCustomLogin } from './domain/custom-jwt.ts'
import { createEmbeddedWallets } from './domain/embedded/embedded-wallets.ts'
import { createFarcasterChain } from './domain/farcaster/chain.ts'
import { createFarcasterRelay } from './domain/farcaster/relay.ts'
import { createFarcasterLogin } from './domain/farcaster.ts'
import { createGuestLogin } from './domain/guest.ts'
import { createIdempotency } from './domain/idempotency.ts'
import { createKeySets } from './domain/key-sets.ts'
import { defaultLimits, type RateLimits } from './domain/limits.ts'
import { createEmailLogin } from './domain/login.ts'
import { createMailer } from './domain/mail.ts'
import { createCrossApp } from './domain/oauth/cross-app.ts'
import { createExchange } from './domain/oauth/exchange.ts'
import { createOAuthLogin } from './domain/oauth/oauth.ts'
import { createOneTime } from './domain/one-time.ts'
import { defaultOutside, type Outside } from './domain/outside.ts'
import { createPasskeys } from './domain/passkeys.ts'
import { createGoogleDriveAccess } from './domain/recovery-oauth/google-drive.ts'
import { createIcloudAccess } from './domain/recovery-oauth/icloud.ts'
import { loadSecrets, refreshSealingKeys } from './domain/secrets.ts'
import { createSessions } from './domain/sessions.ts'
import { createEthereumLogin } from './domain/siwe.ts'
import { createSolanaLogin } from './domain/siws.ts'
import { createSmsGateway } from './domain/sms.ts'
import { createSmsLogin } from './domain/sms-login.ts'
import { createTelegramLogin } from './domain/telegram.ts'
import { createTokens } from './domain/tokens.ts'
import { createApi, createVaultServer } from './routes/api.ts'
import { createClientIp } from './routes/client-ip.ts'
import type { ServerEnv } from './routes/context.ts'
import { oauthCallbackUrl } from './routes/oauth.ts'
import { driveCallbackUrl } from './routes/recovery-oauth.ts'
import { checkFingerprint } from './store/installation.ts'
import { type Database, openDatabase } from './store/open.ts'
import { sweep } from './store/sweep.ts'

export type { RateLimits } from './domain/limits.ts'
export type { ServerEnv } from './routes/context.ts'

export interface BackendSettings {
  /** Folder for the PGlite files and, with mode 600, the secrets. */
  dataDir: string
  /** A PostgreSQL 15 or later instead of PGlite; several processes may share it if they share the secrets. */
  databaseUrl?: string | undefined
  /** The secrets as JSON text (domain/secrets.ts) instead of the file in `dataDir`. */
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
  limits?: Partial<RateLimits> | undefined
  /** Where third parties are (domain/outside.ts); the real ones without it. */
  outside?: Partial<Outside> | undefined
  /** Unix milliseconds, for tests. */
  clock?: (() => number) | undefined
  log?: ((line: string) => void) | undefined
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[] | undefined
}
export interface Backend {
  /** The JSON API, the vault page and its files. */
  api: Hono<ServerEnv>
  /** The vault page and its files alone, for an origin of its own. */
  vault: Hono<ServerEnv>
  /** The open database, for tools and tests. */
  database: Database
  /** Ends all that was started; requests under way must have ended. */
  close(): Promise<void>
}

const SWEEP_EVERY = 10 * 60_000

/**
 * The reference backend, ready to be served: `serve({ fetch: backend.api.fetch })`.
 * @throws Error that says which setting, secret or database is wrong
 */
export async function createBackend(settings: BackendSettings): Promise<Backend> {
  const { clock = Date.now, log = () => {} } = settings
  const limits = { ...defaultLimits, ...settings.limits }
  const outside = { ...defaultOutside, ...settings.outside }
  const apps = readApps(settings.apps)
  const apiOrigin = originOf(settings.apiUrl, 'apiUrl')
  const vaultOrigin = settings.vaultOrigin && originOf(settings.vaultOrigin, 'vaultOrigin')
  const clientIp = createClientIp(settings.trustedProxies ?? [])
  const secrets = await loadSecrets(settings.dataDir, settings.secrets)
  const store = await openDatabase(settings)
  const { database } = store
  try {
    await checkFingerprint(database, secrets)
    await sweep(database, limits, clock())
  } catch (cause) {
    await store.close()
    throw cause
  }

  const mailer = createMailer(settings.smtpUrl, settings.mailFrom ?? 'Latchkey <login@latchkey.example>', log)
  const tokens = createTokens(secrets, apiOrigin, clock)
  const sessions = createSessions({ database, secrets, limits, clock })
  const oneTime = createOneTime({ secrets, clock })
  const codes = createCodes({ database, secrets, limits, clock })
  const crossApp = createCrossApp({ database, apps, tokens, oneTime, limits })
  const exchange = createExchange({ keySets: createKeySets({ limits, clock }), limits, clock })
  const services = {
    ...{ database, clock, apps, tokens, sessions, apiOrigin, clientIp, oneTime, limits, outside },
    admissions: createAdmissions({ database, sessions, oneTime, limits, clock }),
    captcha: createCaptcha({ verifyUrl: outside.captchaVerifyUrl, database, oneTime, limits }),
    crossApp,
    oauth: createOAuthLogin({
      ...{ database, apps, oneTime, sessions, exchange, crossApp, outside, limits, log },
      callbackUrl: oauthCallbackUrl(apiOrigin),
    }),
    googleDrive: createGoogleDriveAccess({
      ...{ database, apps, oneTime, outside, limits, log },
      callbackUrl: driveCallbackUrl(apiOrigin),
    }),
    icloud: createIcloudAccess({ outside, limits, vaultOrigin: vaultOrigin || apiOrigin, log }),
    telegram: createTelegramLogin({ oneTime, limits, clock }),
    farcaster: createFarcasterLogin({
      ...{ database, oneTime, limits, clock },
      relay: createFarcasterRelay({ url: outside.farcasterRelayUrl, limits }),
      chain: createFarcasterChain({ url: outside.optimismRpcUrl, limits }),
    }),
    ethereumLogin: createEthereumLogin({ database, oneTime, rpcUrls: outside.chainRpcUrls, limits, clock }),
    solanaLogin: createSolanaLogin({ database, oneTime, limits, clock }),
    guest: createGuestLogin({ secrets }),
    customLogin: createCustomLogin({ limits, clock }),
    passkeys: createPasskeys({ database, oneTime, limits }),
    emailLogin: createEmailLogin({ codes, mailer, limits }),
    smsLogin: createSmsLogin({ codes, limits, sms: createSmsGateway(outside.sms, limits, log) }),
    embedded: createEmbeddedWallets({
      ...{ database, secrets, oneTime, limits, clock },
      rpcUrls: outside.chainRpcUrls,
    }),
    idempotency: createIdempotency({ database, secrets, limits, clock }),
    vaultOrigins: vaultOrigin ? [apiOrigin, vaultOrigin] : [apiOrigin],
    vaultFiles: settings.vaultFiles,
  }
  const sweeping = setInterval(() => {
    sweep(database, limits, clock()).catch(() => log('Old rows could not be removed'))
  }, SWEEP_EVERY)
  sweeping.unref()
  const reloading = setInterval(() => refreshSealingKeys(secrets), limits.secretsReload)
  reloading.unref()

  return {
    api: createApi(services, log),
    vault: createVaultServer(services, log),
    database,
    async close() {
      clearInterval(sweeping)
      clearInterval(reloading)
      mailer.close()
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
