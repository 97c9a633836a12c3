import { and, asc, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import * as v from 'valibot'
import { removeUser } from '../accounts/removed-users.ts'
import { loadUser, newcomerRefused, newUser, type User } from '../accounts/user.ts'
import { readEthereumAddress, readSolanaAddress, readWalletAddress } from '../chains/address.ts'
import { forgetGuesses } from '../codes/codes.ts'
import { readPhoneNumber } from '../codes/phone-number.ts'
import { mailboxOf, normaliseEmail } from '../lib/email-address.ts'
import { Refusal } from '../lib/refusal.ts'
import { forgetTries } from '../mfa/methods.ts'
import type { App } from '../settings/app.ts'
import { oauthProviders } from '../settings/names.ts'
import { type Database, isUniqueViolation, type Queries, type Transaction } from '../store/database.ts'
import { type AccountType, LONGEST_CUSTOM_ID, type ProvedType } from '../users/account.ts'
import { accounts, emailOf, usernameOf, users } from '../users/tables.ts'
import { standsForUser } from '../users/wallet-addresses.ts'
import { wallets } from '../wallets/tables.ts'

/** The kinds of accounts as the API names them, and as they are stored. */
const stored: Readonly<Record<string, readonly AccountType[]>> = {
  email: ['email'],
  phone: ['phone'],
  wallet: ['ethereum-wallet', 'solana-wallet', 'wallet'],
  smart_wallet: ['smart-wallet'],
  ...Object.fromEntries(oauthProviders.map((name) => [`${name}_oauth`, [name]])),
  farcaster: ['farcaster'],
  telegram: ['telegram'],
  passkey: ['passkey'],
  custom_auth: ['custom'],
  cross_app: ['cross-app'],
}
/** The kinds by which somebody can be found. */
export const kindsOfAccounts = Object.keys(stored)
export const findable = v.picklist(kindsOfAccounts)

/** The one form in which a value is stored. */
function normalised(type: string, value: string): string {
  if (type === 'email') return normaliseEmail(value) ?? value
  if (type === 'phone') return readPhoneNumber(value)?.e164 ?? value
  if (type === 'wallet' || type === 'smart_wallet') return readWalletAddress(value)?.address ?? value
  return value.trim()
}

/** Who has an account: by its subject, or by the name or address that its provider says of it. @param by one of these alone */
export async function findUser(
  db: Queries,
  app: App,
  type: string,
  given: string,
  by?: 'subject' | 'username',
): Promise<User | undefined> {
  const value = normalised(type, given)
  const types = stored[type] ?? []
  const ofType = or(...types.map((each) => eq(accounts.type, each)))
  const ways = {
    subject: eq(accounts.subject, value),
    username: eq(usernameOf(accounts), value),
  }
  const named = by ? ways[by] : or(ways.subject, eq(emailOf(accounts), value.toLowerCase()), ways.username)
  // Not ordered by the database: the planner would go through the accounts in that order until one fits.
  const matching = await db
    .select({ id: accounts.id, userId: accounts.userId })
    .from(accounts)
    .where(and(eq(accounts.appId, app.id), ofType, named))
  const [found] = matching.sort((one, other) => one.id - other.id)
  const [embedded] =
    type === 'wallet' && !found
      ? await db
          .select({ userId: wallets.userId })
          .from(wallets)
          .where(and(eq(wallets.appId, app.id), eq(wallets.address, value)))
          .limit(1)
      : []
  const userId = found?.userId ?? embedded?.userId
  return userId === undefined ? undefined : loadUser(db, app.id, userId)
}

/** The users of an app in the order of their ids. @param after the id of the last one that is known */
export async function listUsers(db: Queries, app: App, after: string, most: number): Promise<User[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.appId, app.id), isNull(users.removedAt), gt(users.id, after)))
    .orderBy(asc(users.id))
    .limit(most)
  const found = []
  for (const { id } of rows) found.push(await loadUser(db, app.id, id))
  return found.filter((user) => user !== undefined)
}

/** The user of an id. @throws Refusal `linked_account_not_found` */
export async function requireUser(db: Queries, app: App, id: string): Promise<User> {
  const user = await loadUser(db, app.id, id)
  if (!user) throw new Refusal('linked_account_not_found', 'There is no such user.')
  return user
}

export interface NewAccount {
  type: ProvedType
  subject: string
  details: Record<string, unknown>
}
const account = <T extends ProvedType>(type: T, read: (text: string) => string | undefined) =>
  v.pipe(
    v.string(),
    v.transform(
      (text): NewAccount => ({
        type,
        subject: read(text) ?? '',
        details:
          type === 'ethereum-wallet'
            ? { chainId: 1, clientType: null, connectorType: null }
            : type === 'solana-wallet'
              ? { clientType: null, connectorType: null }
              : {},
      }),
    ),
    v.check(({ subject }) => subject !== '', 'is none'),
  )
