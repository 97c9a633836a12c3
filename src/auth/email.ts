import { authenticateWithEmail, sendEmailCode, transferEmail } from '../wire/email.ts'
import { type CodeAuth, createCodeAuth } from './code.ts'
import type { AuthContext } from './context.ts'

/** Logging in by a code that is mailed. Wire 2.2. */
export const createEmailAuth = (cx: AuthContext): CodeAuth =>
  createCodeAuth(cx, {
    method: 'email',
    missing: 'An email address is needed',
    send: (http, { to, captchaToken }, options) => sendEmailCode(http, { email: to, captchaToken }, options),
    authenticate: (http, { to, code, mode }, options) =>
      authenticateWithEmail(http, { email: to, code, mode }, options),
    transfer: (http, { nonce, to }, options) => transferEmail(http, { nonce, email: to }, options),
    isAccount: (account, to) => account.type === 'email' && account.address === to.toLowerCase(),
  })
