import { KitError } from '../errors/kit-error.ts'
import type { OAuthTokens, SessionAnswer } from '../protocol/sessions.ts'
import type { LinkedAccount, User } from '../protocol/user.ts'
import type { AuthContext } from './service-context.ts'

/** A person who has proved who they are, or that an account is theirs. */
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
  /** The wallets that the login has created while its user was watching. */
  readonly created?: readonly { readonly address: string; readonly chainType: string }[]
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

/** An account that a person has proved to be theirs, and what can be done with it. */
export interface Proof {
  readonly method: string
  /** Whether it is that linked account. */
  own(account: LinkedAccount): boolean
  logIn(): Promise<SessionAnswer>
  /** Gives it to the person who is logged in. */
  link(): Promise<User>
  /** Puts it in the place of the old one; for the kinds that can be updated. */
  replace?(old: string): Promise<User>
}

/** Uses a proof for what the services were made for. */
export async function applyProof(
  cx: Pick<AuthContext, 'session' | 'onLogin' | 'purpose'>,
  { method, own, logIn, link, replace }: Proof,
  signal: AbortSignal | undefined,
): Promise<Login> {
  const { purpose } = cx
  if (purpose.kind === 'login') return loginOf(cx, await logIn(), method, own)
  requirePerson(cx.session.user.get())
  if (purpose.kind === 'update' && !replace) throw new KitError('not_supported', `${method} can't be updated`)
  const changed = await (purpose.kind === 'update' && replace ? replace(purpose.old) : link())
  const user = await readAgain(cx, changed, signal)
  return { user, isNewUser: false, method, account: user.linkedAccounts.find(own) }
}

/** Somebody who is logged in. Throws a {@link KitError} `must_be_authenticated` when nobody is. */
export function requirePerson(user: User | null): User {
  if (!user)
    throw new KitError('must_be_authenticated', 'User must be authenticated before linking an account')
  return user
}

/** The session was issued before the person's accounts changed, so the person is read again, here and in the other tabs. */
export async function readAgain(
  cx: Pick<AuthContext, 'session'>,
  user: User,
  signal: AbortSignal | undefined,
): Promise<User> {
  const token = cx.session.stored()
  if (token) await cx.session.renewed(token, signal)
  return cx.session.user.get() ?? user
}
