import type { KitError } from './kit-error.ts'
import { judge, serverText, type Table, type Verdict } from './verdict.ts'

/** Spec §8 "Login code". */
const table = {
  invalid_credentials: { show: 'inline', words: { key: 'error.code.invalid' } },
  cannot_link_more_of_type: (error) => ({ show: 'inline', words: serverText(error, 'error.code.other') }),
  max_accounts_reached: { show: 'gate', gate: 'user-limit' },
  user_does_not_exist: { show: 'gate', gate: 'account-not-found' },
  // Not in the spec's table: an app that takes no new users tells a new one the same.
  signup_disabled: { show: 'gate', gate: 'account-not-found' },
  linked_to_another_user: {
    show: 'screen',
    title: 'error.linked.title',
    detail: { key: 'error.linked.detail' },
    retryable: false,
  },
  disallowed_plus_email: { show: 'start', words: { key: 'login.email.noPlus' } },
  account_transfer_required: { show: 'conflict', words: { key: 'error.code.other' } },
  otherwise: { show: 'inline', words: { key: 'error.code.other' } },
} as const satisfies Table

export const loginCodeVerdict = (error: KitError): Verdict => judge(table, error)
