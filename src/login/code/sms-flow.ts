import { addWords } from '../../copy/copy.ts'
import { sms } from '../../copy/en/sms.ts'
import { formatInternational } from '../../ui/fields/phone-field/rules.ts'
import type { LoginMethod } from '../context.ts'
import { loginWithCode } from './flow.ts'
import { smsVerdict } from './sms-errors.ts'
import { prepareBoxes } from './vault-boxes.ts'

addWords(sms)

/** Loaded before a number is submitted, so that losing the network in between does no harm. */
export const prepare: LoginMethod['prepare'] = async (cx) => {
  await Promise.all([cx.auth.sms(), prepareBoxes(cx)])
  return undefined
}

/** As people write it. */
export const shown = formatInternational

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
