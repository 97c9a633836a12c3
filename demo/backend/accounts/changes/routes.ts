import type { Hono } from 'hono'
import * as v from 'valibot'
import { notKept } from '../../http/post.ts'
import type { ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { toSeconds } from '../../lib/time.ts'
import { type AuthorisedCall, postAsUser } from '../../sessions/post-as-user.ts'
import type { AccountServices } from '../services.ts'
import { loadUser } from '../user.ts'
import { userView } from '../user-view.ts'
import type { AccountChanges, ReviewedChange } from './changes.ts'

const nothing = v.strictObject({})

/** Pending changes of accounts and sessions, for the window of the vault alone: seen, approved, rejected. */
export function changeRoutes(api: Hono<ServerEnv>, services: AccountServices, changes: AccountChanges): void {
  const idOf = ({ c }: AuthorisedCall<unknown>) => c.req.param('id') ?? ''

  api.post(
    '/api/v1/users/me/changes/:id/review',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: nothing,
      handle: async (call) => ({ body: changeView(await changes.review(call, idOf(call))) }),
    }),
  )
  api.post(
    '/api/v1/users/me/changes/:id/approve',
    postAsUser(services, {
      fromVault: true,
      mfa: 'account',
      statement: (call) => changes.statementOf(call, idOf(call)),
      body: nothing,
      async handle(call) {
        await changes.approve(call, idOf(call))
        const user = await loadUser(services.database, call.app.id, call.bearer.userId)
        if (!user) throw new Refusal('missing_or_invalid_token', 'This user no longer exists.')
        return { body: userView(user) }
      },
    }),
  )
  api.post(
    '/api/v1/users/me/changes/:id/reject',
    postAsUser(services, {
      fromVault: true,
      body: nothing,
      async handle(call) {
        await changes.reject(call, idOf(call))
        return { body: {} }
      },
    }),
  )
}

function changeView({ account, replaces, session, requester, ...rest }: ReviewedChange) {
  return {
    action: rest.action,
    account: account
      ? { type: account.type, subject: account.subject, display_name: account.displayName }
      : null,
    replaces: replaces ?? null,
    session: session ?? null,
    requester: requester ?? null,
    others_wallets: rest.othersWallets,
    is_last_login: rest.isLastLogin,
    expires_at: toSeconds(rest.expiresAt),
  }
}