/** An account that an operator vouches for. */
export const newAccount = v.pipe(
  v.variant('type', [
    v.strictObject({ type: v.literal('email'), address: account('email', normaliseEmail) }),
    v.strictObject({
      type: v.literal('phone'),
      phoneNumber: account('phone', (text) => readPhoneNumber(text)?.e164),
    }),
    v.strictObject({
      type: v.literal('custom_auth'),
      custom_user_id: account('custom', (text) => (text.length <= LONGEST_CUSTOM_ID ? text : undefined)),
    }),
    v.strictObject({
      type: v.literal('wallet'),
      chain_type: v.literal('ethereum'),
      address: account('ethereum-wallet', readEthereumAddress),
    }),
    v.strictObject({
      type: v.literal('wallet'),
      chain_type: v.literal('solana'),
      address: account('solana-wallet', readSolanaAddress),
    }),
  ]),
  v.transform((given) =>
    'address' in given ? given.address : 'phoneNumber' in given ? given.phoneNumber : given.custom_user_id,
  ),
)
export const newAccounts = v.pipe(v.array(newAccount), v.minLength(1), v.maxLength(10))

const conflict = () => new Refusal('resource_conflict', "One of these accounts is somebody's already.")

/**
 * Makes a user who can log in with these accounts, whether or not the app lets people sign up by themselves.
 * @param work done in the same transaction
 * @throws Refusal `resource_conflict`, `max_accounts_reached`
 */
export async function createUser(
  database: Database,
  app: App,
  { accounts: given, customMetadata }: { accounts: readonly NewAccount[]; customMetadata?: CustomMetadata },
  now: number,
  work: (tx: Transaction, userId: string) => Promise<void>,
): Promise<User> {
  try {
    return await database.transaction(async (tx) => {
      const refused = await newcomerRefused(tx, { ...app, signup: true }, 'login-or-sign-up')
      if (refused) throw refused
      const newcomer = newUser(app, now)
      const userId = newcomer.id
      await tx.insert(users).values({ ...newcomer, customMetadata })
      for (const { type, subject, details } of given) {
        const chain =
          type === 'solana-wallet' ? 'solana' : type === 'ethereum-wallet' ? 'ethereum' : undefined
        if (chain && (await standsForUser(tx, app, chain, subject))) throw conflict()
        const verified = { linkedAt: now, verifiedAt: now, firstVerifiedAt: now, latestVerifiedAt: now }
        await tx.insert(accounts).values({ appId: app.id, userId, type, subject, details, ...verified })
      }
      await work(tx, userId)
      return requireUser(tx, app, userId)
    })
  } catch (cause) {
    throw isUniqueViolation(cause) ? conflict() : cause
  }
}

/** In characters of its JSON: it is in every identity token. */
const LONGEST_METADATA = 1_024
/** What an app says of its users for itself. */
export const customMetadata = v.pipe(
  v.record(
    v.pipe(v.string(), v.minLength(1)),
    v.union([v.string(), v.pipe(v.number(), v.finite()), v.boolean()]),
  ),
  v.check((all) => JSON.stringify(all).length <= LONGEST_METADATA, 'is too long'),
)
export type CustomMetadata = v.InferOutput<typeof customMetadata>

/** Says something else of a user than before. */
export async function setCustomMetadata(
  tx: Transaction,
  app: App,
  id: string,
  metadata: CustomMetadata,
): Promise<void> {
  await requireUser(tx, app, id)
  await tx.update(users).set({ customMetadata: metadata }).where(eq(users.id, id))
}

/** Removes a user; one with wallets is kept out of everybody's reach for a while and can be restored. */
export async function deleteUser(tx: Transaction, app: App, id: string, now: number): Promise<boolean> {
  await requireUser(tx, app, id)
  return removeUser(tx, { userId: id, withAccount: null }, now)
}

/**
 * Lets in somebody whom others' wrong codes keep out: forgets the guesses at their addresses and numbers, and the wrong tries of their
 * second factors. Resolves with what there was to forget.
 */
export async function forgetTriesOf(
  tx: Transaction,
  { id: appId }: App,
  userId: string,
): Promise<('email' | 'phone' | 'factors')[]> {
  const own = await tx
    .select({ type: accounts.type, subject: accounts.subject })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), inArray(accounts.type, ['email', 'phone'])))
    .orderBy(asc(accounts.id))
  const forgotten = new Set<'email' | 'phone' | 'factors'>()
  for (const { type, subject: address } of own) {
    const isEmail = type === 'email'
    const to = isEmail
      ? { appId, channel: 'email' as const, address, mailbox: mailboxOf(address) }
      : { appId, channel: 'sms' as const, address }
    if (await forgetGuesses(tx, to)) forgotten.add(isEmail ? 'email' : 'phone')
  }
  if (await forgetTries(tx, userId)) forgotten.add('factors')
  return [...forgotten]
}
