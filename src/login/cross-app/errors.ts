import type { KitError } from '../../errors/kit-error.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'
import { oauthVerdict } from '../oauth/errors.ts'

/** Failures of a cross-app login, and those it shares with OAuth. */
export function crossAppVerdict(app: string): (error: KitError) => Verdict {
  const shared = oauthVerdict(app)
  const table = {
    oauth_user_denied: screen('error.crossApp.denied', true),
    unknown_auth_error: screen('error.crossApp.invalidCode', true),
    cross_app_invalid_app: screen('error.crossApp.invalidApp', false),
    cross_app_connection_not_allowed: screen('error.crossApp.invalidApp', false),
    popup_closed: screen('error.crossApp.closed', true),
    popup_timeout: screen('error.crossApp.timeout', true),
  } as const satisfies Table
  return (error) => judge({ ...table, otherwise: shared(error) }, error)
}

function screen<Key>(key: Key, retryable: boolean) {
  return { show: 'screen', title: 'error.oauth.title', detail: { key }, retryable } as const
}
