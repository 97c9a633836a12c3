/** Spec §4 "Flow states", e-mail and SMS code; `initial` before anything was asked for. */
export type CodeState =
  | { readonly status: 'initial' }
  | { readonly status: 'sending-code' }
  | { readonly status: 'awaiting-code-input' }
  | { readonly status: 'submitting-code' }
  | { readonly status: 'done' }
  | { readonly status: 'error'; readonly error: Error }
