/** Why the backend refuses something, by the names of the protocol. */
export type RefusalCode =
  | 'account_frozen'
  | 'account_transfer_required'
  | 'already_delegated'
  | 'approval_required'
  | 'cannot_link_more_of_type'
  | 'cannot_unlink_embedded_wallet'
  | 'cannot_unlink_sole_account'
  | 'contact_not_verified'
  | 'cross_app_connection_not_allowed'
  | 'cross_app_request_over'
  | 'cross_app_wrong_user'
  | 'device_not_enrolled'
  | 'enrolment_required'
  | 'expired_or_invalid_mfa_token'
  | 'feature_not_enabled'
  | 'insufficient_funds'
  | 'invalid_captcha'
  | 'invalid_pkce_parameters'
  | 'invalid_state'
  | 'linked_to_another_user'
  | 'not_supported'
  | 'oauth_account_suspended'
  | 'oauth_state_mismatch'
  | 'passkey_not_registered'
  | 'permission_denied'
  | 'user_unsubscribed'
  | 'allowlist_rejected'
  | 'already_logged_out'
  | 'disallowed_login_method'
  | 'disallowed_recovery_method'
  | 'disallowed_plus_email'
  | 'invalid_credentials'
  | 'invalid_data'
  | 'invalid_dpop_proof'
  | 'invalid_native_app_id'
  | 'invalid_origin'
  | 'invalid_request'
  | 'linked_account_not_found'
  | 'max_accounts_reached'
  | 'missing_or_invalid_privy_app_id'
  | 'missing_or_invalid_privy_client_id'
  | 'mfa_method_not_allowed'
  | 'missing_mfa_enrollment'
  | 'missing_or_invalid_mfa'
  | 'missing_or_invalid_token'
  | 'missing_origin'
  | 'provider_refused'
  | 'purchase_not_open'
  | 'quote_changed'
  | 'recovery_proof_required'
  | 'resource_conflict'
  | 'signup_disabled'
  | 'token_already_used'
  | 'transaction_execution_failure'
  | 'too_many_requests'
  | 'use_dpop_nonce'
  | 'user_does_not_exist'
  | 'user_has_not_delegated_wallet'
  | 'wrong_account'

/** A business refusal: the caller gets it as it is, and not an error of the server. */
export class Refusal extends Error {
  override name = 'Refusal'
  /**
   * @param code what programs read
   * @param text what people may read; never anything that the caller sent
   * @param details.status another HTTP status than the code's usual one
   * @param details.retryAfter milliseconds after which another try can succeed
   * @param details.reason what the operator reads in the log where the code says too little; never personal data
   */
  constructor(
    readonly code: RefusalCode,
    text: string,
    readonly details: {
      status?: number
      retryAfter?: number
      reason?: string
      data?: Record<string, unknown>
    } = {},
  ) {
    super(text)
  }
}

/** Something that this backend needs is down; the caller may try again. Answered with 503. */
export class Unavailable extends Error {
  override name = 'Unavailable'
}
