import * as v from 'valibot'
import { parseOptional } from '../schema.ts'

/**
 * A message of the frame in which guests pay at Coinbase. It only says what to display: the server alone says what became of a purchase.
 * `paid`: the button was pressed, and the payment is being made.
 */
export interface PaymentFrameMessage {
  readonly kind: 'loaded' | 'failed' | 'canceled' | 'paid'
  /** `declined`, `funds`, `limit`, `region`, `not-available` (no wallet of that kind here), or `unknown`. */
  readonly reason?: 'declined' | 'funds' | 'limit' | 'region' | 'not-available' | 'unknown' | undefined
}

const message = v.object({
  eventName: v.pipe(v.string(), v.maxLength(64)),
  data: v.fallback(
    v.optional(v.object({ errorCode: v.optional(v.pipe(v.string(), v.maxLength(128))) })),
    undefined,
  ),
})
const kinds: Readonly<Record<string, PaymentFrameMessage['kind']>> = {
  'onramp_api.load_success': 'loaded',
  'onramp_api.load_error': 'failed',
  'onramp_api.commit_error': 'failed',
  'onramp_api.polling_error': 'failed',
  'onramp_api.cancel': 'canceled',
  'onramp_api.commit_success': 'paid',
  'onramp_api.pending_payment_auth': 'paid',
}
const reasons: readonly (readonly [RegExp, PaymentFrameMessage['reason']])[] = [
  [/NOT_SUPPORTED|NOT_SETUP/, 'not-available'],
  [/INSUFFICIENT/, 'funds'],
  [/TRANSACTION_(LIMIT|COUNT)/, 'limit'],
  [/REGION|PERMISSION/, 'region'],
  [/DECLINED|INVALID_CARD/, 'declined'],
]
const MOST_CHARACTERS = 4_096

/** Reads a message; `undefined` for any other. */
export function readPaymentFrame(data: unknown): PaymentFrameMessage | undefined {
  const said = parseOptional(message, typeof data === 'string' ? parseText(data) : data)
  const kind = said && Object.hasOwn(kinds, said.eventName) ? kinds[said.eventName] : undefined
  if (!kind) return undefined
  const code = said?.data?.errorCode ?? ''
  return kind === 'failed'
    ? { kind, reason: reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'unknown' }
    : { kind }
}

function parseText(text: string): unknown {
  if (text.length > MOST_CHARACTERS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
