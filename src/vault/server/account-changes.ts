/** The vault's requests to the server about changes of accounts and sessions that wait for an approval. docs/protocol.md */
import { isPlainObject, type Plain } from '../../lib/plain.ts'
import type { VaultContext } from '../context.ts'
import { statementShown, statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

const actions = ['link', 'update', 'transfer', 'unlink', 'end-session', 'end-sessions', 'grant'] as const
export type ChangeAction = (typeof actions)[number]

/** An account as the server names it. */
export interface ChangedAccount {
  /** Such as `email`, `google` or `wallet`. */
  readonly type: string
  readonly subject: string
  /** How the account calls itself, if it does. */
  readonly displayName: string | undefined
}

/** A pending change, as the server describes it. */
export interface AccountChange {
  readonly id: string
  readonly action: ChangeAction
  readonly account: ChangedAccount | undefined
  /** The account that an update replaces. */
  readonly replaces: ChangedAccount | undefined
  /** The session that ends. */
  readonly session: { readonly id: string; readonly name: string; readonly place: string } | undefined
  /** The app at which the user is logged in by a grant. */
  readonly requester: { readonly id: string; readonly name: string } | undefined
  /** The addresses of the wallets that are lost with the other account of a transfer. */
  readonly othersWallets: readonly string[]
  /** Nothing that the user can log in by is left afterwards. */
  readonly isLastLogin: boolean
}

const pathOf = (id: string, what: 'review' | 'approve' | 'reject') =>
  `/users/me/changes/${encodeURIComponent(id)}/${what}`

/** Reads what a change is from the server itself. Throws a `VaultError`; one that has expired or was used has the server's code. */
export async function reviewChange(cx: VaultContext, token: Token, id: string): Promise<AccountChange> {
  const { action: named, account, replaces, session, ...rest } = await cx.api(token, pathOf(id, 'review'), {})
  const action = actions.find((known) => known === named)
  if (!action) throw unexpectedAnswer()
  const change = {
    id,
    action,
    account: readAccount(account),
    replaces: readAccount(replaces),
    session: readSession(session),
    requester: readRequester(rest.requester),
    othersWallets: readTexts(rest.others_wallets),
    isLastLogin: rest.is_last_login === true,
  }
  // A request that can't be shown completely is not approved.
  const shows = {
    link: change.account,
    update: change.account && change.replaces,
    transfer: change.account,
    unlink: change.account,
    'end-session': change.session,
    'end-sessions': change,
    grant: change.requester,
  } as const satisfies Record<ChangeAction, object | undefined>
  if (!shows[action]) throw unexpectedAnswer()
  return change
}

/** Has the server make the change. The device's key signs what was shown with the request. Throws a `VaultError`. */
export async function approveChange(cx: VaultContext, token: Token, change: AccountChange): Promise<void> {
  const { id, action, account, replaces, session, requester } = change
  const about = {
    app: cx.settings.appId,
    user: token.user,
    change: id,
    action,
    type: account?.type ?? '',
    subject: account?.subject ?? session?.id ?? requester?.id ?? '',
  }
  const statement = replaces
    ? statements.accountReplaced({ ...about, replaces: replaces.subject })
    : statements.accountChanged(about)
  await cx.api(token, pathOf(id, 'approve'), {}, statementShown(cx, statement))
}

/** Has the server forget the change. Throws a `VaultError`. */
export async function rejectChange(cx: VaultContext, token: Token, id: string): Promise<void> {
  await cx.api(token, pathOf(id, 'reject'), {})
}

function readAccount(value: Plain | undefined): ChangedAccount | undefined {
  if (!isPlainObject(value)) return undefined
  const { type, subject, display_name: name } = value
  if (typeof type !== 'string' || typeof subject !== 'string') return undefined
  return { type, subject, displayName: typeof name === 'string' && name !== '' ? name : undefined }
}

function readSession(value: Plain | undefined): AccountChange['session'] {
  if (!isPlainObject(value)) return undefined
  const { id, name, place } = value
  if (typeof name !== 'string' || typeof place !== 'string') return undefined
  return { id: typeof id === 'string' ? id : '', name, place }
}

function readRequester(value: Plain | undefined): AccountChange['requester'] {
  if (!isPlainObject(value)) return undefined
  const { id, name } = value
  return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined
}

function readTexts(value: Plain | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  // A wallet that can't be named would be lost without a word.
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) throw unexpectedAnswer()
  return value
}
