import type { Hono } from 'hono'
import * as v from 'valibot'
import { loadUser, type User } from '../accounts/user.ts'
import { userView } from '../accounts/user-view.ts'
import { readQuery } from '../http/body.ts'
import type { CoreServices, ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'
import { createAsAdmin, idOf, limitOf, MOST, read } from './call.ts'
import { importedAccounts } from './imported.ts'
import {
  createUser,
  customMetadata,
  deleteUser,
  findUser,
  kindsOfAccounts,
  listUsers,
  setCustomMetadata,
} from './users.ts'

const BASE = '/api/v1'
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(1_400))

/** By what each path finds a user: the field of its body, the kind of account, and what of the account it is. */
const lookups = [
  ['email/address', 'address', 'email', 'subject'],
  ['phone/number', 'number', 'phone', 'subject'],
  ['wallet/address', 'address', 'wallet', 'subject'],
  ['smart_wallet/address', 'address', 'smart_wallet', 'subject'],
  ['custom_auth/id', 'custom_user_id', 'custom_auth', 'subject'],
  ['farcaster/fid', 'fid', 'farcaster', 'subject'],
  ['telegram/telegram_user_id', 'telegram_user_id', 'telegram', 'subject'],
  ['telegram/username', 'username', 'telegram', 'username'],
  ['twitter/subject', 'subject', 'twitter_oauth', 'subject'],
  ['twitter/username', 'username', 'twitter_oauth', 'username'],
  ['discord/username', 'username', 'discord_oauth', 'username'],
  ['github/username', 'username', 'github_oauth', 'username'],
] as const

/** Calls of these packages that this server answers with a refusal: what they are for, its settings or its users' vaults do. */
const notHere = [
  ['POST', 'users/:id/wallets', "A wallet is made by its user's own vault, and by nobody else."],
  ['POST', 'apps/:id/users/wallet', "A wallet is made by its user's own vault, and by nobody else."],
  ['POST', 'users/:id/accounts/unlink', 'Accounts are unlinked by their user.'],
  ['GET', 'apps/:id/allowlist', "The allowlist is in the app's settings."],
  ['POST', 'apps/:id/allowlist', "The allowlist is in the app's settings."],
  ['DELETE', 'apps/:id/allowlist', "The allowlist is in the app's settings."],
  ['GET', 'apps/:id/test_credentials', 'There are no accounts for tests.'],
] as const

const newUser = v.object({
  linked_accounts: importedAccounts,
  custom_metadata: v.optional(customMetadata),
  create_ethereum_wallet: v.optional(v.unknown()),
  create_solana_wallet: v.optional(v.unknown()),
  create_ethereum_smart_wallet: v.optional(v.unknown()),
  wallets: v.optional(v.array(v.unknown()), []),
})
const many = v.optional(v.pipe(v.array(text), v.maxLength(MOST)), [])
const searched = v.union([
  v.object({ searchTerm: text }),
  v.object({ emails: many, phoneNumbers: many, walletAddresses: many }),
])

/**
 * The users of an app for its own server, as the server packages of the protocol's origin ask for them (docs/protocol.md): the
 * password of their `Basic` authorization, the app's secret there, is a key of the admin API here.
 */
