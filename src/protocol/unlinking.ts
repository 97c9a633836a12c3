import type { CallOptions, Endpoint, Http } from './http.ts'
import { type User, user } from './user.ts'

export interface UnlinkOptions extends CallOptions {
  /** The person knows that they can't log in by anything else afterwards. */
  evenIfSole?: boolean | undefined
}

/**
 * Unlinks accounts of one type from the person who is logged in. The server keeps the only account that somebody can log in by,
 * unless it is told that they know (`cannot_unlink_sole_account`).
 */
export function unlinking<Account>({ path, body }: { path: string; body: (account: Account) => object }) {
  const endpoint: Endpoint<object, User> = { method: 'POST', path, answer: user }
  return (http: Http, account: Account, options?: UnlinkOptions): Promise<User> =>
    http.call(endpoint, { ...body(account), ...(options?.evenIfSole && { even_if_sole: true }) }, options)
}
