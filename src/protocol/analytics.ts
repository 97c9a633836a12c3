import type { Endpoint, Http } from './http.ts'
import { nothing } from './schema.ts'

/** What happened is in the name and a few allowed fields. */
export type AnalyticsEvent =
  | 'sdk_initialize'
  | 'sdk_authenticate'
  | 'modal_open'
  | 'modal_closed'
  | 'possible_phishing_attempt'
  | 'cross_app_auth_started'
  | 'cross_app_auth_completed'
  | 'cross_app_auth_error'
  | 'cross_app_request_started'
  | 'cross_app_request_success'
  | 'cross_app_request_error'
  | 'embedded_wallet_creation_started'
  | 'embedded_wallet_creation_completed'
  | 'embedded_wallet_creation_failed'
  | 'embedded_wallet_creation_failure_logout'
  | 'embedded_wallet_pinless_recovery_started'
  | 'embedded_wallet_recovery_started'
  | 'embedded_wallet_recovery_completed'
  | 'embedded_wallet_set_recovery_started'
  | 'embedded_wallet_set_recovery_completed'
  | 'embedded_wallet_set_recovery_failed'
  | 'embedded_wallet_set_password_failed'
  | 'embedded_wallet_key_export_completed'
  | 'embedded_wallet_sign_typed_data_started'
  | 'embedded_wallet_sign_typed_data_completed'
  | 'recovery_oauth_error'
  | 'embedded_wallet_sign_message_started'
  | 'embedded_wallet_sign_message_completed'
  | 'sdk_fiat_on_ramp_started'
  | 'sdk_fiat_on_ramp_completed_with_status'

/** Fields that may be sent along; nothing that says who somebody is. */
export interface AnalyticsPayload {
  initialScreen?: string
  method?: string
  code?: string
  provider?: string
  status?: string
  /** The amount that is bought, in whole units. */
  value?: string
  chainType?: string
  chainId?: string
}

const event: Endpoint<
  {
    event_name: AnalyticsEvent
    client_id: string | null
    payload: AnalyticsPayload & { clientTimestamp: string }
  },
  undefined
> = {
  method: 'POST',
  path: '/api/v1/analytics_events',
  answer: nothing,
  retries: false,
  refreshesFirst: false,
}

/**
 * `POST /analytics_events`: tells the app's own server that something happened, at `at` in milliseconds. Sent once; a
 * failure is dropped, because nobody waits for it and nothing depends on it.
 */
export function sendEvent(
  http: Http,
  input: { name: AnalyticsEvent; clientId: string; at: number; payload?: AnalyticsPayload },
): void {
  const payload = { ...input.payload, clientTimestamp: new Date(input.at).toISOString() }
  http.call(event, { event_name: input.name, client_id: input.clientId || null, payload }).catch(() => {})
}
