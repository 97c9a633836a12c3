import { addWords } from '../../copy/copy.ts'
import { sms } from '../../copy/en/sms.ts'
import { formatInternational } from '../../ui/fields/phone-field/rules.ts'
import type { LoginMethod } from '../context.ts'
import { loginWithCode } from './flow.ts'
import { smsVerdict } from './sms-errors.ts'

addWords(sms)

/** Logs in with a code sent by SMS. */
export const logIn: LoginMethod['logIn'] = async (cx, { value: number = '' }) =>
  loginWithCode(cx, {
    auth: await cx.auth.sms(),
    via: 'sms',
    to: number,
    shown: formatInternational(number),
    verdict: smsVerdict,
    conflictTitle: cx.t('account.conflict.phone'),
  })
