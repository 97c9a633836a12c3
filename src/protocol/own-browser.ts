import * as v from 'valibot'
import { flag, requiredText, unixTime } from './schema.ts'

/** A browser of the person's, as the server has seen it. */
export interface OwnBrowser {
  readonly id: string
  /** Such as `Chrome on Windows`; may be empty. */
  readonly name: string
  /** Where it was when it came, as a range of network addresses or as the server's proxy names it; may be empty. */
  readonly place: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  /** It is the one that asks. */
  readonly current: boolean
}

export const ownBrowser = v.pipe(
  v.object({
    id: requiredText,
    name: v.fallback(v.string(), ''),
    place: v.fallback(v.string(), ''),
    created_at: unixTime,
    last_used_at: unixTime,
    current: flag,
  }),
  v.transform(
    ({ id, name, place, current, ...raw }): OwnBrowser => ({
      id,
      name,
      place,
      createdAt: raw.created_at,
      lastUsedAt: raw.last_used_at,
      current,
    }),
  ),
)
