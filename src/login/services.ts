import type { CaptchaAuth } from './captcha/service.ts'
import type { CodeAuth } from './code/service.ts'
import type { CrossAppAuth } from './cross-app/service.ts'
import type { CustomAuth } from './custom-jwt/service.ts'
import type { FarcasterAuth } from './farcaster/service.ts'
import type { GuestAuth } from './guest/service.ts'
import type { OAuthAuth } from './oauth/service.ts'
import type { PasskeyAuth } from './passkey/service.ts'
import type { TelegramAuth } from './telegram/service.ts'
import type { SiweAuth, SiwsAuth } from './wallet/service.ts'

/** The login services, one for each method; each is loaded with its first use. */
export interface Auth {
  captcha(): Promise<CaptchaAuth>
  crossApp(): Promise<CrossAppAuth>
  custom(): Promise<CustomAuth>
  email(): Promise<CodeAuth>
  sms(): Promise<CodeAuth>
  farcaster(): Promise<FarcasterAuth>
  guest(): Promise<GuestAuth>
  oauth(): Promise<OAuthAuth>
  passkey(): Promise<PasskeyAuth>
  siwe(): Promise<SiweAuth>
  siws(): Promise<SiwsAuth>
  telegram(): Promise<TelegramAuth>
}
