import { errorScreenVerdict } from './error-screen.ts'
import type { KitError } from './kit-error.ts'
import { judge, type Table, type Verdict } from './verdict.ts'

/** What the sending of an SMS may fail with, besides what spec §8 "Error screen mapping" has for every code. */
const table = {
  invalid_data: { show: 'start', words: { key: 'login.phone.notNumber' } },
  user_unsubscribed: { show: 'start', words: { key: 'error.sms.unsubscribed' } },
  otherwise: errorScreenVerdict,
} as const satisfies Table

export const smsVerdict = (error: KitError): Verdict => judge(table, error)
