import type { Database } from '../store/open.ts'
import type { App } from './app-settings.ts'
import type { Codes } from './codes.ts'
import { emailListed, isPlusAddress } from './email-address.ts'
import type { RateLimits } from './limits.ts'
import { codeMail, lockedMail, type Mailer } from './mail.ts'
import { Refusal } from './refusal.ts'
import type { Opened, Sessions } from './sessions.ts'
import { admit, type LoginMode } from './users.ts'

export interface LoggedIn extends Opened {
  isNewUser: boolean
}
export interface EmailLogin {
  /** Sends a code; the same for known and unknown addresses. @throws Refusal, Unavailable when the mail is stuck */
  sendCode(app: App, email: string, ip: string | undefined): Promise<void>
  /** Logs in with a code. @throws Refusal */
  logIn(
    app: App,
    given: { email: string; code: string; mode: LoginMode },
    ip: string | undefined,
  ): Promise<LoggedIn>
}

/** Login with a code by e-mail. Wire 2.2, security T7 and T8. */
export function createEmailLogin(deps: {
  database: Database
  codes: Codes
  sessions: Sessions
  mailer: Mailer
  limits: RateLimits
  clock: () => number
}): EmailLogin {
  const { database, codes, sessions, mailer, limits, clock } = deps

  /** What the app's settings say about an address, whoever it belongs to. */
  function checkSettings(app: App, email: string): void {
    if (!app.methods.includes('email'))
      throw new Refusal('disallowed_login_method', 'Login with e-mail is not switched on for this app.')
    if (!app.plusEmails && isPlusAddress(email))
      throw new Refusal('disallowed_plus_email', 'Addresses with a + are not accepted.')
    if (app.allowlist && !emailListed(email, app.allowlist.emails))
      throw new Refusal('allowlist_rejected', 'This user may not log in to this app.')
  }

  return {
    async sendCode(app, email, ip) {
      checkSettings(app, email)
      const issued = await codes.issue({ appId: app.id, channel: 'email', address: email }, ip)
      try {
        await mailer.send(codeMail(email, app.name, issued.code, limits.codeLife))
      } catch (cause) {
        await issued.undo()
        throw cause
      }
    },
    async logIn(app, { email, code, mode }, ip) {
      checkSettings(app, email)
      const wrongCode = new Refusal('invalid_credentials', 'This code is not valid.')
      if (!/^\d{6}$/.test(code)) throw wrongCode
      const outcome = await database.transaction(async (tx) => {
        const checked = await codes.check(tx, { appId: app.id, channel: 'email', address: email }, code, ip)
        if (!checked.right) return { refused: wrongCode, lockedUntil: checked.lockedUntil }
        const admission = await admit(tx, app, { type: 'email', subject: email }, mode, clock())
        if ('refused' in admission) return { refused: admission.refused }
        return { ...(await sessions.open(tx, app.id, admission.userId)), isNewUser: admission.isNew }
      })
      if (!('refused' in outcome)) return outcome
      // Not waited for: the answer must not tell that this guess was the last one. The mailer logs a failure.
      if (outcome.lockedUntil)
        mailer.send(lockedMail(email, app.name, new Date(outcome.lockedUntil))).catch(() => {})
      throw outcome.refused
    },
  }
}
