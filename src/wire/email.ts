import * as v from 'valibot'
import { reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'
import { type SessionAnswer, sessionAnswer } from './sessions.ts'

const sent = reader(
  v.pipe(
    v.object({ success: v.literal(true) }),
    v.transform(() => undefined),
  ),
)

/** Spec §4 "Login modes". */
export type LoginMode = 'login-or-sign-up' | 'no-signup'

/** Wire 2.2: sends a code to an address. */
export const sendEmailCode = (
  http: Http,
  { email, captchaToken }: { email: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<undefined> =>
  http.call(
    { method: 'POST', path: '/api/v1/passwordless/init', answer: sent },
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
