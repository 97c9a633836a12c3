import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/login/guest/service.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { appId, type Call, type Reply, sessionBody, wireUser } from '../../support/api.ts'
import { testClock } from '../../support/clock.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, paths, walletAddress } from '../../support/kit.ts'
import { fakeVault } from '../../support/vault.ts'

const authenticate = '/api/v1/guest/authenticate'
const stored = `lk:${appId}:guest`
const guest = wireUser('did:privy:u1', { linked_accounts: [], is_guest: true })

let warnings: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

async function setUp({ routes, ...more }: KitSetUp = {}) {
  const answer = { body: await sessionBody(testClock(), { user: guest, is_new_user: true }) }
  return kitWithPerson({ ...more, routes: { [authenticate]: answer, ...routes } })
}
const credentialOf = (call: Call | undefined) => String(call?.body?.guest_credential)

describe('a guest', () => {
  test('is made of 32 random bytes, and told to the host', async () => {
    const { kit, api, storage } = await setUp()
    const heard: unknown[] = []
    kit.on('login', (detail) => heard.push(detail))
    const user = await kit.guest.create()
    expect(user).toMatchObject({ id: 'did:privy:u1', isGuest: true, linkedAccounts: [] })
    const [call] = api.to(authenticate)
    expect(call?.body).toEqual({ guest_credential: expect.stringMatching(/^[\w-]{43}$/) })
    expect(storage.get(stored)).toBe(credentialOf(call))
    expect(heard).toMatchObject([{ loginMethod: 'guest', loginAccount: null, isNewUser: true }])
    expect(kit.authenticated).toBe(true)
    expect(kit.guest.state.get()).toEqual({ status: 'done' })
  })

  test('is the same one again', async () => {
    const { kit, api } = await setUp()
    await kit.guest.create()
    await kit.guest.create()
    const sent = api.to(authenticate).map(credentialOf)
    expect(sent).toHaveLength(2)
    expect(new Set(sent).size).toBe(1)
  })

  test('is the same one after an answer that was lost', async () => {
    const answer = { body: await sessionBody(testClock(), { user: guest }) }
    const { kit, api, clock } = await setUp({
      routes: { [authenticate]: ['dropped', 'dropped', 'dropped', 'dropped', answer] },
    })
    const failed = kit.guest.create().catch((cause: KitError) => cause)
    await clock.advance(60_000)
    expect(await failed).toMatchObject({
      code: 'network_unavailable',
      shortMessage: 'Unable to authenticate guest account',
    })
    expect(kit.guest.state.get()).toMatchObject({ status: 'error' })
    await kit.guest.create()
    expect(new Set(api.to(authenticate).map(credentialOf)).size).toBe(1)
  })

  test('is forgotten at logout: the next one is another', async () => {
    const { kit, api, storage } = await setUp()
    await kit.guest.create()
    await kit.logout()
    expect(storage.get(stored)).toBeUndefined()
    await kit.guest.create()
    expect(new Set(api.to(authenticate).map(credentialOf)).size).toBe(2)
  })

  test('is not what a landing screen calls Recent', async () => {
    const { kit, storage } = await setUp()
    await kit.guest.create()
    expect(storage.get(`lk:${appId}:recent-login`)).toBeUndefined()
  })

  test('is not made of somebody who is logged in', async () => {
    const { kit, api } = await setUp()
    await kit.email.sendCode({ email: 'ada@example.com' })
    await kit.email.loginWithCode({ code: '123456' })
    await expect(kit.guest.create()).rejects.toMatchObject({
      code: 'invalid_state',
      shortMessage: 'User cannot already be authenticated to create a guest account',
    })
    expect(api.to(authenticate)).toHaveLength(0)
    expect(kit.user?.isGuest).toBe(false)
  })

  test.each<[string, Reply]>([
    ['disallowed_login_method', { status: 403, body: { error: 'Off', code: 'disallowed_login_method' } }],
    ['too_many_requests', { status: 429, body: { error: 'Too many', code: 'too_many_requests' } }],
    ['malformed_response', { body: { nothing: true } }],
  ])('that the server refuses with %s is nobody', async (code, reply) => {
    const { kit } = await setUp({ routes: { [authenticate]: reply } })
    await expect(kit.guest.create()).rejects.toMatchObject({ code })
    expect(kit.authenticated).toBe(false)
    expect(kit.guest.state.get()).toMatchObject({ status: 'error', error: { code } })
  })

  test('whose credential is no longer valid gives way to a new one', async () => {
    const answer = { body: await sessionBody(testClock(), { user: guest }) }
    const revoked = { status: 401, body: { error: 'Over', code: 'invalid_credentials' } }
    const { kit, api, storage } = await setUp({ routes: { [authenticate]: [revoked, answer] } })
    await kit.guest.create()
    const [old, made] = api.to(authenticate).map(credentialOf)
    expect(made).not.toBe(old)
    expect(storage.get(stored)).toBe(made)
  })
})

describe('the wallet of a guest', () => {
  const app = { embedded_wallet_config: { create_on_login: 'users-without-wallets' } }

  test('is made as the app wants it', async () => {
    const user = wireUser('did:privy:u1', { linked_accounts: [embeddedWallet], is_guest: true })
    const vault = fakeVault({ createWallet: () => ({ address: walletAddress }) })
    const { kit, clock } = await setUp({ app, vault, routes: { [paths.me]: { body: { user } } } })
    const making = kit.guest.create()
    await clock.advance(5_000)
    const made = await making
    expect(vault.asked).toHaveLength(1)
    expect(made).toMatchObject({ isGuest: true, wallet: { address: walletAddress } })
  })

  test('that could not be made leaves the guest in, with a warning', async () => {
    const vault = fakeVault({ createWallet: () => ({ error: { type: 'error', message: 'No' } }) })
    const { kit, clock } = await setUp({ app, vault, routes: { [paths.me]: { body: { user: guest } } } })
    const making = kit.guest.create()
    await clock.advance(60_000)
    const user = await making
    expect(user.isGuest).toBe(true)
    expect(kit.authenticated).toBe(true)
    expect(warnings).toHaveBeenCalledWith('User wallet creation failed', expect.anything())
  })
})

describe('a guest who logs in', () => {
  test('gets the dialog, sends who they are, and is somebody with the same id', async () => {
    const { kit, api, person, storage, clock } = await setUp()
    await kit.guest.create()
    const login = kit.login()
    await person.follow([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', { code: '123456' }],
    ])
    await clock.advance(4_000)
    const user = await login
    expect(user).toMatchObject({ id: 'did:privy:u1', isGuest: false })
    expect(api.to(paths.authenticate)[0]?.headers.authorization).toMatch(/^Bearer /)
    expect(storage.get(stored)).toBeUndefined()
    expect(console.warn).not.toHaveBeenCalled()
  })
})
