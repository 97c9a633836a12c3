import type { KitError } from '../../errors/kit-error.ts'
import { refusedByApp } from '../../errors/of-every-method.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'

/** Failures of a Telegram login. */
const table = {
  ...refusedByApp,
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
  // Faults of the environment.
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
