import type { Hono } from 'hono'
import * as v from 'valibot'
import { Refusal } from '../domain/refusal.ts'
import { acceptTerms, loadUser, type User } from '../domain/users.ts'
import { slimAccounts } from './account-views.ts'
import { requireBearer } from './bearer.ts'
import type { ServerEnv, Services } from './context.ts'
import { postAsUser } from './post.ts'
import { userView } from './views.ts'

/** The user's own account, wire 2.1. */
export function userRoutes(api: Hono<ServerEnv>, services: Services): void {
  const { database, tokens, clock } = services

  async function load(appId: string, userId: string): Promise<User> {
    const user = await loadUser(database, appId, userId)
    if (!user) throw new Refusal('missing_or_invalid_token', 'This user is no longer there.')
    return user
  }

  api.get('/api/v1/users/me', async (c) => {
    const app = c.get('app')
    const bearer = await requireBearer(c, services)
    const user = await load(app.id, bearer.userId)
    const identityToken = await tokens.identityToken(app, bearer, slimAccounts(user), user.customMetadata)
    return c.json({ user: userView(user), identity_token: identityToken })
  })

  api.post(
    '/api/v1/users/me/accept_terms',
    postAsUser(services, {
      body: v.object({}),
      async handle({ app, bearer }) {
        await acceptTerms(database, bearer.userId, clock())
        return { body: userView(await load(app.id, bearer.userId)) }
      },
    }),
  )
}