export function serverPackageRoutes(api: Hono<ServerEnv>, services: CoreServices): void {
  const { database, clock } = services
  const asAdmin = createAsAdmin(services)
  const nobody = () => new Refusal('user_does_not_exist', 'There is no such user.', { status: 404 })
  const load = async (app: App, id: string) => {
    const user = await loadUser(database, app.id, id)
    if (!user) throw nobody()
    return user
  }

  api.get(
    `${BASE}/users`,
    asAdmin(async ({ c, app, note }) => {
      const query = readQuery(c)
      const limit = limitOf(query)
      const found = await listUsers(database, app, query.get('cursor') ?? '', limit)
      await note(database, 'admin-read', { details: { what: 'users', count: found.length } })
      const next = found.length === limit ? found.at(-1)?.id : undefined
      return c.json({ data: found.map(userView), next_cursor: next ?? null })
    }),
  )
  api.post(
    `${BASE}/users`,
    asAdmin(async ({ c, app, note }) => {
      const body = await read(c, newUser)
      const { linked_accounts, custom_metadata, wallets } = body
      const isWithWallet =
        body.create_ethereum_wallet || body.create_solana_wallet || body.create_ethereum_smart_wallet
      if (isWithWallet || wallets.length > 0)
        throw new Refusal('not_supported', "A wallet is made by its user's own vault, and by nobody else.")
      const given = {
        accounts: linked_accounts,
        ...(custom_metadata && { customMetadata: custom_metadata }),
      }
      const user = await createUser(database, app, given, clock(), (tx, userId) =>
        note(tx, 'user-created', { userId }),
      )
      return c.json(userView(user))
    }),
  )
  api.post(
    `${BASE}/users/search`,
    asAdmin(async ({ c, app, note }) => {
      const body = await read(c, searched)
      const asked =
        'searchTerm' in body
          ? kindsOfAccounts.map((type) => [type, body.searchTerm] as const)
          : [
              ...body.emails.map((value) => ['email', value] as const),
              ...body.phoneNumbers.map((value) => ['phone', value] as const),
              ...body.walletAddresses.flatMap((value) => [
                ['wallet', value] as const,
                ['smart_wallet', value] as const,
              ]),
            ]
      const found = new Map<string, User>()
      for (const [type, value] of asked) {
        const user = await findUser(database, app, type, value)
        if (user) found.set(user.id, user)
      }
      await note(database, 'admin-read', { details: { what: 'search', count: found.size } })
      return c.json({ data: [...found.values()].map(userView), next_cursor: null })
    }),
  )
  for (const [path, field, type, by] of lookups)
    api.post(
      `${BASE}/users/${path}`,
      asAdmin(async ({ c, app, note }) => {
        const value = v.union([text, v.pipe(v.number(), v.safeInteger(), v.transform(String))])
        const { [field]: asked = '' } = await read(c, v.object({ [field]: value }))
        const user = await findUser(database, app, type, asked, by)
        const details = { what: 'find', type }
        await note(database, 'admin-read', { ...(user && { userId: user.id }), details })
        if (!user) throw nobody()
        return c.json(userView(user))
      }),
    )
  const one = asAdmin(async ({ c, app, note }) => {
    const user = await load(app, idOf(c))
    await note(database, 'admin-read', { userId: user.id, details: { what: 'user' } })
    return c.json(userView(user))
  })
  // The user's own path, by their own token, has this form too.
  api.get(`${BASE}/users/:id`, (c, next) => (c.req.param('id') === 'me' ? next() : one(c, next)))
  api.delete(
    `${BASE}/users/:id`,
    asAdmin(async ({ c, app, note }) => {
      const { id } = await load(app, idOf(c))
      await database.transaction(async (tx) => {
        const isKept = await deleteUser(tx, app, id, clock())
        await note(tx, 'user-removed', { userId: id, details: { isKept } })
      })
      return c.body(null, 204)
    }),
  )
  api.post(
    `${BASE}/users/:id/custom_metadata`,
    asAdmin(async ({ c, app, note }) => {
      const { id } = await load(app, idOf(c))
      const { custom_metadata } = await read(c, v.object({ custom_metadata: customMetadata }))
      await database.transaction(async (tx) => {
        await setCustomMetadata(tx, app, id, custom_metadata)
        await note(tx, 'metadata-set', { userId: id })
      })
      return c.json(userView(await load(app, id)))
    }),
  )
  for (const [method, path, why] of notHere)
    api.on(
      method,
      `${BASE}/${path}`,
      asAdmin(async () => {
        throw new Refusal('not_supported', why)
      }),
    )
}
