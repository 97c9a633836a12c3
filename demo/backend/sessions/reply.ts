import type { Reply } from '../http/post.ts'
import type { ServerContext } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'
import { IN_COOKIE, storeCookie } from './refresh-cookie.ts'
import type { SessionServices } from './services.ts'
import type { Opened } from './sessions.ts'

/**
 * The answer to a login or a refresh.
 * @param options.inCookie the refresh token goes into the cookie and not into the body
 * @param options.isNewUser said on logins only
 */
export async function sessionReply(
  services: SessionServices,
  c: ServerContext,
  app: App,
  opened: Opened,
  { inCookie, isNewUser }: { inCookie: boolean; isNewUser?: boolean },
): Promise<Reply> {
  const user = await services.describeUser(app.id, opened.userId)
  if (!user) throw new Refusal('missing_or_invalid_token', 'This user no longer exists.')
  const tokens = await services.tokens.issue(app, opened, user.identity)
  const { refreshToken, refreshUntil } = opened
  return {
    body: {
      user: user.view,
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

/** There is no session to refresh, and that is no error. */
export const loggedOutReply: Reply = {
  body: {
    user: null,
    token: null,
    privy_access_token: null,
    refresh_token: null,
    session_update_action: 'clear',
  },
}
