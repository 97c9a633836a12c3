import { lazily } from '../errors/lazily.ts'
import type { AuthContext } from './context.ts'

/** The ways to log in, each loaded when somebody takes it. A new one is a row here. */
export const createAuth = (cx: AuthContext) => ({
  captcha: lazily(async () => (await import('./captcha.ts')).createCaptchaAuth(cx)),
  crossApp: lazily(async () => (await import('./cross-app.ts')).createCrossAppAuth(cx)),
  custom: lazily(async () => (await import('./custom-jwt.ts')).createCustomAuth(cx)),
  email: lazily(async () => (await import('./email.ts')).createEmailAuth(cx)),
  sms: lazily(async () => (await import('./sms.ts')).createSmsAuth(cx)),
  farcaster: lazily(async () => (await import('./farcaster.ts')).createFarcasterAuth(cx)),
  guest: lazily(async () => (await import('./guest.ts')).createGuestAuth(cx)),
  oauth: lazily(async () => (await import('./oauth.ts')).createOAuthAuth(cx)),
  passkey: lazily(async () => (await import('./passkey.ts')).createPasskeyAuth(cx)),
  siwe: lazily(async () => (await import('./siwe.ts')).createSiweAuth(cx)),
  siws: lazily(async () => (await import('./siws.ts')).createSiwsAuth(cx)),
  telegram: lazily(async () => (await import('./telegram.ts')).createTelegramAuth(cx)),
})
export type Auth = ReturnType<typeof createAuth>
