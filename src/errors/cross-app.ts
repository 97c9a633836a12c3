import type { KitError } from './kit-error.ts'
import { oauthVerdict } from './oauth.ts'
import { judge, type Table, type Verdict } from './verdict.ts'

/** Spec §8 "Cross-app", and "OAuth" for what the two have in common. */
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
