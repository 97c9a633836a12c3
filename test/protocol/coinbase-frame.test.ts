/** Messages of Coinbase's payment frame: what they are read as, and what is ignored. */
import { expect, test } from 'vitest'
import { readPaymentFrame } from '../../src/protocol/outside/coinbase-frame.ts'

test.each([
  ['load_success', { kind: 'loaded' }],
  ['load_error', { kind: 'failed', reason: 'unknown' }],
  ['cancel', { kind: 'canceled' }],
  ['commit_success', { kind: 'paid' }],
  ['pending_payment_auth', { kind: 'paid' }],
])('payment frame: %s is read, as an object and as text', (name, expected) => {
  const message = { eventName: `onramp_api.${name}`, data: {} }
  expect(readPaymentFrame(message)).toEqual(expected)
  expect(readPaymentFrame(JSON.stringify(message))).toEqual(expected)
})

test.each([
  ['ERROR_CODE_GUEST_APPLE_PAY_NOT_SUPPORTED', 'not-available'],
  ['ERROR_CODE_GUEST_APPLE_PAY_NOT_SETUP', 'not-available'],
  ['ERROR_CODE_GUEST_CARD_SOFT_DECLINED', 'declined'],
  ['ERROR_CODE_GUEST_CARD_PREPAID_DECLINED', 'declined'],
  ['ERROR_CODE_GUEST_INVALID_CARD', 'declined'],
  ['ERROR_CODE_GUEST_CARD_INSUFFICIENT_BALANCE', 'funds'],
  ['ERROR_CODE_GUEST_TRANSACTION_LIMIT', 'limit'],
  ['ERROR_CODE_GUEST_TRANSACTION_COUNT', 'limit'],
  ['ERROR_CODE_GUEST_REGION_MISMATCH', 'region'],
  ['ERROR_CODE_GUEST_PERMISSION_DENIED', 'region'],
  ['ERROR_CODE_OF_NEXT_YEAR', 'unknown'],
])('payment frame: the error %s is read as %s', (errorCode, reason) => {
  const message = { eventName: 'onramp_api.commit_error', data: { errorCode } }
  expect(readPaymentFrame(message)).toEqual({ kind: 'failed', reason })
})

test.each([
  [undefined],
  [null],
  ['text'],
  ['{'],
  [`{"eventName":"onramp_api.cancel","x":"${'x'.repeat(5_000)}"}`],
  [{ eventName: 'onramp_api.of_next_year' }],
  [{ eventName: 'constructor' }],
  [{ eventName: 5 }],
  [{ type: 'other' }],
])('payment frame: %j is ignored', (message) => {
  expect(readPaymentFrame(message)).toBeUndefined()
})
