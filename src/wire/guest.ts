import type { CallOptions, Http } from './http.ts'
import { type SessionAnswer, sessionAnswer } from './sessions.ts'

/** Wire 2.9: lets in whoever has the credential; a new one is a new guest. */
export const authenticateGuest = (
  http: Http,
  credential: string,
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v1/guest/authenticate', answer: sessionAnswer },
    { guest_credential: credential },
    options,
  )
