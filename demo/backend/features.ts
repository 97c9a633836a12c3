import { accountFeature } from './accounts/feature.ts'
import { adminFeature } from './admin/feature.ts'
import { analyticsFeature } from './analytics/feature.ts'
import { appFeature } from './apps/feature.ts'
import { auditLog } from './audit/feature.ts'
import { deviceFeature } from './devices/enrolment/feature.ts'
import { driveFeature } from './drives/feature.ts'
import { grantFeature } from './grants/feature.ts'
import type { Feature } from './http/definition.ts'
import { idempotencyFeature } from './http/feature.ts'
import { codeFeature } from './login/code/feature.ts'
import { crossAppFeature } from './login/cross-app/feature.ts'
import { customJwtFeature } from './login/custom-jwt/feature.ts'
import { farcasterFeature } from './login/farcaster/feature.ts'
import { guestFeature } from './login/guest/feature.ts'
import { inVaultFeature } from './login/in-vault/feature.ts'
import { oauthFeature } from './login/oauth/feature.ts'
import { passkeyFeature } from './login/passkey/feature.ts'
import type { LoginServices } from './login/services.ts'
import { siweFeature } from './login/siwe/feature.ts'
import { siwsFeature } from './login/siws/feature.ts'
import { telegramFeature } from './login/telegram/feature.ts'
import { mfaFeature } from './mfa/factors/feature.ts'
import { previewFeature } from './preview/feature.ts'
import { fundingFeature } from './ramps/feature.ts'
import { sessionFeature } from './sessions/feature.ts'
import type { Limits } from './settings/limits.ts'
import type { Database } from './store/database.ts'
import { shared } from './store/feature.ts'
import type { SealedColumn } from './store/stored.ts'
import { vaultFeature } from './vault/feature.ts'
import { walletFeature } from './wallets/feature.ts'

/** All that the backend does. A new feature is one more line here. */
export const features: readonly Feature<LoginServices>[] = [
  shared,
  auditLog,
  idempotencyFeature,
  appFeature,
  vaultFeature,
  sessionFeature,
  accountFeature,
  codeFeature,
  oauthFeature,
  crossAppFeature,
  passkeyFeature,
  telegramFeature,
  farcasterFeature,
  siweFeature,
  siwsFeature,
  guestFeature,
  customJwtFeature,
  inVaultFeature,
  walletFeature,
  previewFeature,
  grantFeature,
  deviceFeature,
  mfaFeature,
  driveFeature,
  fundingFeature,
  analyticsFeature,
  adminFeature,
]

/** Every column whose values are sealed: what a rotation of the sealing key goes through. */
export const sealedColumns: readonly SealedColumn[] = features.flatMap(
  (feature) => feature.sealedColumns ?? [],
)

/** Removes what nobody can use any longer. @param now Unix milliseconds */
export async function sweep(database: Database, limits: Limits, now: number): Promise<void> {
  for (const feature of features) await feature.sweep?.(database, limits, now)
}
