import type { App } from '../domain/app-settings.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Opened } from '../domain/sessions.ts'
import { loadUser } from '../domain/users.ts'
import { slimAccounts } from './account-views.ts'
import type { ServerContext, Services } from './context.ts'
import type { Reply } from './post.ts'
import { IN_COOKIE, storeCookie } from './refresh-cookie.ts'
import { userView } from './views.ts'

/**
 * The answer to a login or a refresh, wire 4.4.
 * @param options.inCookie the refresh token goes into the cookie and not into the body
 * @param options.isNewUser said on logins only
 */
export async function sessionReply(
  services: Services,
  c: ServerContext,
  app: App,
  opened: Opened,
  { inCookie, isNewUser }: { inCookie: boolean; isNewUser?: boolean },
): Promise<Reply> {
  const user = await loadUser(services.database, app.id, opened.userId)
  if (!user) throw new Refusal('missing_or_invalid_token', 'This user is no longer there.')
  const tokens = await services.tokens.issue(app, opened, slimAccounts(user), user.customMetadata)
  const { refreshToken, refreshUntil } = opened
  return {
    body: {
      user: userView(user),
      token: tokens.accessToken,
      privy_access_token: tokens.secondToken,
      identity_token: tokens.identityToken,
      refresh_token: inCookie ? IN_COOKIE : refreshToken,
      ...(isNewUser !== undefined && { is_new_user: isNewUser }),
      session_update_action: 'set',
    },
    setCookie: inCookie ? storeCookie(c, app, refreshToken, refreshUntil, services) : undefined,
  }
}

/** Wire 4.4: there is no session to refresh, and that is no error. */
export const loggedOutReply: Reply = {
  body: {
    user: null,
    token: null,
    privy_access_token: null,
    refresh_token: null,
    session_update_action: 'clear',
  },
}
