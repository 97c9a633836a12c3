import { learn } from '../../copy/copy.ts'
import { sms } from '../../copy/en/sms.ts'
import { smsVerdict } from '../../errors/sms.ts'
import { formatInternational } from '../../ui/phone-field/rules.ts'
import { loginWithCode } from './code.ts'
import type { Way } from './context.ts'

learn(sms)

/** Logs in with a code that comes as a text message. */
export const way: Way = async (cx, { value: number = '' }) =>
  loginWithCode(cx, {
    auth: await cx.auth.sms(),
    via: 'sms',
    to: number,
    shown: formatInternational(number),
    verdict: smsVerdict,
    conflictTitle: cx.t('account.conflict.phone'),
  })
