/**
 * The codes that a program may act on. Server codes (wire 3.3) pass through under their own names; the rest are the
 * host codes of spec §8 in the spelling of wire 12.6, and a few of our own for faults that neither of them names.
 */
export const errorCodes = [
  // from the server
  'invalid_data',
  'invalid_credentials',
  'invalid_request',
  'invalid_state',
  'invalid_captcha',
  'invalid_origin',
  'missing_origin',
  'missing_or_invalid_app_id',
  'missing_or_invalid_client_id',
  'missing_or_invalid_token',
  'allowlist_rejected',
  'account_transfer_required',
  'linked_to_another_user',
  'cannot_link_more_of_type',
  'max_accounts_reached',
  'user_does_not_exist',
  'signup_disabled',
  'disallowed_login_method',
  'disallowed_plus_email',
  'not_supported',
  'user_unsubscribed',
  'too_many_requests',
  'feature_not_enabled',
  'resource_conflict',
  // given to the host
  'exited_auth_flow',
  'exited_link_flow',
  'exited_update_flow',
  'unknown_auth_error',
  'must_be_authenticated',
  'client_request_timeout',
  'embedded_wallet_already_exists',
  'embedded_wallet_not_found',
  'embedded_wallet_create_error',
  'embedded_wallet_recovery_error',
  'unknown_embedded_wallet_error',
  'invalid_message',
  'unable_to_sign',
  'terms_not_accepted',
  // faults that the catalogue does not name
  'network_unavailable',
  'malformed_response',
  'invalid_configuration',
  'flow_in_progress',
  'vault_unavailable',
  'vault_timeout',
  'vault_crashed',
] as const

export type KnownErrorCode = (typeof errorCodes)[number]
/** A known code, or one that a newer server made up. */
export type ErrorCode = KnownErrorCode | (string & {})
