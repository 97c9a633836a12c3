import * as v from 'valibot'
import { maybeText, reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'
import { type User, user } from './user.ts'

const me = reader(
  v.pipe(
    v.object({ user, identity_token: maybeText }),
    v.transform((raw) => ({ user: raw.user, identityToken: raw.identity_token })),
  ),
)

/** Wire 2.1: who is logged in, with a fresh identity token. */
export const getMe = (http: Http, options?: CallOptions) =>
  http.call({ method: 'GET', path: '/api/v1/users/me', answer: me }, undefined, options)

/** Wire 2.1: the person accepts the app's terms. */
export const acceptTerms = (http: Http, options?: CallOptions): Promise<User> =>
  http.call({ method: 'POST', path: '/api/v1/users/me/accept_terms', answer: reader(user) }, {}, options)
