import { plainPhone } from '../../lib/typed-text.ts'
import {
  authenticateWithSms,
  linkPhone,
  sendSmsCode,
  transferPhone,
  updatePhone,
} from '../../protocol/passwordless.ts'
import type { AuthContext } from '../service-context.ts'
import { type CodeAuth, createCodeAuth } from './service.ts'

/** Logging in with a code sent by SMS. */
export const createSmsAuth = (cx: AuthContext): CodeAuth =>
  createCodeAuth(cx, {
    method: 'sms',
    missing: 'A phone number is needed',
    read: plainPhone,
    send: (http, { to, captchaToken }, options) =>
      sendSmsCode(http, { phoneNumber: to, captchaToken }, options),
    authenticate: (http, { to, code, mode }, options) =>
      authenticateWithSms(http, { phoneNumber: to, code, mode }, options),
    link: (http, { to, code }, options) => linkPhone(http, { phoneNumber: to, code }, options),
    update: (http, { old, to, code }, options) =>
      updatePhone(http, { oldNumber: old, newNumber: to, code }, options),
    transfer: (http, { nonce, to }, options) => transferPhone(http, { nonce, phoneNumber: to }, options),
    // The server stores numbers without the spaces and brackets that a host may have sent.
    isAccount: (account, to) => account.type === 'phone' && account.number === `+${to.replace(/\D/g, '')}`,
  })
