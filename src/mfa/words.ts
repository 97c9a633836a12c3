import type { PlainKey } from '../copy/copy.ts'
import type { MfaFailure } from './methods.ts'

/** What a person reads of a failure. */
export const failureWords = {
  wrong: 'mfa.code.invalid',
  'max-attempts': 'mfa.code.max',
  timeout: 'mfa.code.time',
  declined: 'mfa.canceled',
  unsupported: 'mfa.unsupported',
  unsent: 'mfa.sms.unsent',
  'too-many': 'mfa.tooMany',
  network: 'mfa.network',
  other: 'mfa.failed',
} as const satisfies Record<MfaFailure, PlainKey>

/** Nothing more can be tried until the prompt is opened again. */
export const isBlocking = (failure: MfaFailure): failure is 'max-attempts' | 'timeout' =>
  failure === 'max-attempts' || failure === 'timeout'
