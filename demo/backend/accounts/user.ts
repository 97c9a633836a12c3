import { randomInt } from 'node:crypto'
import { and, asc, eq, isNull, sql, sum } from 'drizzle-orm'
import { Refusal } from '../lib/refusal.ts'
import { type EnrolledMethod, inOrder, passkeyMethod } from '../mfa/methods.ts'
import { mfaFactors, mfaPasskeys } from '../mfa/tables.ts'
import type { App } from '../settings/app.ts'
import type { Database, Queries, Transaction } from '../store/database.ts'
import type { Account, EmbeddedWalletAccount, ProvedAccount } from '../users/account.ts'
import { accounts, userCounts, users } from '../users/tables.ts'
import { walletRoots, wallets } from '../wallets/tables.ts'

export interface User {
  id: string
  appId: string
  createdAt: number
  hasAcceptedTerms: boolean
  isGuest: boolean
  customMetadata: Record<string, string | number | boolean> | null
  /** In the order in which they were added. */
  accounts: Account[]
  /** The oldest first. */
  mfaMethods: EnrolledMethod[]
  /** The passkeys that are second factors, by their ids. */
  mfaPasskeys: ReadonlySet<string>
}

/** `no-signup` logs in who is known and nobody else. */
export type LoginMode = 'no-signup' | 'login-or-sign-up'
/** What a login found: somebody, or why nobody may come in. */
export type SignUp = { userId: string; isNew: boolean } | { refused: Refusal }

/** An embedded wallet as {@link userQuery} returns it. */
type WalletRow = Omit<EmbeddedWalletAccount, 'type' | 'verifiedAt' | 'firstVerifiedAt' | 'latestVerifiedAt'>

const { type: factorType, verifiedAt: factorAt, userId: factorOwner } = mfaFactors
/** The factors that are no accounts; one row would become several if they were joined. */
const factorsOfUser = sql<EnrolledMethod[]>`(
  select coalesce(json_agg(json_build_object('type', ${factorType}, 'verifiedAt', ${factorAt})), '[]'::json)
  from ${mfaFactors} where ${factorOwner} = ${users.id} and ${factorAt} is not null)`
const walletOfAccount = sql<WalletRow | null>`(
  select json_build_object(
    'id', ${wallets.id}, 'address', ${wallets.address}, 'chainType', ${wallets.chainType},
    'walletIndex', ${wallets.walletIndex}, 'imported', ${wallets.imported}, 'delegated', ${wallets.delegated},
    'recoveryMethod', ${walletRoots.recoveryMethod})
  from ${wallets} join ${walletRoots} on ${walletRoots.id} = ${wallets.rootId}
  where ${wallets.accountId} = ${accounts.id})`
const factorOfAccount = sql<number | null>`(
  select ${mfaPasskeys.verifiedAt} from ${mfaPasskeys} where ${mfaPasskeys.accountId} = ${accounts.id})`

/**
 * Sent with every login, refresh and read of a user. Sub-selects, because PostgreSQL tries every order of joins: with four of them it
 * took three times as long to plan the query as to run it.
 */
const userQuery = (db: Queries) =>
  db
    .select({
      users: {
        id: users.id,
        createdAt: users.createdAt,
        acceptedTermsAt: users.acceptedTermsAt,
        isGuest: users.isGuest,
        customMetadata: users.customMetadata,
      },
      accounts: {
        id: accounts.id,
        type: accounts.type,
        subject: accounts.subject,
        details: accounts.details,
        verifiedAt: accounts.verifiedAt,
        firstVerifiedAt: accounts.firstVerifiedAt,
        latestVerifiedAt: accounts.latestVerifiedAt,
      },
      wallet: walletOfAccount,
      factorSince: factorOfAccount.mapWith(mfaPasskeys.verifiedAt),
      factors: factorsOfUser,
    })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(
      and(
        eq(users.id, sql.placeholder('userId')),
        eq(users.appId, sql.placeholder('appId')),
        isNull(users.removedAt),
      ),
    )
    .orderBy(asc(accounts.id))
    .prepare('user_with_accounts')
