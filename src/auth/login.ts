import type { OAuthTokens, SessionAnswer } from '../wire/sessions.ts'
import type { LinkedAccount, User } from '../wire/user.ts'
import type { AuthContext } from './context.ts'

/** A person who has proved who they are. */
export interface Login {
  readonly user: User
  readonly isNewUser: boolean
  /** Wire 12.5: `email`, `sms`, a social provider, `farcaster`, `telegram`, `passkey`, `custom`, `guest` … */
  readonly method: string
  readonly account: LinkedAccount | undefined
  /** What the provider gave the app, which the host is handed and nobody keeps. */
  readonly oauthTokens?: OAuthTokens
  /** The account was taken over from another login. */
  readonly transferred?: boolean
}

/** Keeps the session that the server's answer opens, and says who that is. @param own the account that was proved */
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

/** After a transfer the session knows of the new account, and the person is read anew (wire 2). */
export async function transferred(
  cx: Pick<AuthContext, 'session'>,
  user: User,
  signal: AbortSignal | undefined,
): Promise<User> {
  const token = cx.session.stored()
  if (token) await cx.session.renewed(token, signal)
  return cx.session.user.get() ?? user
}
