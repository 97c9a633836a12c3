import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { Refusal } from '../../lib/refusal.ts'
import { verifyResponse } from '../../passkeys/bodies.ts'
import {
  challengeOf,
  type Expected,
  loadVerifier,
  PasskeyError,
  verifyAssertion,
  verifyAttestation,
} from '../../passkeys/verification.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { isUniqueViolation, type Queries, type Transaction } from '../../store/database.ts'
import { type DeviceSession, type KeySession, lockUser, type UserSession } from '../../wallets/context.ts'
import { vaultPasskeys } from '../tables.ts'
import { countChallenge } from './challenges.ts'
import { type ProofKind, proofKind } from './proof-kind.ts'
import { type Standing, standingOf } from './standing.ts'

export type VaultPasskey = typeof vaultPasskeys.$inferSelect
/** A ceremony that has begun, and the browser that may end it. */
interface Ceremony {
  userId: string
  sessionId: string
  thumbprint: string
  origin: string
  userHandle?: string
}
type Kind = 'vault passkey registration' | 'vault passkey assertion'

const wrong = () => new Refusal('invalid_credentials', 'This passkey is not valid.', { status: 401 })
const tooManyPasskeys = () => new Refusal('cannot_link_more_of_type', 'Cannot add more passkeys.')
const hostOf = (origin: string) => new URL(origin).hostname

const ownedBy = ({ app, userId }: Pick<UserSession, 'app' | 'userId'>) =>
  and(eq(vaultPasskeys.appId, app.id), eq(vaultPasskeys.userId, userId))
/** The vault's passkeys of a user, the oldest first. */
export const vaultPasskeysOf = (
  db: Queries,
  user: Pick<UserSession, 'app' | 'userId'>,
): Promise<VaultPasskey[]> =>
  db
    .select()
    .from(vaultPasskeys)
    .where(ownedBy(user))
    .orderBy(asc(vaultPasskeys.createdAt), asc(vaultPasskeys.id))
/** Those that count as proofs now. */
export const countedPasskeys = async (
  db: Queries,
  user: Pick<UserSession, 'app' | 'userId'>,
  { counts }: Standing,
): Promise<VaultPasskey[]> => (await vaultPasskeysOf(db, user)).filter(({ createdAt }) => counts(createdAt))

/**
 * Passkeys whose domain is the vault's host: no host page can make or use them. Each ceremony is bound to the user, the session
 * and the key of the browser that began it, on the vault's own top-level pages.
 */
