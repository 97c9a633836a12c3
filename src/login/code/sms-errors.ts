import { errorScreenVerdict } from '../../errors/error-screen.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'

/** What sending an SMS may fail with, besides the failures of every code. */
const table = {
  invalid_data: { show: 'start', words: { key: 'login.phone.notNumber' } },
  user_unsubscribed: { show: 'start', words: { key: 'error.sms.unsubscribed' } },
  otherwise: errorScreenVerdict,
} as const satisfies Table

export const smsVerdict = (error: KitError): Verdict => judge(table, error)
