/**
 * What the kit loads lazily, in one table. A page carries the elements; the first use brings the kit, the first opening
 * React and the landing screen; everything below is one part each, loaded when it is first needed. A part imports what it
 * needs statically; only the SDKs of vendors are loaded by the part that speaks with them.
 */
import { lazily } from '../errors/lazily.ts'
import type { LoginMethods } from '../login/context.ts'
import type { LoginFeatures } from '../login/flow.ts'
import type { AuthContext } from '../login/service-context.ts'
import type { Auth } from '../login/services.ts'

export const features = {
  /** The session, and the services of a person. */
  services: lazily(() => import('./services.ts')),
  /** The landing screen, and what leads on from it. */
  login: lazily(() => import('../login/flow.ts')),
  /** What the console says to the page's developer. */
  advice: lazily(() => import('./advice.ts')),
  /** What is said where a dialog was open for somebody who is gone. */
  sessionChanged: lazily(() => import('./session-changed.ts')),
  /** A login that left the page. */
  resume: lazily(() => import('./resume.ts')),
  /** The calls of hosts with screens of their own. */
  headless: lazily(() => import('./headless-calls.ts')),
  /** The end of such a login that left the page. */
  completeLogin: lazily(() => import('../login/redirect/complete.ts')),

  /** The vault, and the embedded wallets in it. */
  vault: lazily(() => import('../wallets/embedded/open-vault.ts')),
  /** What a host asks of embedded wallets. */
  embeddedMethods: lazily(() => import('./embedded-methods.ts')),
  /** The providers by which the page's libraries find embedded wallets. */
  embeddedWallets: lazily(() => import('./embedded-wallets.ts')),
  driveAccess: lazily(() => import('../wallets/recovery/drive-access.ts')),
  keyExport: lazily(() => import('../wallets/export/service.ts')),

  /** Discovery and connection of external wallets. */
  wallets: lazily(() => import('../wallets/external/external.ts')),
  externalWallets: lazily(() => import('./external-wallets.ts')),
  connect: lazily(() => import('./connect.ts')),
  walletBrowser: lazily(() => import('./wallet-browser.ts')),

  /** Signing, for hosts and for the page's libraries. */
  signing: lazily(() => import('./signing.ts')),
  /** What reads the requests of libraries. */
  ethereumTypedData: lazily(() => import('../ethereum/typed-data.ts')),
  ethereumTransactions: lazily(() => import('../ethereum/transaction.ts')),
  /** JSON-RPC to Ethereum's nodes, through viem. */
  ethereumNodes: lazily(() => import('../ethereum/rpc.ts')),
  /** What reads, sends and confirms Solana transactions, through web3.js. */
  solanaTransactions: lazily(() => import('../solana/transaction.ts')),
  solanaBroadcast: lazily(() => import('../solana/broadcast.ts')),
  solanaNodes: lazily(() => import('../solana/node.ts')),
} as const

/** What a login loads after its first screen. */
export const loginFeatures: LoginFeatures = {
  afterLanding: lazily(() => import('../login/after-landing.ts')),
  walletRows: lazily(() => import('../login/wallet/landing-rows.ts')),
}

/** The ceremony of each kind of login. A new kind is a row here, and one in {@link createLoginServices}. */
export const loginMethods: LoginMethods = {
  email: lazily(() => import('../login/code/flow.ts')),
  sms: lazily(() => import('../login/code/sms-flow.ts')),
  oauth: lazily(() => import('../login/oauth/flow.ts')),
  'cross-app': lazily(() => import('../login/cross-app/flow.ts')),
  passkey: lazily(() => import('../login/passkey/flow.ts')),
  telegram: lazily(() => import('../login/telegram/flow.ts')),
  farcaster: lazily(() => import('../login/farcaster/flow.ts')),
  wallet: lazily(() => import('../login/wallet/flow.ts')),
}

/** The service of each login method, which hosts without our screens use as well. */
export const createLoginServices = (cx: AuthContext): Auth => ({
  captcha: lazily(async () => (await import('../login/captcha/service.ts')).createCaptchaAuth(cx)),
  crossApp: lazily(async () => (await import('../login/cross-app/service.ts')).createCrossAppAuth(cx)),
  custom: lazily(async () => (await import('../login/custom-jwt/service.ts')).createCustomAuth(cx)),
  email: lazily(async () => (await import('../login/code/email-service.ts')).createEmailAuth(cx)),
  sms: lazily(async () => (await import('../login/code/sms-service.ts')).createSmsAuth(cx)),
  farcaster: lazily(async () => (await import('../login/farcaster/service.ts')).createFarcasterAuth(cx)),
  guest: lazily(async () => (await import('../login/guest/service.ts')).createGuestAuth(cx)),
  oauth: lazily(async () => (await import('../login/oauth/service.ts')).createOAuthAuth(cx)),
  passkey: lazily(async () => (await import('../login/passkey/service.ts')).createPasskeyAuth(cx)),
  siwe: lazily(async () => (await import('../login/wallet/siwe.ts')).createSiweAuth(cx)),
  siws: lazily(async () => (await import('../login/wallet/siws.ts')).createSiwsAuth(cx)),
  telegram: lazily(async () => (await import('../login/telegram/service.ts')).createTelegramAuth(cx)),
})
