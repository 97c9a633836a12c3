import type { OAuthTokens, SessionAnswer } from '../protocol/sessions.ts'
import type { LinkedAccount, User } from '../protocol/user.ts'
import type { AuthContext } from './service-context.ts'

/** A person who has proved who they are. */
export interface Login {
  readonly user: User
  readonly isNewUser: boolean
  /** `email`, `sms`, a social provider, `farcaster`, `telegram`, `passkey`, `custom`, `guest` … */
  readonly method: string
  readonly account: LinkedAccount | undefined
  /** The provider's tokens, which are passed to the host and not kept. */
  readonly oauthTokens?: OAuthTokens
  /** The account was taken over from another user. */
  readonly transferred?: boolean
}

/**
 * Stores the session of the server's answer, and returns who that is. @param own the account that was proved
 */
export function loginOf(
  cx: Pick<AuthContext, 'session' | 'onLogin'>,
  answer: SessionAnswer,
  method: string,
  own: (account: LinkedAccount) => boolean,
): Login {
  const user = cx.session.authenticate(answer)
  cx.onLogin(method)
  return { user, isNewUser: answer.isNewUser, method, account: user.linkedAccounts.find(own) }
}

/** The session was issued before the transfer, so the person is read again. */
export async function transferred(
  cx: Pick<AuthContext, 'session'>,
  user: User,
  signal: AbortSignal | undefined,
): Promise<User> {
  const token = cx.session.stored()
  if (token) await cx.session.renewed(token, signal)
  return cx.session.user.get() ?? user
}
