import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { and, eq, inArray } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import { expectedOf, type Page } from '../../passkeys/page.ts'
import { passkeys } from '../../passkeys/tables.ts'
import { challengeOf, loadVerifier, PasskeyError, verifyAssertion } from '../../passkeys/verification.ts'
import type { Bearer } from '../../sessions/tokens.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database, Queries, Transaction } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import { accounts } from '../../users/tables.ts'
import { mfaPasskeys } from '../tables.ts'
import type { Judge } from './verification.ts'

const KIND = 'passkey mfa'
type Ceremony = Page & Bearer

/** Passkeys of a person as a second factor: those that they have said, each proved with user verification. */
export function createPasskeyFactors(deps: {
  database: Database
  oneTime: OneTime
  limits: Limits
  clock: () => number
}) {
  const { database, oneTime, limits, clock } = deps

  /** The person's passkeys that are factors. */
  const enrolled = (db: Queries, userId: string) =>
    db
      .select({ account: accounts, passkey: passkeys })
      .from(mfaPasskeys)
      .innerJoin(accounts, eq(accounts.id, mfaPasskeys.accountId))
      .innerJoin(passkeys, eq(passkeys.accountId, accounts.id))
      .where(eq(accounts.userId, userId))

  return {
    /** Begins a ceremony on a page of the app. @throws Refusal `missing_mfa_enrollment` where no passkey is of that page */
    async begin(app: App, page: Page, bearer: Bearer) {
      loadVerifier().catch(() => {})
      const here = (await enrolled(database, bearer.userId)).filter(
        ({ passkey }) => passkey.rpId === page.rpId,
      )
      if (here.length === 0)
        throw new Refusal('missing_mfa_enrollment', 'No passkey of this page is a second factor.')
      const challenge = randomBytes(32).toString('base64url')
      const { sessionId, userId } = bearer
      const data: Ceremony = { ...page, sessionId, userId }
      const entry = { kind: KIND, appId: app.id, value: challenge, data, life: limits.passkeyChallengeLife }
      await oneTime.put(database, entry)
      const allowed = here.map(({ account, passkey }) => ({
        id: account.subject,
        transports: passkey.transports,
      }))
      return { challenge, allowed }
    },

    /** Whether a ceremony of this session was right. @param named the page, as the vault was told */
    async judge(
      app: App,
      bearer: Bearer,
      named: Page | undefined,
      response: AuthenticationResponseJSON,
    ): Promise<Judge> {
      await loadVerifier()
      const challenge = challengeOf(response.response.clientDataJSON)
      return async (tx) => {
        if (challenge === undefined) return false
        const taken = await oneTime.take(tx, { kind: KIND, appId: app.id, value: challenge })
        const ceremony = taken as Ceremony | undefined
        if (ceremony?.userId !== bearer.userId || ceremony.sessionId !== bearer.sessionId) return false
        if (named && named.origin !== ceremony.origin) return false
        const found = (await enrolled(tx, bearer.userId)).find(
          ({ account }) => account.subject === response.id,
        )
        if (!found || found.passkey.rpId !== ceremony.rpId) return false
        const { passkey, account } = found
        // An authenticator may leave it out where it was told which passkeys it may use.
        const { userHandle } = response.response
        if (userHandle !== undefined && userHandle !== passkey.userHandle) return false
        const proved = await verifyAssertion(response, expectedOf(app, ceremony, challenge), {
          ...passkey,
          id: account.subject,
        }).catch((cause: unknown) => {
          if (cause instanceof PasskeyError) return undefined
          throw cause
        })
        if (!proved) return false
        await tx.update(passkeys).set({ counter: proved.counter }).where(eq(passkeys.accountId, account.id))
        return true
      }
    },

    /** Whether a list lacks a passkey that is a factor now. */
    async leavesOut(userId: string, credentialIds: readonly string[]): Promise<boolean> {
      const now = await enrolled(database, userId)
      return now.some(({ account }) => !credentialIds.includes(account.subject))
    },

    /** Makes one passkey a factor no longer. @returns whether it was one */
    async drop(tx: Transaction, app: App, userId: string, credentialId: string): Promise<boolean> {
      const named = and(eq(accounts.appId, app.id), eq(accounts.type, 'passkey'))
      const own = tx
        .select({ id: accounts.id })
        .from(accounts)
        .where(and(named, eq(accounts.userId, userId), eq(accounts.subject, credentialId)))
      return (await tx.delete(mfaPasskeys).where(inArray(mfaPasskeys.accountId, own)).returning()).length > 0
    },

    /**
     * Makes exactly these passkeys of the person factors. Resolves with those that were added, and those that are none
     * any longer.
     * @throws Refusal `linked_account_not_found` where one is not the person's
     */
    async set(
      tx: Transaction,
      app: App,
      userId: string,
      credentialIds: readonly string[],
    ): Promise<{ added: string[]; removed: string[] }> {
      const own = await tx
        .select({ id: accounts.id, subject: accounts.subject, enrolled: mfaPasskeys.accountId })
        .from(accounts)
        .leftJoin(mfaPasskeys, eq(mfaPasskeys.accountId, accounts.id))
        .where(and(eq(accounts.appId, app.id), eq(accounts.userId, userId), eq(accounts.type, 'passkey')))
        .for('update', { of: accounts })
      const wanted = new Set(credentialIds)
      const known = own.filter(({ subject }) => wanted.has(subject))
      if (known.length !== wanted.size)
        throw new Refusal('linked_account_not_found', 'This person has no such passkey.')
      const added = known.filter((each) => each.enrolled === null)
      const removed = own.filter((each) => each.enrolled !== null && !wanted.has(each.subject))
      const verifiedAt = clock()
      if (added.length > 0)
        await tx
          .insert(mfaPasskeys)
          .values(added.map(({ id }) => ({ accountId: id, verifiedAt })))
          .onConflictDoNothing()
      if (removed.length > 0)
        await tx.delete(mfaPasskeys).where(
          inArray(
            mfaPasskeys.accountId,
            removed.map(({ id }) => id),
          ),
        )
      const subjects = (rows: typeof own) => rows.map(({ subject }) => subject)
      return { added: subjects(added), removed: subjects(removed) }
    },
  }
}
