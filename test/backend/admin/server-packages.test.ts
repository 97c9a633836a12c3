/**
 * The requests that the server packages of the protocol's origin send (`@privy-io/server-auth` 1.32.5, `@privy-io/node` 0.35.0),
 * as they were recorded; the soak runs the packages themselves (test/hosts/server-packages.test.ts).
 */
import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { Client } from '../support/client.ts'
import { newAddress, site, startWorld, stores, type World } from '../support/world.ts'

const secret = 'the-secret-of-the-app'
const sha256 = createHash('sha256').update(secret).digest('hex')
const app: AppSettings = {
  id: 'latchkey-test-packages-01',
  name: 'With a server of its own',
  allowedDomains: [site],
  vault: 'compatible',
  identity: { issuer: 'privy.io', userIdPrefix: 'did:privy:' },
  methods: ['email'],
  embeddedWallets: { createOnLogin: 'all-users' },
  adminKeys: [{ name: 'server', sha256 }],
}
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe.each(stores)('an app’s own server, by its secret, on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [app] })
  })
  afterAll(() => world?.stop())

  async function ask(method: string, path: string, body?: object, as = basic(`${app.id}:${secret}`)) {
    const headers = {
      authorization: as,
      'privy-app-id': app.id,
      'privy-client': 'server-auth:1.32.5',
      ...(body && { 'content-type': 'application/json' }),
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const connection = { incoming: { socket: { remoteAddress: '10.9.8.6' } } }
    const answer = await world.backend.api.request(`/api/v1/${path}`, init, connection)
    const text = await answer.text()
    // biome-ignore lint/suspicious/noExplicitAny: what the tests look into is the wire's JSON, whatever it may be
    return { status: answer.status, body: (text ? JSON.parse(text) : undefined) as any }
  }
  async function somebody() {
    const page = new Client(world, { appId: app.id })
    const email = newAddress()
    const { body } = await page.login(email)
    return { page, email, id: body.user.id as string, body }
  }

  test('gets a user by the id and by the address, as the user’s own page does', async () => {
    const { page, id, email } = await somebody()
    const own = (await page.get('users/me')).body.user
    expect(await ask('GET', `users/${id}`)).toEqual({ status: 200, body: own })
    expect(await ask('POST', 'users/email/address', { address: email.toUpperCase() })).toEqual({
      status: 200,
      body: own,
    })
    expect((await page.get('users/me')).status).toBe(200)
  })

  test('is told with 404 that there is nobody', async () => {
    for (const [method, path, body] of [
      ['GET', 'users/did:privy:nobody'],
      ['DELETE', 'users/did:privy:nobody'],
      ['POST', 'users/did:privy:nobody/custom_metadata', { custom_metadata: {} }],
      ['POST', 'users/email/address', { address: newAddress() }],
      ['POST', 'users/phone/number', { number: '+4915112345678' }],
      ['POST', 'users/wallet/address', { address: `0x${'12'.repeat(20)}` }],
      ['POST', 'users/farcaster/fid', { fid: 4242 }],
    ] as const) {
      const { status, body: answer } = await ask(method, path, body)
      expect([path, status, answer.code]).toEqual([path, 404, 'user_does_not_exist'])
    }
  })

  test('imports a user with every kind of account, and finds them by each, and by no other field', async () => {
    const address = newAddress()
    const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
    const made = await ask('POST', 'users', {
      linked_accounts: [
        { type: 'email', address },
        { type: 'phone', number: '+49 151 98765432' },
        { type: 'wallet', chain_type: 'ethereum', address: wallet.toLowerCase() },
        { type: 'custom_auth', custom_user_id: 'user-77' },
        { type: 'google_oauth', subject: 'g-1', email: 'g@example.com', name: 'Gee' },
        { type: 'twitter_oauth', subject: 't-1', username: 'tweeter', name: 'T' },
        { type: 'discord_oauth', subject: 'd-1', username: 'discorder' },
        { type: 'github_oauth', subject: 'gh-1', username: 'hubber' },
        { type: 'farcaster', fid: 77, owner_address: wallet, username: 'caster' },
        { type: 'telegram', telegram_user_id: '9911', username: 'grammer' },
      ],
      custom_metadata: { plan: 'gold', seats: 3, trial: false },
    })
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ custom_metadata: { plan: 'gold', seats: 3, trial: false } })
    for (const [path, body] of [
      ['email/address', { address }],
      ['phone/number', { number: '+4915198765432' }],
      ['wallet/address', { address: wallet }],
      ['custom_auth/id', { custom_user_id: 'user-77' }],
      ['farcaster/fid', { fid: 77 }],
      ['twitter/username', { username: 'tweeter' }],
      ['twitter/subject', { subject: 't-1' }],
      ['discord/username', { username: 'discorder' }],
      ['github/username', { username: 'hubber' }],
      ['telegram/telegram_user_id', { telegram_user_id: '9911' }],
      ['telegram/username', { username: 'grammer' }],
    ] as const)
      expect([path, (await ask('POST', `users/${path}`, body)).body.id]).toEqual([path, made.body.id])
    for (const [path, body] of [
      ['twitter/username', { username: 't-1' }],
      ['twitter/subject', { subject: 'tweeter' }],
      ['telegram/username', { username: '9911' }],
      ['github/username', { username: 'discorder' }],
      ['email/address', { address: 'g@example.com' }],
    ] as const)
      expect([path, (await ask('POST', `users/${path}`, body)).status]).toEqual([path, 404])
    expect((await ask('POST', 'users', { linked_accounts: [{ type: 'email', address }] })).body.code).toBe(
      'resource_conflict',
    )
    for (const account of [
      { type: 'email', address: 'no address' },
      { type: 'passkey', credential_id: 'x' },
      { type: 'farcaster', fid: 0, owner_address: wallet },
      { type: 'telegram', telegram_user_id: 'me' },
    ])
      expect((await ask('POST', 'users', { linked_accounts: [account] })).body.code).toBe('invalid_data')
  })

  test('is refused wallets for users, with no user made', async () => {
    const address = newAddress()
    const linked_accounts = [{ type: 'email', address }]
    for (const more of [
      { create_ethereum_wallet: true },
      { create_solana_wallet: true },
      { create_ethereum_smart_wallet: true },
      { wallets: [{ chain_type: 'ethereum' }] },
    ])
      expect((await ask('POST', 'users', { linked_accounts, ...more })).body.code).toBe('not_supported')
    expect((await ask('POST', 'users/email/address', { address })).status).toBe(404)
    const { id } = await somebody()
    for (const path of [`users/${id}/wallets`, `apps/${app.id}/users/wallet`, `users/${id}/accounts/unlink`])
      expect((await ask('POST', path, {})).body.code).toBe('not_supported')
    expect((await ask('GET', `apps/${app.id}/allowlist`)).body.code).toBe('not_supported')
  })

  test('lists its users page by page, and searches them', async () => {
    const people = [await somebody(), await somebody(), await somebody()]
    const ids: string[] = []
    let cursor: string | null = ''
    do {
      const { body } = (await ask('GET', `users?${cursor && `cursor=${cursor}&`}limit=2`)) as {
        body: { data: { id: string }[]; next_cursor: string | null }
      }
      ids.push(...body.data.map(({ id }) => id))
      cursor = body.next_cursor
    } while (cursor !== null)
    expect(ids).toEqual(expect.arrayContaining(people.map(({ id }) => id)))
    const [one, two] = people
    const byTerm = await ask('POST', 'users/search', { searchTerm: one?.email })
    expect(byTerm.body).toMatchObject({ data: [{ id: one?.id }], next_cursor: null })
    const emails = [one?.email, two?.email, newAddress()]
    const byList = await ask('POST', 'users/search', { emails, phoneNumbers: [], walletAddresses: [] })
    expect(byList.body.data.map(({ id }: { id: string }) => id)).toEqual([one?.id, two?.id])
  })

  test('sets what it says of a user, which the user’s tokens say too, in place of what was said', async () => {
    const { page, id } = await somebody()
    const set = (custom_metadata: unknown) => ask('POST', `users/${id}/custom_metadata`, { custom_metadata })
    await set({ old: 1 })
    expect((await set({ plan: 'silver' })).body).toMatchObject({ id, custom_metadata: { plan: 'silver' } })
    const { identity_token: token, user } = (await page.get('users/me')).body
    expect(user.custom_metadata).toEqual({ plan: 'silver' })
    expect(JSON.parse(String(decodeJwt(token).custom_metadata))).toEqual({ plan: 'silver' })
    for (const wrong of [{ a: null }, { a: [1] }, { a: { b: 1 } }, { a: 'x'.repeat(2_000) }, 'text'])
      expect((await set(wrong)).body.code).toBe('invalid_data')
  })

  test('deletes a user, who is nobody from then on', async () => {
    const { page, id, email } = await somebody()
    expect((await ask('DELETE', `users/${id}`)).status).toBe(204)
    expect((await ask('GET', `users/${id}`)).status).toBe(404)
    expect((await ask('POST', 'users/email/address', { address: email })).status).toBe(404)
    expect((await page.get('users/me')).status).toBe(401)
  })

  test('opens to the secret alone: not to a wrong one, a page or a user’s token', async () => {
    const { page, id, email } = await somebody()
    for (const as of [basic(`${app.id}:wrong`), basic(`latchkey-demo-open-000001:${secret}`), ''])
      expect((await ask('GET', `users/${id}`, undefined, as)).status).toBe(401)
    expect((await page.post('users/email/address', { address: email })).status).toBe(403)
    const { token } = page
    expect((await ask('GET', 'users', undefined, `Bearer ${token}`)).status).toBe(401)
  })

  test('reads an identity token as an unmodified package does: its type, when and how the user came', async () => {
    const { body } = await somebody()
    const token: string = body.identity_token
    expect(decodeProtectedHeader(token).typ).toBe('JWT')
    expect(decodeJwt(token)).toMatchObject({
      iss: 'privy.io',
      aud: app.id,
      cr: String(body.user.created_at),
      guest: 'f',
    })
    // It opens nothing all the same.
    const asAccess = await new Client(world, { appId: app.id }).get('users/me', {
      authorization: `Bearer ${token}`,
    })
    expect(asAccess.status).toBe(401)
  })

  test('gets a configuration with which clients of later generations start', async () => {
    const { body } = await ask('GET', `apps/${app.id}`)
    expect(body.embedded_wallet_config).toMatchObject({
      create_on_login: 'all-users',
      ethereum: { create_on_login: 'all-users' },
      solana: { create_on_login: 'off' },
      mode: 'legacy-embedded-wallets-only',
    })
  })
})
