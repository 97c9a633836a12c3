import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, eq, sql } from 'drizzle-orm'
import type { Prove } from '../../accounts/accounts.ts'
import { Refusal } from '../../lib/refusal.ts'
import { expectedOf, type Page } from '../../passkeys/page.ts'
import { passkeys } from '../../passkeys/tables.ts'
import {
  challengeOf,
  type Expected,
  loadVerifier,
  PasskeyError,
  verifyAssertion,
  verifyAttestation,
} from '../../passkeys/verification.ts'
import type { Bearer } from '../../sessions/tokens.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import type { AccountDetails } from '../../users/account.ts'
import { accounts } from '../../users/tables.ts'
import { describePasskey } from './authenticators.ts'

export interface Known {
  id: string
  transports: string[]
}
/** What a page needs to make a passkey. */
export interface NewPasskey {
  challenge: string
  /** What the authenticator calls the user; random, and no name of anything else. */
  userHandle: string
  /** The user's passkeys, to keep a device from creating a second one. */
  known: Known[]
}
interface Ceremony extends Page {
  userHandle?: string
  userId?: string
}
type Kind = 'passkey login' | 'passkey sign-up' | 'passkey link'

export interface Passkeys {
  /** Begins a login. The same for everybody: nothing tells who has a passkey. */
  beginLogin(app: App, page: Page): Promise<{ challenge: string }>
  /** @throws Refusal `allowlist_rejected` */
  beginSignUp(app: App, page: Page): Promise<NewPasskey>
  /** @throws Refusal `cannot_link_more_of_type` */
  beginLink(app: App, page: Page, bearer: Bearer): Promise<NewPasskey>
  /** Proves a passkey that is there. Its refusals are `passkey_not_registered` and `invalid_credentials`. */
  login(
    app: App,
    page: Page | undefined,
    challenge: string,
    response: AuthenticationResponseJSON,
  ): Promise<Prove>
  /** Proves a new passkey: the first thing that is known of a user, or one more of the user of the token. */
  registration(
    app: App,
    given: {
      page: Page | undefined
      response: RegistrationResponseJSON
      userAgent: string | undefined
      /** Whose it shall be; without it, a new user's. */
      bearer?: Bearer
    },
  ): Promise<Prove>
}

