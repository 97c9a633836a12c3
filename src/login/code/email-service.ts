import { trimInvisible } from '../../lib/typed-text.ts'
import {
  authenticateWithEmail,
  linkEmail,
  sendEmailCode,
  transferEmail,
  updateEmail,
} from '../../protocol/passwordless.ts'
import type { AuthContext } from '../service-context.ts'
import { type CodeAuth, createCodeAuth } from './service.ts'

/** Logging in with a code sent by e-mail. */
export const createEmailAuth = (cx: AuthContext): CodeAuth =>
  createCodeAuth(cx, {
    method: 'email',
    missing: 'An email address is needed',
    read: trimInvisible,
    send: (http, { to, captchaToken }, options) => sendEmailCode(http, { email: to, captchaToken }, options),
    authenticate: (http, { to, code, mode }, options) =>
      authenticateWithEmail(http, { email: to, code, mode }, options),
    link: (http, { to, code }, options) => linkEmail(http, { email: to, code }, options),
    update: (http, { old, to, code }, options) =>
      updateEmail(http, { oldAddress: old, newAddress: to, code }, options),
    transfer: (http, { nonce, to }, options) => transferEmail(http, { nonce, email: to }, options),
    isAccount: (account, to) => account.type === 'email' && account.address === to.toLowerCase(),
  })
