import type { KitError } from './kit-error.ts'
import { judge, type Table, type Verdict } from './verdict.ts'

/** Spec §8 "Telegram". */
const table = {
  allowlist_rejected: { show: 'gate', gate: 'allowlist' },
  max_accounts_reached: { show: 'gate', gate: 'user-limit' },
  user_does_not_exist: { show: 'gate', gate: 'account-not-found' },
  // Not in the spec's table: an app that takes no new users tells a new one the same.
  signup_disabled: { show: 'gate', gate: 'account-not-found' },
  account_transfer_required: { show: 'conflict', words: { key: 'error.telegram.again' } },
  linked_to_another_user: { ...screen('error.telegram.linked'), retryable: false },
  disallowed_login_method: { ...screen('error.telegram.notAllowed'), retryable: false },
  invalid_data: screen('error.telegram.again'),
  cannot_link_more_of_type: screen('error.telegram.again'),
  invalid_credentials: screen('error.telegram.again'),
  invalid_captcha: screen('error.telegram.again'),
  captcha_timeout: screen('error.telegram.again'),
  captcha_failure: screen('error.telegram.again'),
  too_many_requests: ({ shortMessage }) =>
    screen(/rate limit/i.test(shortMessage) ? 'error.telegram.limit' : 'error.telegram.tooMany'),
  telegram_canceled: screen('error.telegram.canceled'),
  telegram_not_initialized: screen('error.telegram.notInitialized'),
  telegram_not_configured: { ...screen('error.telegram.notConfigured'), retryable: false },
  // Faults that the catalogue does not name for Telegram.
  client_request_timeout: screen('error.timeout.detail'),
  network_unavailable: screen('error.network.detail'),
  invalid_configuration: { ...screen('error.config.detail'), retryable: false },
  invalid_origin: { ...screen('error.config.detail'), retryable: false },
  otherwise: screen('error.telegram.again'),
} as const satisfies Table

function screen<Key>(key: Key) {
  return { show: 'screen', title: 'error.telegram.title', detail: { key }, retryable: true } as const
}

export const telegramVerdict = (error: KitError): Verdict => judge(table, error)
