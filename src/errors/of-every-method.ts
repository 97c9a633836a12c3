import { errorScreenVerdict } from './error-screen.ts'
import type { Table } from './verdict.ts'

/** An app that lets somebody not in says so in the same words, whichever way they came. */
export const refusedByApp = {
  allowlist_rejected: { show: 'gate', gate: 'allowlist' },
  max_accounts_reached: { show: 'gate', gate: 'user-limit' },
  user_does_not_exist: { show: 'gate', gate: 'account-not-found' },
  signup_disabled: { show: 'gate', gate: 'account-not-found' },
} as const satisfies Table

/** What has nothing to do with the way that somebody logs in has the same words for all that have none of their own. */
export const ofEveryMethod = {
  ...refusedByApp,
  linked_to_another_user: errorScreenVerdict,
  disallowed_login_method: errorScreenVerdict,
  too_many_requests: errorScreenVerdict,
  invalid_captcha: errorScreenVerdict,
  invalid_configuration: errorScreenVerdict,
  invalid_origin: errorScreenVerdict,
  client_request_timeout: errorScreenVerdict,
} as const satisfies Table
