import type { passkeys } from '../../passkeys/tables.ts'
import type { AccountDetails, ProvedType } from '../../users/account.ts'

/** The name of an account, unique within the app. */
export interface AccountName {
  type: ProvedType
  subject: string
}

/** An account that somebody has just proved to be theirs. */
export type ProvedChangeAccount = {
  [T in ProvedType]: {
    type: T
    subject: string
    details: AccountDetails[T]
    /** The account's own name for itself, for the question whether to transfer it. */
    displayName?: string | null
    /** The key of a new passkey, stored with the account. */
    passkey?: Omit<typeof passkeys.$inferInsert, 'accountId'>
  }
}[ProvedType]

/** A login at another app that the user grants there. */
export interface LoginGrant {
  action: 'grant'
  /** The app that asks, and its name as the settings have it. */
  requester: { id: string; name: string }
  /** A hash of the state of the login that asks: a grant is for that one alone. */
  login: string
}

/** A change of somebody's accounts or sessions, as it is stored until an enrolled device approves it. */
export type AccountChange =
  | { action: 'link'; account: ProvedChangeAccount }
  | { action: 'update'; replaced: AccountName; account: ProvedChangeAccount }
  /** `owner`: the user who had the account when it was proved. */
  | { action: 'transfer'; account: AccountName & { displayName: string | null }; owner: string }
  | { action: 'unlink'; account: AccountName; evenIfSole: boolean }
  | { action: 'end-session'; sessionId: string }
  | { action: 'end-sessions' }
  | LoginGrant
