import type { CallOptions, Endpoint, Http } from './http.ts'
import { type SessionAnswer, sessionAnswer } from './sessions.ts'

const authenticate: Endpoint<{ token: string }, SessionAnswer> = {
  method: 'POST',
  path: '/api/v1/custom_jwt_account/authenticate',
  answer: sessionAnswer,
}

/**
 * `POST /custom_jwt_account/authenticate`: logs in with a token of the host's own login. Throws what {@link Http.call}
 * throws.
 */
export const authenticateWithCustomJwt = (
  http: Http,
  token: string,
  options?: CallOptions,
): Promise<SessionAnswer> => http.call(authenticate, { token }, options)
