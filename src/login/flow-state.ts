import { toKitError } from '../errors/kit-error.ts'
import type { Store } from '../lib/store.ts'

/** How far a headless login is; `initial` before anything was asked for. */
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
  // a wallet's signature
  | 'generating-message'
  | 'awaiting-signature'
  | 'submitting-signature'
  // the others
  | 'loading'
  | 'awaiting-approval'

export type FlowState =
  | { readonly status: Exclude<FlowStatus, 'error'> }
  | { readonly status: 'error'; readonly error: Error }

/** The login methods that a host may use without our screens. */
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
  | 'siwe'
  | 'siws'

type Status = Exclude<FlowStatus, 'error'>

/** Runs a step of a login and sets its state: `during`, then `after`, or the error. */
export async function withFlowState<T>(
  state: Store<FlowState>,
  { during, after }: { during: Status; after?: Status | undefined },
  work: () => Promise<T>,
): Promise<T> {
  state.set({ status: during })
  try {
    const result = await work()
    if (after) state.set({ status: after })
    return result
  } catch (cause) {
    state.set({ status: 'error', error: toKitError(cause) })
    throw cause
  }
}
