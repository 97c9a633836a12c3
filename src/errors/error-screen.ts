import { isOffline } from '../lib/online.ts'
import type { KitError } from './kit-error.ts'
import { judge, serverText, type Table, type Verdict } from './verdict.ts'

/** What any failure means that has no words of its own where it happened. */
const table = {
  allowlist_rejected: { show: 'gate', gate: 'allowlist' },
  max_accounts_reached: { show: 'gate', gate: 'user-limit' },
  user_does_not_exist: { show: 'gate', gate: 'account-not-found' },
  disallowed_plus_email: { show: 'start', words: { key: 'login.email.noPlus' } },
  client_request_timeout: screen('error.timeout.title', 'error.timeout.detail'),
  network_unavailable: () =>
    isOffline()
      ? screen('error.offline.title', 'error.offline.detail')
      : screen('error.generic.title', 'error.network.detail'),
  not_supported: { ...screen('error.region.title', 'error.region.detail'), retryable: false },
  too_many_requests: screen('error.tooMany.title', 'error.tooMany.detail'),
  invalid_captcha: screen('error.generic.title', 'error.captcha.detail'),
  linked_to_another_user: { ...screen('error.linked.title', 'error.linked.detail'), retryable: false },
  account_frozen: { ...screen('error.frozen.title', 'error.frozen.detail'), retryable: false },
  invalid_configuration: { ...screen('error.config.title', 'error.config.detail'), retryable: false },
  missing_or_invalid_app_id: { ...screen('error.config.title', 'error.config.detail'), retryable: false },
  invalid_origin: { ...screen('error.config.title', 'error.config.detail'), retryable: false },
  disallowed_login_method: (error) => ({
    show: 'screen',
    title: 'error.notAllowed.title',
    detail: serverText(error, 'error.notAllowed.detail'),
    retryable: false,
  }),
  // The server says what it can't take of a request, and only it knows.
  otherwise: (error) => ({
    ...screen('error.generic.title', 'error.generic.detail'),
    ...((error.status === 400 || error.status === 422) && {
      detail: serverText(error, 'error.generic.detail'),
    }),
  }),
} as const satisfies Table

function screen<Title, Key>(title: Title, key: Key) {
  return { show: 'screen', title, detail: { key }, retryable: true } as const
}

export const errorScreenVerdict = (error: KitError): Verdict => judge(table, error)

/** What a failure means, unless the browser has no network: that is said in the same words wherever it happens, and can be tried again. */
export const unlessOffline = (error: KitError, verdict: Verdict): Verdict =>
  error.code === 'network_unavailable' && isOffline() ? errorScreenVerdict(error) : verdict
