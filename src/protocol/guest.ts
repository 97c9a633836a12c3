import type { CallOptions, Endpoint, Http } from './http.ts'
import { type SessionAnswer, sessionAnswer } from './sessions.ts'

const authenticate: Endpoint<{ guest_credential: string }, SessionAnswer> = {
  method: 'POST',
  path: '/api/v1/guest/authenticate',
  answer: sessionAnswer,
}

/**
 * `POST /guest/authenticate`: logs in with the credential; an unknown one creates a new guest.
 * Throws what {@link Http.call} throws.
 */
export const authenticateGuest = (
  http: Http,
  credential: string,
  options?: CallOptions,
): Promise<SessionAnswer> => http.call(authenticate, { guest_credential: credential }, options)
