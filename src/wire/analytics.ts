import { type Http, nothing } from './http.ts'

/** Wire 2.14. Names only; what happened is in the name and a few allowed fields. */
export type AnalyticsEvent =
  | 'sdk_initialize'
  | 'sdk_authenticate'
  | 'modal_open'
  | 'modal_closed'
  | 'possible_phishing_attempt'
  | 'cross_app_auth_started'
  | 'cross_app_auth_completed'
  | 'cross_app_auth_error'
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

/** Fields that may be sent along; nothing that says who somebody is (security T22). */
export interface AnalyticsPayload {
  initialScreen?: string
  method?: string
  code?: string
}

/** Tells the app's own server that something happened: sent once, and a failure is nobody's business. */
export function sendEvent(
  http: Http,
  event: { name: AnalyticsEvent; clientId: string; at: number; payload?: AnalyticsPayload },
): void {
  http
    .call(
      {
        method: 'POST',
        path: '/api/v1/analytics_events',
        answer: nothing,
        retries: false,
        refreshesFirst: false,
      },
      {
        event_name: event.name,
        client_id: event.clientId || null,
        payload: { ...event.payload, clientTimestamp: new Date(event.at).toISOString() },
      },
    )
    .catch(() => {})
}