type UserRow = Awaited<ReturnType<ReturnType<typeof userQuery>['execute']>>[number]
const queries = new WeakMap<Queries, ReturnType<typeof userQuery>>()

/** The user and all accounts; `undefined` when there is no such user in the app. */
export async function loadUser(db: Queries, appId: string, userId: string): Promise<User | undefined> {
  const query = queries.get(db) ?? userQuery(db)
  queries.set(db, query)
  const rows = await query.execute({ appId, userId })
  const [first] = rows
  if (!first) return undefined
  const { id, createdAt, acceptedTermsAt, isGuest, customMetadata } = first.users
  return {
    id,
    appId,
    createdAt,
    hasAcceptedTerms: acceptedTermsAt !== null,
    isGuest,
    customMetadata,
    accounts: rows.flatMap((row) => (row.accounts ? [readAccount(row.accounts, row.wallet)] : [])),
    mfaMethods: inOrder([...first.factors, ...passkeyMethod(rows.map((row) => row.factorSince))]),
    mfaPasskeys: new Set(
      rows.flatMap((row) => (row.factorSince !== null && row.accounts ? [row.accounts.subject] : [])),
    ),
  }
}

function readAccount(row: NonNullable<UserRow['accounts']>, wallet: WalletRow | null): Account {
  const { verifiedAt, firstVerifiedAt, latestVerifiedAt } = row
  const verified = { verifiedAt, firstVerifiedAt, latestVerifiedAt }
  const { type, subject, details } = row
  // The details are written with their type by accounts.ts, and by nobody else.
  if (type !== 'wallet') return { type, subject, details, ...verified } as ProvedAccount
  if (!wallet) throw new Error(`Account ${row.id} has no wallet`)
  return { type: 'embedded-wallet', ...wallet, ...verified }
}

/** Why the app does not let somebody new in, if so. Call it only after the proof: its answer says that nobody was there. */
export async function newcomerRefused(
  tx: Transaction,
  app: App,
  mode: LoginMode,
): Promise<Refusal | undefined> {
  if (mode === 'no-signup') return new Refusal('user_does_not_exist', 'There is no account with this login.')
  if (!app.signup) return new Refusal('signup_disabled', 'This app does not accept new users.')
  if (app.maxUsers !== null && (await countUsers(tx, app.id)) >= app.maxUsers)
    return new Refusal('max_accounts_reached', 'This app has reached its maximum number of users.')
  return undefined
}

/** The row of somebody new. */
export const newUser = (app: App, now: number, { isGuest = false } = {}) => ({
  id: `${app.identity.userIdPrefix}${newId()}`,
  appId: app.id,
  createdAt: now,
  isGuest,
})

/** Counted one at a time, so that two who come at once do not both get the last place. */
async function countUsers(tx: Transaction, appId: string): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`users of ${appId}`}, 0))`)
  const [row] = await tx
    .select({ total: sum(userCounts.count) })
    .from(userCounts)
    .where(eq(userCounts.appId, appId))
  return Number(row?.total ?? 0)
}

/** By what a person recognises their own account in a list that a device or an app of theirs shows. */
export function shownName({ accounts }: User): string | undefined {
  for (const account of accounts) {
    if (account.type === 'email' || account.type === 'phone') return account.subject
    if ('details' in account && 'email' in account.details && account.details.email)
      return account.details.email
    if ('details' in account && 'username' in account.details && account.details.username)
      return account.details.username
  }
  return undefined
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const newId = () => `c${Array.from({ length: 24 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`

/** Notes that the user accepted the app's terms; the first time counts. */
export async function acceptTerms(database: Database, userId: string, now: number): Promise<void> {
  await database
    .update(users)
    .set({ acceptedTermsAt: now })
    .where(and(eq(users.id, userId), isNull(users.acceptedTermsAt)))
}
