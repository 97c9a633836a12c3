import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Feature } from '../http/definition.ts'
import type { ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { requireBearer } from '../sessions/bearer.ts'
import { postAsUser } from '../sessions/post-as-user.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { sweepFormerAddresses } from '../users/former-addresses.ts'
import { accounts, formerAddresses, userCounts, users } from '../users/tables.ts'
import { identityOf } from './account-views.ts'
import { changeRoutes } from './changes/routes.ts'
import { accountChanges } from './changes/tables.ts'
import { freezeRoutes } from './freeze/routes.ts'
import type { AccountServices } from './services.ts'
import { acceptTerms, loadUser, type User } from './user.ts'
import { userView } from './user-view.ts'

/** People and their accounts: the user's own account. */
export const accountFeature: Feature<AccountServices> = {
  tables: [users, userCounts, accounts, formerAddresses, accountChanges],
  async sweep(database, limits, now) {
    await deleteInBatches(database, users.removedAt, now - limits.removedUserLife)
    await deleteInBatches(database, accountChanges.expiresAt, now)
    await sweepFormerAddresses(database, limits.accountChangeWait, now)
  },
  start: (services) => ({
    publicRoutes: (api) => freezeRoutes(api, services),
    routes(api) {
      userRoutes(api, services)
      changeRoutes(api, services, services.changes)
    },
  }),
}

function userRoutes(api: Hono<ServerEnv>, services: AccountServices): void {
  const { database, tokens, clock } = services

  async function load(appId: string, userId: string): Promise<User> {
    const user = await loadUser(database, appId, userId)
    if (!user) throw new Refusal('missing_or_invalid_token', 'This user no longer exists.')
    return user
  }

  api.get('/api/v1/users/me', async (c) => {
    const app = c.get('app')
    const bearer = await requireBearer(c, services)
    const user = await load(app.id, bearer.userId)
    const identityToken = await tokens.identityToken(app, bearer, identityOf(user))
    return c.json({ user: userView(user), identity_token: identityToken })
  })

  api.post(
    '/api/v1/users/me/accept_terms',
    postAsUser(services, {
      // Harmless, and what a login may need before anything else.
      whileFrozen: true,
      body: v.object({}),
      async handle({ app, bearer }) {
        await acceptTerms(database, bearer.userId, clock())
        return { body: userView(await load(app.id, bearer.userId)) }
      },
    }),
  )
}
