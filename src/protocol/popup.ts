/** What the window of a login and the page that opened it say to each other. */
import * as v from 'valibot'
import { parseOptional } from './schema.ts'

/** The channel for windows that have lost their opener. */
export const popupChannel = 'popup-privy-oauth'

const types = {
  returned: 'PRIVY_OAUTH_RESPONSE',
  failed: 'PRIVY_OAUTH_ERROR',
  moved: 'PRIVY_OAUTH_USE_BROADCAST_CHANNEL',
  received: 'PRIVY_OAUTH_RECEIVED',
} as const

const popupMessage = v.variant('type', [
  v.pipe(
    v.object({ type: v.literal(types.returned), stateCode: v.string(), authorizationCode: v.string() }),
    v.transform((raw) => ({
      kind: 'returned' as const,
      code: raw.authorizationCode,
      state: raw.stateCode,
    })),
  ),
  v.pipe(
    v.object({ type: v.literal(types.failed), error: v.fallback(v.string(), '') }),
    v.transform(({ error }) => ({ kind: 'failed' as const, error })),
  ),
  v.pipe(
    v.object({ type: v.literal(types.moved) }),
    v.transform(() => ({ kind: 'moved' as const })),
  ),
])
/**
 * `returned` has what the provider gave; `moved` says that the window is cut off from its opener from now on: it answers
 * on the channel, and looks closed without being so.
 */
export type PopupMessage = v.InferOutput<typeof popupMessage>

/** A window's message, or `undefined` when it is none of ours. Never throws. */
export const readPopupMessage = (data: unknown): PopupMessage | undefined => parseOptional(popupMessage, data)

/** What a window that has come back says to the page that opened it. */
export const popupResponse = ({ code, state }: { code: string; state: string }) => ({
  type: types.returned,
  stateCode: state,
  authorizationCode: code,
})

/** What a window says whose login failed. The text is for logs: what a person reads is the opener's business. */
export const popupFailure = () => ({ type: types.failed, error: 'Something went wrong. Try again.' })

const receipt = v.object({ type: v.literal(types.received), stateCode: v.string() })

/** What an opener says on the channel to the window whose answer it has taken: that may close now. */
export const popupReceipt = (state: string) => ({ type: types.received, stateCode: state })

/** Whether a message on the channel says that of the login with this state. */
export const isPopupReceipt = (data: unknown, state: string): boolean =>
  parseOptional(receipt, data)?.stateCode === state
