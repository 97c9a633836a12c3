import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { optionalText } from './schema.ts'
import { type User, user } from './user.ts'

/** Who is logged in, and a token that says so to the host's own server. */
export interface Me {
  readonly user: User
  readonly identityToken: string | undefined
}

const me: Endpoint<undefined, Me> = {
  method: 'GET',
  path: '/api/v1/users/me',
  answer: v.pipe(
    v.object({ user, identity_token: optionalText }),
    v.transform((raw) => ({ user: raw.user, identityToken: raw.identity_token })),
  ),
}
const terms: Endpoint<object, User> = {
  method: 'POST',
  path: '/api/v1/users/me/accept_terms',
  answer: user,
}

/** `GET /users/me`: who is logged in, with a fresh identity token. Throws what {@link Http.call} throws. */
export const getMe = (http: Http, options?: CallOptions): Promise<Me> => http.call(me, undefined, options)

/**
 * `POST /users/me/accept_terms`: the person accepts the app's terms. Resolves with the person as they are then.
 * Throws what {@link Http.call} throws.
 */
export const acceptTerms = (http: Http, options?: CallOptions): Promise<User> => http.call(terms, {}, options)
