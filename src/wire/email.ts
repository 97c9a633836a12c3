import * as v from 'valibot'
import { reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { type User, user } from './user.ts'

/** The answer to the sending of any code. */
export const codeSent = reader(
  v.pipe(
    v.object({ success: v.literal(true) }),
    v.transform(() => undefined),
  ),
)

/** Wire 2.2: sends a code to an address. */
export const sendEmailCode = (
  http: Http,
  { email, captchaToken }: { email: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<undefined> =>
  http.call(
    { method: 'POST', path: '/api/v1/passwordless/init', answer: codeSent },
    { email, ...(captchaToken && { token: captchaToken }) },
    options,
  )

/** Wire 2.2: logs in with the code. */
export const authenticateWithEmail = (
  http: Http,
  body: { email: string; code: string; mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v1/passwordless/authenticate', answer: sessionAnswer },
    body,
    options,
  )

/** Wire 2.2: takes an e-mail address over from another account, which is then gone. */
export const transferEmail = (
  http: Http,
  body: { nonce: string; email: string },
  options?: CallOptions,
): Promise<User> =>
  http.call({ method: 'POST', path: '/api/v1/passwordless/transfer', answer: reader(user) }, body, options)