/** Login, sign-up and linking with passkeys (WebAuthn). */
export function createPasskeys(deps: { database: Database; oneTime: OneTime; limits: Limits }): Passkeys {
  const { database, oneTime, limits } = deps
  // One answer for every failure, so that it does not reveal which check failed.
  const wrong = { refused: new Refusal('invalid_credentials', 'This passkey is not valid.', { status: 401 }) }

  async function begin(kind: Kind, app: App, ceremony: Ceremony): Promise<string> {
    loadVerifier().catch(() => {})
    const value = randomBytes(32).toString('base64url')
    const entry = { kind, appId: app.id, value, data: ceremony, life: limits.passkeyChallengeLife }
    await oneTime.put(database, entry)
    return value
  }

  /** What the challenge was issued for; it can't be used again, even if a later check fails. */
  async function use(
    tx: Transaction,
    kind: Kind,
    app: App,
    challenge: string,
    page: Page | undefined,
  ): Promise<(Ceremony & { expected: Expected }) | undefined> {
    const taken = await oneTime.take(tx, { kind, appId: app.id, value: challenge })
    const ceremony = taken as Ceremony | undefined
    if (!ceremony || (page && page.origin !== ceremony.origin)) return undefined
    return { ...ceremony, expected: expectedOf(app, ceremony, challenge) }
  }

  /** The passkeys of a user for a domain. */
  const ofUser = (app: App, userId: string) =>
    database
      .select({ id: accounts.subject, passkey: passkeys })
      .from(accounts)
      .innerJoin(passkeys, eq(passkeys.accountId, accounts.id))
      .where(and(eq(accounts.appId, app.id), eq(accounts.userId, userId)))

  async function find(tx: Transaction, app: App, credentialId: string) {
    const [row] = await tx
      .select({ account: accounts, passkey: passkeys })
      .from(accounts)
      .innerJoin(passkeys, eq(passkeys.accountId, accounts.id))
      .where(
        and(eq(accounts.appId, app.id), eq(accounts.type, 'passkey'), eq(accounts.subject, credentialId)),
      )
      .for('update')
    return row
  }

  return {
    async beginLogin(app, page) {
      return { challenge: await begin('passkey login', app, page) }
    },

    async beginSignUp(app, page) {
      // The list has addresses, and a passkey brings none.
      if (app.allowlist) throw new Refusal('allowlist_rejected', 'This user may not log in to this app.')
      const userHandle = randomBytes(32).toString('base64url')
      const challenge = await begin('passkey sign-up', app, { ...page, userHandle })
      return { challenge, userHandle, known: [] }
    },

    async beginLink(app, page, { userId }) {
      const own = await ofUser(app, userId)
      if (own.length >= limits.passkeysPerUser)
        throw new Refusal('cannot_link_more_of_type', 'Cannot link more passkeys to account.')
      const userHandle = own[0]?.passkey.userHandle ?? randomBytes(32).toString('base64url')
      const challenge = await begin('passkey link', app, { ...page, userHandle, userId })
      const here = own.filter(({ passkey }) => passkey.rpId === page.rpId)
      const known = here.map(({ id, passkey }) => ({ id, transports: passkey.transports }))
      return { challenge, userHandle, known }
    },

    async login(app, page, challenge, response) {
      await loadVerifier()
      return async (tx) => {
        const ceremony = await use(tx, 'passkey login', app, challenge, page)
        if (!ceremony) return wrong
        const found = await find(tx, app, response.id)
        if (!found)
          return { refused: new Refusal('passkey_not_registered', 'This app does not know this passkey.') }
        const { account, passkey } = found
        const { userHandle } = response.response
        if (userHandle !== passkey.userHandle || passkey.rpId !== ceremony.rpId) return wrong
        const { subject, details } = account
        const proved = await verifiedOrNothing(() =>
          verifyAssertion(response, ceremony.expected, { ...passkey, id: subject }),
        )
        if (!proved) return wrong
        await tx.update(passkeys).set({ counter: proved.counter }).where(eq(passkeys.accountId, account.id))
        return { type: 'passkey', subject, details: details as AccountDetails['passkey'] }
      }
    },

    async registration(app, { page, response, userAgent, bearer }) {
      await loadVerifier()
      const challenge = challengeOf(response.response.clientDataJSON)
      return async (tx) => {
        if (challenge === undefined) return wrong
        const kind = bearer ? 'passkey link' : 'passkey sign-up'
        const ceremony = await use(tx, kind, app, challenge, page)
        if (!ceremony?.userHandle || ceremony.userId !== bearer?.userId) return wrong
        const made = await verifiedOrNothing(() => verifyAttestation(response, ceremony.expected))
        if (!made) return wrong
        // Anybody may name any credential id in a registration: one that is there must never be taken for a login.
        // Two who bring the same one at once: the second one waits here until the first one's is stored.
        const name = `passkey ${app.id} ${made.id}`
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
        const known = await find(tx, app, made.id)
        if (known && bearer && known.account.userId !== bearer.userId)
          return {
            refused: new Refusal(
              'linked_to_another_user',
              'This account has already been linked to another user.',
            ),
          }
        if (known) return wrong
        const { publicKey, counter, transports } = made
        const { rpId, userHandle } = ceremony
        return {
          type: 'passkey',
          subject: made.id,
          details: describePasskey(made.aaguid, userAgent),
          passkey: { rpId, publicKey, counter, transports, userHandle },
        }
      }
    },
  }
}

async function verifiedOrNothing<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch (cause) {
    if (cause instanceof PasskeyError) return undefined
    throw cause
  }
}
