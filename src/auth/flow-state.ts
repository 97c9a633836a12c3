/** Spec §4 "Flow states"; `initial` before anything was asked for. */
export type FlowStatus =
  | 'initial'
  | 'error'
  | 'done'
  // e-mail and SMS code
  | 'sending-code'
  | 'awaiting-code-input'
  | 'submitting-code'
  // passkey
  | 'generating-challenge'
  | 'awaiting-passkey'
  | 'submitting-response'
  // the others
  | 'loading'
  | 'awaiting-approval'

export type FlowState =
  | { readonly status: Exclude<FlowStatus, 'error'> }
  | { readonly status: 'error'; readonly error: Error }

/** The ways to log in that a host may use without any of our screens. */
export type HeadlessMethod =
  | 'email'
  | 'sms'
  | 'oauth'
  | 'passkey'
  | 'farcaster'
  | 'telegram'
  | 'guest'
  | 'customAuth'
  | 'crossApp'
  | 'captcha'
