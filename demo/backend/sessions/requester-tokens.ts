/** Ends the tokens that other apps show in a user's name, which carry no session and are good for an hour. */
import type { Queries, Transaction } from '../store/database.ts'
import type { OneTime, OneTimeKey } from '../store/one-time.ts'
import type { RequesterBearer } from './tokens.ts'

interface Owner {
  appId: string
  userId: string
}

/** Stands for every app that asks. */
const ANY = ''
const keyOf = ({ appId, userId }: Owner, requester: string): OneTimeKey => ({
  kind: 'cross-app-tokens-ended',
  appId,
  value: `${userId} ${requester}`,
})

/**
 * Ends all tokens that were issued so far, to one app or to every one.
 * @param given.life the life of such a token: once it has passed, nothing need be remembered
 */
export async function endRequesterTokens(
  tx: Transaction,
  oneTime: OneTime,
  owner: Owner,
  given: { requester?: string; now: number; life: number },
): Promise<void> {
  const key = keyOf(owner, given.requester ?? ANY)
  await oneTime.take(tx, key)
  await oneTime.put(tx, { ...key, data: { at: given.now }, life: given.life })
}

/** Whether the user, or a freeze of their account, has ended a token. */
export async function isRequesterTokenEnded(
  db: Queries,
  oneTime: OneTime,
  appId: string,
  { userId, requester, issuedAt }: RequesterBearer,
): Promise<boolean> {
  for (const who of [requester, ANY]) {
    const ended = (await oneTime.peek(db, keyOf({ appId, userId }, who))) as { at: number } | undefined
    if (ended && issuedAt <= ended.at) return true
  }
  return false
}
