import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { type OwnBrowser, ownBrowser } from './own-browser.ts'
import { nothing, readableItems } from './schema.ts'

/** A browser in which somebody is logged in. */
export type UserSession = OwnBrowser

const list: Endpoint<undefined, UserSession[]> = {
  method: 'GET',
  path: '/api/v1/users/me/sessions',
  answer: v.pipe(
    v.object({ sessions: readableItems(ownBrowser) }),
    v.transform((raw) => raw.sessions),
  ),
}
const end = (id: string): Endpoint<object, undefined> => ({
  method: 'POST',
  path: `/api/v1/users/me/sessions/${encodeURIComponent(id)}/end`,
  answer: nothing,
})
const endOthers: Endpoint<object, undefined> = {
  method: 'POST',
  path: '/api/v1/users/me/sessions/end_others',
  answer: nothing,
}

/** `GET /users/me/sessions`: where the person is logged in. Throws what {@link Http.call} throws. */
export const listUserSessions = (http: Http, options?: CallOptions): Promise<readonly UserSession[]> =>
  http.call(list, undefined, options)

/** `POST /users/me/sessions/:id/end`: logs the person out there. Throws what {@link Http.call} throws. */
export const endUserSession = (http: Http, id: string, options?: CallOptions): Promise<undefined> =>
  http.call(end(id), {}, options)

/** `POST /users/me/sessions/end_others`: logs the person out everywhere but here. Throws what {@link Http.call} throws. */
export const endOtherUserSessions = (http: Http, options?: CallOptions): Promise<undefined> =>
  http.call(endOthers, {}, options)
