import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { flag, nothing, readableItems, requiredText, unixTime } from './schema.ts'

/** A browser in which somebody is logged in. */
export interface UserSession {
  readonly id: string
  /** Such as `Chrome on Windows`. */
  readonly name: string
  /** Where it was when it began, as a range of network addresses or as the server's proxy names it; may be empty. */
  readonly place: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  /** It is the one that asks. */
  readonly current: boolean
}

const session = v.pipe(
  v.object({
    id: requiredText,
    name: v.fallback(v.string(), ''),
    place: v.fallback(v.string(), ''),
    created_at: unixTime,
    last_used_at: unixTime,
    current: flag,
  }),
  v.transform(
    ({ id, name, place, current, ...raw }): UserSession => ({
      ...{ id, name, place, createdAt: raw.created_at, lastUsedAt: raw.last_used_at, current },
    }),
  ),
)
const list: Endpoint<undefined, UserSession[]> = {
  method: 'GET',
  path: '/api/v1/users/me/sessions',
  answer: v.pipe(
    v.object({ sessions: readableItems(session) }),
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
