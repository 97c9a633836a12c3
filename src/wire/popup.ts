import { fieldsOf } from './failure.ts'

/** What a popup tells its opener. Wire 6.2. */
export type PopupMessage =
  | { readonly kind: 'returned'; readonly code: string; readonly state: string }
  | { readonly kind: 'failed'; readonly error: string }
  /** The window is cut off from its opener from now on: it answers on the channel, and looks closed without being so. */
  | { readonly kind: 'moved' }

/** Where pages of one origin hear of each other when a window has lost its opener. */
export const popupChannel = 'popup-privy-oauth'

/** A window's message, or `undefined` when it is none of ours. */
export function readPopupMessage(data: unknown): PopupMessage | undefined {
  const { type, stateCode, authorizationCode, error } = fieldsOf(data)
  if (type === 'PRIVY_OAUTH_USE_BROADCAST_CHANNEL') return { kind: 'moved' }
  if (type === 'PRIVY_OAUTH_ERROR') return { kind: 'failed', error: typeof error === 'string' ? error : '' }
  if (type !== 'PRIVY_OAUTH_RESPONSE') return undefined
  if (typeof stateCode !== 'string' || typeof authorizationCode !== 'string') return undefined
  return { kind: 'returned', code: authorizationCode, state: stateCode }
}

export const popupResponse = ({ code, state }: { code: string; state: string }) => ({
  type: 'PRIVY_OAUTH_RESPONSE',
  stateCode: state,
  authorizationCode: code,
})

/** The words are for logs: what a person reads is the opener's business. */
export const popupFailure = () => ({ type: 'PRIVY_OAUTH_ERROR', error: 'Something went wrong. Try again.' })

/** What an opener says on the channel to the window whose answer it has taken: that may go now. */
export const popupThanks = (state: string) => ({ type: 'PRIVY_OAUTH_RECEIVED', stateCode: state })
export const isPopupThanks = (data: unknown, state: string) => {
  const { type, stateCode } = fieldsOf(data)
  return type === 'PRIVY_OAUTH_RECEIVED' && stateCode === state
}
