import { type Codes, sendCaps } from '../../codes/codes.ts'
import { type PhoneNumber, requireSendable } from '../../codes/phone-number.ts'
import { codeSms, lockedSms, type SmsGateway } from '../../codes/sms-gateway.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Limits } from '../../settings/limits.ts'
import { type CodeLogin, createCodeLogin } from './code-login.ts'

export type SmsLogin = CodeLogin<PhoneNumber>

/** Login with a code by SMS. */
export function createSmsLogin(deps: { codes: Codes; sms: SmsGateway; limits: Limits }): SmsLogin {
  const { sms, limits } = deps
  return createCodeLogin<PhoneNumber>(
    {
      channel: 'sms',
      key: ({ e164 }) => e164,
      caps: (app) => sendCaps(app, limits, 'sms'),
      proof: (e164) => ({ type: 'phone', subject: e164, details: {}, displayName: e164 }),
      check(app, to) {
        if (!app.methods.includes('sms'))
          throw new Refusal('disallowed_login_method', 'Login with SMS is not enabled for this app.')
        if (app.allowlist && !app.allowlist.phones.includes(to.e164))
          throw new Refusal('allowlist_rejected', 'This user may not log in to this app.')
        requireSendable(app, to)
      },
      send: (app, to, code, { origin, device }) =>
        sms.send({ to, text: codeSms(app.name, code, limits.codeLife, origin, device) }),
      notifyLocked: (app, to, until) => sms.send({ to, text: lockedSms(app.name, until) }),
    },
    deps,
  )
}
