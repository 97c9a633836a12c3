import type { Hono } from 'hono'
import type { Feature } from '../../http/definition.ts'
import type { ServerEnv } from '../../http/services.ts'
import { toSeconds } from '../../lib/time.ts'
import { requireBearer } from '../../sessions/bearer.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { hintOf } from '../../users/addresses.ts'
import { methodsOf } from '../methods.ts'
import { mfaFactors, mfaPasskeys, mfaRecoveryCodes, mfaTokens } from '../tables.ts'
import { totpSecretName } from './authenticator-app.ts'
import { authenticatorAppRoutes } from './authenticator-app-routes.ts'
import { createFactorChanges } from './factor-changes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { recoveryCodeRoutes } from './recovery-code-routes.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { textMessageRoutes } from './text-message-routes.ts'
import { phoneFactorOf } from './text-messages.ts'

/** Enough for a "too old" instead of an "unknown" as long as somebody may still hold one. */
const TOKENS_KEPT = 24 * 3_600_000

/**
 * Second factors: how people add, show and remove them. All that is not begun on the host's page is for the vault alone.
 * A verification answers a token; the vault sends it along (`latchkey-mfa`) with what the guard asks it for.
 */
export const mfaFeature: Feature<SessionServices> = {
  tables: [mfaFactors, mfaPasskeys, mfaTokens, mfaRecoveryCodes],
  sealedColumns: [
    {
      table: mfaFactors,
      field: 'sealedSecret',
      column: mfaFactors.sealedSecret,
      key: [mfaFactors.userId, mfaFactors.type],
      sealedName: ({ userId = '' }) => totpSecretName(userId),
    },
  ],
  async sweep(database, _, now) {
    await deleteInBatches(database, mfaTokens.at, now - TOKENS_KEPT)
  },
  start: (services) => ({
    routes(api) {
      const changes = createFactorChanges(services)
      factorListRoutes(api, services)
      authenticatorAppRoutes(api, services, changes)
      textMessageRoutes(api, services, changes)
      passkeyRoutes(api, services, changes)
      recoveryCodeRoutes(api, services, changes)
    },
  }),
}

/** Which factors somebody has. */
function factorListRoutes(api: Hono<ServerEnv>, services: SessionServices): void {
  const { database } = services
  const recoveryCodes = createRecoveryCodes(services)

  api.get('/api/v1/mfa', async (c) => {
    const { userId } = await requireBearer(c, services)
    const phone = await phoneFactorOf(database, userId)
    return c.json({
      methods: (await methodsOf(database, userId)).map(({ type, verifiedAt }) => ({
        type,
        verified_at: toSeconds(verifiedAt),
        ...(type === 'sms' && phone !== undefined && { hint: hintOf('sms', phone) }),
      })),
      recovery_codes_left: await recoveryCodes.left(database, userId),
    })
  })
}
