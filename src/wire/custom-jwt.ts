import type { CallOptions, Http } from './http.ts'
import { type SessionAnswer, sessionAnswer } from './sessions.ts'

/** Wire 2.9: logs in with a token of the host's own login. */
export const authenticateWithCustomJwt = (
  http: Http,
  token: string,
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v1/custom_jwt_account/authenticate', answer: sessionAnswer },
    { token },
    options,
  )