export function createVaultPasskeys(deps: SessionServices) {
  const { database, oneTime, limits, clock } = deps

  async function begin(
    kind: Kind,
    session: KeySession,
    origin: string,
    userHandle?: string,
  ): Promise<string> {
    loadVerifier().catch(() => {})
    await countChallenge(deps, session)
    const { app, userId, sessionId, device } = session
    const value = randomBytes(32).toString('base64url')
    const data: Ceremony = {
      userId,
      sessionId,
      thumbprint: device.thumbprint,
      origin,
      ...(userHandle && { userHandle }),
    }
    await oneTime.put(database, { kind, appId: app.id, value, data, life: limits.passkeyChallengeLife })
    return value
  }

  /** The ceremony whose challenge a response answers; it is used up with that, even if a later check fails. */
  async function end(
    kind: Kind,
    session: KeySession,
    clientDataJSON: string,
  ): Promise<Ceremony & { expected: Expected }> {
    await loadVerifier()
    const challenge = challengeOf(clientDataJSON)
    if (challenge === undefined) throw wrong()
    const taken = await oneTime.take(database, { kind, appId: session.app.id, value: challenge })
    const ceremony = taken as Ceremony | undefined
    const { userId, sessionId, device } = session
    if (
      ceremony?.userId !== userId ||
      ceremony.sessionId !== sessionId ||
      ceremony.thumbprint !== device.thumbprint
    )
      throw wrong()
    const { origin } = ceremony
    return { ...ceremony, expected: { challenge, origin, rpId: hostOf(origin) } }
  }

  const believed = <T>(verify: Promise<T>): Promise<T> =>
    verify.catch((cause) => {
      throw cause instanceof PasskeyError ? wrong() : cause
    })

  const kind: ProofKind = proofKind({
    body: v.strictObject({ factor: v.literal('passkey'), assertion: verifyResponse }),
    async prove(session, { assertion }, { standing }) {
      const response: AuthenticationResponseJSON = assertion
      const { expected } = await end('vault passkey assertion', session, response.response.clientDataJSON)
      const known = await countedPasskeys(database, session, standing)
      const passkey = known.find(({ id, rpId }) => id === response.id && rpId === expected.rpId)
      const { userHandle } = response.response
      if (!passkey || (userHandle !== undefined && userHandle !== passkey.userHandle)) throw wrong()
      const { counter } = await believed(verifyAssertion(response, expected, passkey))
      return {
        enrolledBy: 'passkey',
        async use(tx) {
          const row = and(ownedBy(session), eq(vaultPasskeys.id, passkey.id))
          const left = await tx.update(vaultPasskeys).set({ counter }).where(row).returning()
          // It was removed a moment ago.
          if (left.length === 0) throw wrong()
        },
      }
    },
  })

  return {
    kind,
    /** Begins the assertion that enrols a key. @throws Refusal `linked_account_not_found` where there is no passkey */
    async beginAssertion(session: KeySession, origin: string) {
      const rpId = hostOf(origin)
      const standing = await standingOf(database, session, limits)
      const known = (await countedPasskeys(database, session, standing)).filter((each) => each.rpId === rpId)
      if (known.length === 0)
        throw new Refusal('linked_account_not_found', 'There is no passkey of this vault.')
      return { challenge: await begin('vault passkey assertion', session, origin), rpId, known }
    },
    /** Begins the registration of a passkey. @throws Refusal `cannot_link_more_of_type` */
    async beginRegistration(session: DeviceSession, origin: string) {
      const own = await vaultPasskeysOf(database, session)
      if (own.length >= limits.vaultPasskeysPerUser) throw tooManyPasskeys()
      const userHandle = own[0]?.userHandle ?? randomBytes(32).toString('base64url')
      const challenge = await begin('vault passkey registration', session, origin, userHandle)
      const rpId = hostOf(origin)
      return { challenge, rpId, userHandle, known: own.filter((each) => each.rpId === rpId) }
    },
    /** Stores a passkey that was just made. @throws Refusal `invalid_credentials`, `cannot_link_more_of_type` */
    async register(
      session: DeviceSession,
      response: RegistrationResponseJSON,
      name: string,
    ): Promise<VaultPasskey> {
      const ceremony = await end('vault passkey registration', session, response.response.clientDataJSON)
      const { expected, userHandle } = ceremony
      if (userHandle === undefined) throw wrong()
      const made = await believed(verifyAttestation(response, expected))
      const { id, publicKey, counter, transports } = made
      try {
        return await database.transaction(async (tx) => {
          await lockUser(tx, session)
          if ((await tx.$count(vaultPasskeys, ownedBy(session))) >= limits.vaultPasskeysPerUser)
            throw tooManyPasskeys()
          const [stored] = await tx
            .insert(vaultPasskeys)
            .values({
              ...{ id, publicKey, counter, transports, userHandle, name },
              appId: session.app.id,
              userId: session.userId,
              rpId: expected.rpId,
              deviceId: session.device.id,
              createdAt: clock(),
            })
            .returning()
          if (!stored) throw new Error('A passkey was not stored')
          return stored
        })
      } catch (cause) {
        // Anybody may name any credential id in a registration: one that is there stays as it is.
        throw isUniqueViolation(cause) ? wrong() : cause
      }
    },
    /** Removes a passkey. Resolves with whether the user had it. */
    async remove(tx: Transaction, session: UserSession, id: string): Promise<boolean> {
      const row = and(ownedBy(session), eq(vaultPasskeys.id, id))
      return (await tx.delete(vaultPasskeys).where(row).returning()).length > 0
    },
  }
}
