/**
 * What the services of a person load lazily, in one table: beside `../features.ts` and `../host/features.ts`. It comes with the services, so
 * that a page which only shows a landing screen does not carry it.
 */
import { lazily } from '../../errors/lazily.ts'
import type { LoginMethods } from '../../login/context.ts'
import type { AuthContext } from '../../login/service-context.ts'
import type { Auth } from '../../login/services.ts'

export const serviceFeatures = {
  /** The vault, and the embedded wallets in it. */
  vault: lazily(() => import('../../wallets/embedded/open-vault.ts')),
  driveAccess: lazily(() => import('../../wallets/recovery/drives/drive-access.ts')),
  keyExport: lazily(() => import('../../wallets/export/service.ts')),
  approving: lazily(() => import('../../wallets/approval/service.ts')),
  accounts: lazily(() => import('../../account/service.ts')),
  sessions: lazily(() => import('../../account/sessions/service.ts')),
  devices: lazily(() => import('../../wallets/devices/service.ts')),
  /** Has users approve changes of their accounts and sessions. */
  accountChanges: lazily(() => import('./account-changes.ts')),
  /** Has people verified by their second factors. */
  secondFactors: lazily(() => import('./second-factors.ts')),
  /** Discovery and connection of external wallets. */
  wallets: lazily(() => import('../../wallets/external/external.ts')),

  /** What reads the requests of libraries. */
  ethereumTypedData: lazily(() => import('../../ethereum/typed-data.ts')),
  ethereumTransactions: lazily(() => import('../../ethereum/transaction.ts')),
  /** Follows transactions, without the rest of their adapters. */
  ethereumTracking: lazily(() => import('../../signing/ethereum/track.ts')),
  operationTracking: lazily(() => import('../../signing/user-operation/track.ts')),
  solanaTracking: lazily(() => import('../../signing/solana/track.ts')),
  /** Names of ENS, whose normalization is large. */
  ethereumNames: lazily(() => import('../../ethereum/names.ts')),
  /** JSON-RPC to Ethereum's nodes, through viem. */
  ethereumNodes: lazily(() => import('../../ethereum/rpc.ts')),
  ethereumBroadcast: lazily(() => import('../../ethereum/broadcast.ts')),
  /** Batches of calls that were approved. */
  callBatches: lazily(() => import('../../signing/calls/batches.ts')),
  /** The user's smart accounts, and where their operations go. */
  smartAccounts: lazily(() => import('../wallets/smart-accounts.ts')),
  /** Payments for requests, and their settlement. */
  payments: lazily(() => import('../../x402/payments.ts')),
  /** The way of a Solana transaction, from what an app has to its receipt. */
  solana: lazily(() => import('../../solana/adapter.ts')),
} as const

/** The ceremony of each kind of login. A new kind is a row here, and one in {@link createLoginServices}. */
export const loginMethods: LoginMethods = {
  email: lazily(() => import('../../login/code/flow.ts')),
  sms: lazily(() => import('../../login/code/sms-flow.ts')),
  oauth: lazily(() => import('../../login/oauth/flow.ts')),
  'cross-app': lazily(() => import('../../login/cross-app/flow.ts')),
  passkey: lazily(() => import('../../login/passkey/flow.ts')),
  telegram: lazily(() => import('../../login/telegram/flow.ts')),
  farcaster: lazily(() => import('../../login/farcaster/flow.ts')),
  wallet: lazily(() => import('../../login/wallet/flow.ts')),
}

/** The service of each login method, which hosts without our screens use as well. */
export const createLoginServices = (cx: AuthContext): Auth => ({
  captcha: lazily(async () => (await import('../../login/captcha/service.ts')).createCaptchaAuth(cx)),
  crossApp: lazily(async () => (await import('../../login/cross-app/service.ts')).createCrossAppAuth(cx)),
  custom: lazily(async () => (await import('../../login/custom-jwt/service.ts')).createCustomAuth(cx)),
  email: lazily(async () => (await import('../../login/code/email-service.ts')).createEmailAuth(cx)),
  sms: lazily(async () => (await import('../../login/code/sms-service.ts')).createSmsAuth(cx)),
  farcaster: lazily(async () => (await import('../../login/farcaster/service.ts')).createFarcasterAuth(cx)),
  guest: lazily(async () => (await import('../../login/guest/service.ts')).createGuestAuth(cx)),
  oauth: lazily(async () => (await import('../../login/oauth/service.ts')).createOAuthAuth(cx)),
  passkey: lazily(async () => (await import('../../login/passkey/service.ts')).createPasskeyAuth(cx)),
  siwe: lazily(async () => (await import('../../login/wallet/siwe.ts')).createSiweAuth(cx)),
  siws: lazily(async () => (await import('../../login/wallet/siws.ts')).createSiwsAuth(cx)),
  telegram: lazily(async () => (await import('../../login/telegram/service.ts')).createTelegramAuth(cx)),
})
