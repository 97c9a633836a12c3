import { type Codes, sendCaps } from '../../codes/codes.ts'
import { emailListed, isPlusAddress, mailboxOf } from '../../lib/email-address.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Mailer } from '../../outside/mail.ts'
import type { Limits } from '../../settings/limits.ts'
import { type CodeLogin, createCodeLogin } from './code-login.ts'
import { codeMail, lockedMail } from './mail.ts'

/** For normalised addresses. */
export type EmailLogin = CodeLogin<string>

/** Login with a code by e-mail. */
export function createEmailLogin(deps: { codes: Codes; mailer: Mailer; limits: Limits }): EmailLogin {
  const { mailer, limits } = deps
  return createCodeLogin(
    {
      channel: 'email',
      key: (email) => email,
      mailbox: mailboxOf,
      caps: (app) => sendCaps(app, limits, 'email'),
      proof: (email) => ({ type: 'email', subject: email, details: {}, displayName: email }),
      check(app, email) {
        if (!app.methods.includes('email'))
          throw new Refusal('disallowed_login_method', 'Login with e-mail is not enabled for this app.')
        if (!app.plusEmails && isPlusAddress(email))
          throw new Refusal('disallowed_plus_email', 'Addresses with a + are not accepted.')
        if (app.allowlist && !emailListed(email, app.allowlist.emails))
          throw new Refusal('allowlist_rejected', 'This user may not log in to this app.')
      },
      send: (app, email, code, { device }) =>
        mailer.send(codeMail(email, app.name, code, limits.codeLife, device)),
      notifyLocked: (app, email, until) => mailer.send(lockedMail(email, app.name, until)),
    },
    deps,
  )
}
