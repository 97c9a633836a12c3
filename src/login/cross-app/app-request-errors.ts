import { errorScreenVerdict } from '../../errors/error-screen.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'
import { appErrors } from '../../protocol/cross-app-requests.ts'

/** Failures of a request to another app. Texts of that app are displayed only where they are the protocol's own. */
const table = {
  cross_app_invalid_app: screen('error.crossApp.invalidApp', false),
  cross_app_connection_not_allowed: screen('error.crossApp.invalidApp', false),
  cross_app_read_only: screen('error.crossApp.readOnly', false),
  cross_app_invalid_wallet: screen('error.crossApp.wallet', false),
  cross_app_request_error: ({ shortMessage }) => screen(known[shortMessage] ?? 'error.oauth.again', true),
  cross_app_may_be_sent: {
    show: 'screen',
    title: 'error.crossApp.requestTimeout',
    detail: { key: 'error.crossApp.mayBeSent' },
    retryable: false,
  },
  popup_closed: screen('error.crossApp.closed', true),
  popup_timeout: screen('error.crossApp.requestTimeout', true),
  otherwise: errorScreenVerdict,
} as const satisfies Table

const known: Readonly<Partial<Record<string, 'error.crossApp.token' | 'error.crossApp.initialize'>>> = {
  [appErrors.token]: 'error.crossApp.token',
  [appErrors.request]: 'error.crossApp.initialize',
}

export const appRequestVerdict = (error: KitError): Verdict => judge(table, error)

function screen<Key>(key: Key, retryable: boolean) {
  return { show: 'screen', title: 'error.crossApp.request', detail: { key }, retryable } as const
}
