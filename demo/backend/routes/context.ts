import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Admissions } from '../domain/admissions.ts'
import type { App, Apps } from '../domain/app-settings.ts'
import type { Captcha } from '../domain/captcha.ts'
import type { CustomLogin } from '../domain/custom-jwt.ts'
import type { EmbeddedWallets } from '../domain/embedded/embedded-wallets.ts'
import type { FarcasterLogin } from '../domain/farcaster.ts'
import type { GuestLogin } from '../domain/guest.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import type { RateLimits } from '../domain/limits.ts'
import type { EmailLogin } from '../domain/login.ts'
import type { CrossApp } from '../domain/oauth/cross-app.ts'
import type { OAuthLogin } from '../domain/oauth/oauth.ts'
import type { OneTime } from '../domain/one-time.ts'
import type { Outside } from '../domain/outside.ts'
import type { Passkeys } from '../domain/passkeys.ts'
import type { GoogleDriveAccess } from '../domain/recovery-oauth/google-drive.ts'
import type { IcloudAccess } from '../domain/recovery-oauth/icloud.ts'
import type { Sessions } from '../domain/sessions.ts'
import type { EthereumLogin } from '../domain/siwe.ts'
import type { SolanaLogin } from '../domain/siws.ts'
import type { SmsLogin } from '../domain/sms-login.ts'
import type { TelegramLogin } from '../domain/telegram.ts'
import type { Tokens } from '../domain/tokens.ts'
import type { Database } from '../store/open.ts'

/** What the routes work with: the domain, and where this server is known to the world. */
export interface Services {
  database: Database
  clock: () => number
  apps: Apps
  tokens: Tokens
  sessions: Sessions
  admissions: Admissions
  oneTime: OneTime
  captcha: Captcha
  limits: RateLimits
  outside: Outside
  emailLogin: EmailLogin
  smsLogin: SmsLogin
  passkeys: Passkeys
  oauth: OAuthLogin
  crossApp: CrossApp
  googleDrive: GoogleDriveAccess
  icloud: IcloudAccess
  telegram: TelegramLogin
  farcaster: FarcasterLogin
  ethereumLogin: EthereumLogin
  solanaLogin: SolanaLogin
  guest: GuestLogin
  customLogin: CustomLogin
  embedded: EmbeddedWallets
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
