import { reader } from './decode.ts'
import { codeSent } from './email.ts'
import type { CallOptions, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { type User, user } from './user.ts'

const path = '/api/v1/passwordless_sms'

/** Wire 2.3: sends a code to a number. */
export const sendSmsCode = (
  http: Http,
  { phoneNumber, captchaToken }: { phoneNumber: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<undefined> =>
  http.call(
    { method: 'POST', path: `${path}/init`, answer: codeSent },
    { phoneNumber, ...(captchaToken && { token: captchaToken }) },
    options,
  )

/** Wire 2.3: logs in with the code. */
export const authenticateWithSms = (
  http: Http,
  body: { phoneNumber: string; code: string; mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call({ method: 'POST', path: `${path}/authenticate`, answer: sessionAnswer }, body, options)

/** Wire 2.3: takes a phone number over from another account, which is then gone. */
export const transferPhone = (
  http: Http,
  body: { nonce: string; phoneNumber: string },
  options?: CallOptions,
): Promise<User> =>
  http.call({ method: 'POST', path: `${path}/transfer`, answer: reader(user) }, body, options)
