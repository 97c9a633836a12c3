/** The server packages of the protocol's origin as they are published, against a compatible app. */
import { createHash } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBackend } from '../../demo/backend/server.ts'
import { listen } from '../../demo/listen.ts'
import { createMailbox } from '../../demo/world/mail/mailbox.ts'
import { freePort } from '../support/free-port.ts'
import { installPackages, sourcesOf } from './project.ts'

const appId = 'latchkey-server-package01'
const appSecret = 'the-secret-of-the-app'
const minute = 60_000

/** What a test uses of each package. */
interface Account {
  type: string
  address?: string
}
interface ServerAuth {
  getUser(id: string | { idToken: string }): Promise<{ id: string; isGuest: boolean; email?: Account }>
  getUserByEmail(address: string): Promise<{ id: string; customMetadata?: object } | null>
  getUserByTwitterUsername(name: string): Promise<{ id: string } | null>
  getUsers(): Promise<{ id: string }[]>
  importUser(given: object): Promise<{ id: string }>
  setCustomMetadata(id: string, data: object): Promise<{ customMetadata: object }>
  deleteUser(id: string): Promise<void>
  getAppSettings(): Promise<{ id: string; verificationKey: string }>
  verifyAuthToken(token: string): Promise<{ userId: string; appId: string }>
}
interface NodeUsers {
  create(body: object): Promise<{ id: string }>
  _get(id: string): Promise<{ id: string; linked_accounts: Account[] }>
  get(of: { id_token: string }): Promise<{ id: string; created_at: number; linked_accounts: Account[] }>
  getByEmailAddress(body: { address: string }): Promise<{ id: string }>
  list(query?: object): AsyncIterable<{ id: string }>
  search(body: object): Promise<{ data: { id: string }[] }>
  setCustomMetadata(id: string, body: object): Promise<{ custom_metadata: object }>
  delete(id: string): Promise<unknown>
}

describe('an app’s server with the unmodified packages of the protocol’s origin', () => {
  const ends: (() => unknown)[] = []
  let logIn: (email: string) => Promise<{ token: string; identity_token: string; user: { id: string } }>
  let older: ServerAuth
  let newer: {
    users(): NodeUsers
    utils(): { auth(): { verifyAccessToken(token: string): Promise<object> } }
  }

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-server-packages-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    await cp(sourcesOf('server-packages'), folder, { recursive: true })
    await installPackages(folder)
    const mailbox = await createMailbox()
    ends.push(() => mailbox.close())
    const port = await freePort()
    const apiUrl = `http://localhost:${port}`
    const backend = await createBackend({
      dataDir: join(folder, 'data'),
      apiUrl,
      smtpUrl: mailbox.smtp.url,
      apps: [
        {
          id: appId,
          name: 'With a server of its own',
          allowedDomains: ['http://localhost:3000'],
          vault: 'compatible',
          identity: { issuer: 'privy.io', userIdPrefix: 'did:privy:' },
          methods: ['email'],
          adminKeys: [{ name: 'server', sha256: createHash('sha256').update(appSecret).digest('hex') }],
        },
      ],
      vaultFiles: folder,
    })
    ends.push(() => backend.close())
    const api = await listen(port, backend.api, 'api')
    ends.push(() => api.close())
    logIn = async (email) => {
      const post = async (path: string, body: object) => {
        const headers = {
          'content-type': 'application/json',
          'privy-app-id': appId,
          origin: 'http://localhost:3000',
        }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        return (await fetch(`${apiUrl}/api/v1/${path}`, init)).json()
      }
      await post('passwordless/init', { email })
      const code = mailbox.messages().find(({ to }) => to === email)?.code
      return post('passwordless/authenticate', { email, code })
    }
    const require = createRequire(join(folder, 'package.json'))
    const { PrivyClient: Older } = require('@privy-io/server-auth')
    older = new Older(appId, appSecret, { apiURL: apiUrl })
    const { PrivyClient: Newer } = require('@privy-io/node')
    newer = new Newer({ appId, appSecret, apiUrl: `${apiUrl}/api` })
  }, 5 * minute)
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  }, minute)

  it('finds, imports, describes, lists and deletes users with server-auth 1.32.5', async () => {
    const email = 'older@example.com'
    const { token, identity_token: idToken, user } = await logIn(email)
    expect(await older.getAppSettings()).toMatchObject({ id: appId })
    expect(await older.verifyAuthToken(token)).toMatchObject({ userId: user.id, appId })
    expect(await older.getUser(user.id)).toMatchObject({ id: user.id, email: { address: email } })
    expect(await older.getUser({ idToken })).toMatchObject({
      id: user.id,
      isGuest: false,
      email: { address: email },
    })
    expect(await older.getUserByEmail(email)).toMatchObject({ id: user.id })
    expect(await older.getUserByEmail('nobody@example.com')).toBeNull()
    const made = await older.importUser({
      linkedAccounts: [
        { type: 'email', address: 'imported@example.com' },
        { type: 'twitter_oauth', subject: '1', username: 'imported', name: 'I' },
      ],
      customMetadata: { plan: 'gold' },
    })
    expect(await older.getUserByTwitterUsername('imported')).toMatchObject({ id: made.id })
    expect(await older.setCustomMetadata(made.id, { plan: 'silver' })).toMatchObject({
      customMetadata: { plan: 'silver' },
    })
    expect((await older.getUsers()).map(({ id }) => id)).toEqual(expect.arrayContaining([user.id, made.id]))
    await older.deleteUser(made.id)
    expect(await older.getUserByEmail('imported@example.com')).toBeNull()
    await expect(older.importUser({ linkedAccounts: [], createEthereumWallet: true })).rejects.toThrow()
  })

  it('finds, creates, describes, lists and deletes users with node 0.35.0', async () => {
    const email = 'newer@example.com'
    const { token, identity_token, user } = await logIn(email)
    const users = newer.users()
    expect(await users.get({ id_token: identity_token })).toMatchObject({
      id: user.id,
      created_at: expect.any(Number),
      linked_accounts: [{ type: 'email', address: email }],
    })
    expect(await newer.utils().auth().verifyAccessToken(token)).toMatchObject({ user_id: user.id })
    expect(await users._get(user.id)).toMatchObject({ id: user.id })
    expect(await users.getByEmailAddress({ address: email })).toMatchObject({ id: user.id })
    await expect(users.getByEmailAddress({ address: 'nobody@example.com' })).rejects.toMatchObject({
      status: 404,
    })
    const address = 'created@example.com'
    const made = await users.create({ linked_accounts: [{ type: 'email', address }] })
    expect(await users.setCustomMetadata(made.id, { custom_metadata: { seats: 2 } })).toMatchObject({
      custom_metadata: { seats: 2 },
    })
    const ids = []
    for await (const { id } of users.list({ limit: 1 })) ids.push(id)
    expect(ids).toEqual(expect.arrayContaining([user.id, made.id]))
    expect((await users.search({ searchTerm: address })).data).toMatchObject([{ id: made.id }])
    await users.delete(made.id)
    await expect(users._get(made.id)).rejects.toMatchObject({ status: 404 })
  })
})
