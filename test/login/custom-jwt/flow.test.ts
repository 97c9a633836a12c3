import { SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/login/custom-jwt/service.ts'
import type { HostConfig } from '../../../src/app/config.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { appId, type Call, makeToken, type Reply, sessionBody, wireUser } from '../../support/api.ts'
import { settled, testClock } from '../../support/clock.ts'
import { type KitSetUp, kitWithPerson, paths } from '../../support/kit.ts'

const authenticate = '/api/v1/custom_jwt_account/authenticate'
const mark = `lk:${appId}:custom`

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const userOf = (name: string) =>
  wireUser(`did:privy:${name}`, {
    linked_accounts: [{ type: 'custom_auth', custom_user_id: name, verified_at: 1_700_000_000 }],
  })
/** A token of the host's own login; each one is another text. */
let tokens = 0
const tokenOf = (name: string) =>
  new SignJWT({ n: ++tokens })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(name)
    .setJti(String(tokens))
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('nobody checks this here'))

/** The host's login: who is in, and how it answers. */
function hostLogin(first: string | undefined) {
  const host = {
    token: first,
    asked: 0,
    answer: undefined as undefined | (() => Promise<string | undefined>),
    config: (more: Partial<NonNullable<HostConfig['customAuth']>> = {}): HostConfig => ({
      customAuth: {
        enabled: true,
        getCustomAccessToken: async () => {
          host.asked++
          return host.answer ? host.answer() : host.token
        },
        ...more,
      },
    }),
  }
  return host
}

async function setUp({
  host = hostLogin(undefined),
  config = host.config(),
  routes,
  ...more
}: KitSetUp & { host?: ReturnType<typeof hostLogin>; config?: HostConfig } = {}) {
  const clock = testClock()
  const sessions: Record<string, Reply> = {}
  for (const name of ['ada', 'grace']) {
    const token = await makeToken(clock, { userId: `did:privy:${name}` })
    const body = await sessionBody(clock, { user: userOf(name), token, privy_access_token: token })
    sessions[name] = { body }
  }
  const answer = ({ body }: Call): Reply => {
    const { sub } = JSON.parse(atob(String(body?.token).split('.')[1] ?? ''))
    return sessions[sub] ?? { status: 401, body: { error: 'No', code: 'invalid_credentials' } }
  }
  const set = await kitWithPerson({
    ...more,
    options: { config, ...more.options },
    routes: { [authenticate]: answer, ...routes },
  })
  const heard: string[] = []
  set.kit.on('login', ({ user, loginMethod }) => heard.push(`login ${user.id} ${loginMethod}`))
  set.kit.on('logout', () => heard.push('logout'))
  const status = () => set.kit.customAuth.state.get()
  /** Lets what was begun come to its end, which takes a hash now and then. */
  const rest = async () => {
    await settled()
    for (let turn = 0; turn < 50 && status().status === 'loading' && !host.answer; turn++) await settled()
    await settled()
  }
  await set.kit.whenReady()
  await rest()
  return { ...set, host, heard, status, rest }
}

describe('the host’s own login', () => {
  test('is followed at the start, without any dialog', async () => {
    const host = hostLogin(await tokenOf('ada'))
    const { kit, heard, api, person, status } = await setUp({ host })
    expect(kit.user).toMatchObject({
      id: 'did:privy:ada',
      linkedAccounts: [{ type: 'custom', customUserId: 'ada' }],
    })
    expect(api.to(authenticate).map(({ body }) => body)).toEqual([{ token: host.token }])
    await vi.waitFor(() => expect(heard).toEqual(['login did:privy:ada custom']))
    expect(person.trace()).toEqual([])
    expect(status()).toEqual({ status: 'done' })
  })

  test('with nobody in it logs nobody in', async () => {
    const { kit, api, status, heard } = await setUp()
    expect(kit.authenticated).toBe(false)
    expect(api.to(authenticate)).toHaveLength(0)
    expect([status(), heard]).toEqual([{ status: 'done' }, []])
  })

  test('is not asked where it is off', async () => {
    const host = hostLogin(await tokenOf('ada'))
    const { kit, status } = await setUp({ host, config: host.config({ enabled: false }) })
    expect([host.asked, kit.authenticated, status()]).toEqual([0, false, { status: 'initial' }])
    await kit.customAuth.sync()
    expect(host.asked).toBe(0)
  })

  test('is not asked before the host knows itself, and then at once', async () => {
    const host = hostLogin(await tokenOf('ada'))
    const { kit, rest } = await setUp({ host, config: host.config({ isLoading: true }) })
    expect(host.asked).toBe(0)
    kit.configure({ config: host.config({ isLoading: false }) })
    await rest()
    expect(kit.user?.id).toBe('did:privy:ada')
    // Frameworks give a new object each time they draw.
    for (let draws = 0; draws < 5; draws++) kit.configure({ config: host.config({ isLoading: false }) })
    await settled()
    expect(host.asked).toBe(1)
  })

  test('is notified of every login, change and logout', async () => {
    const { kit, host, heard, api } = await setUp()
    host.token = await tokenOf('ada')
    expect((await kit.customAuth.sync())?.id).toBe('did:privy:ada')
    host.token = await tokenOf('grace')
    expect((await kit.customAuth.sync())?.id).toBe('did:privy:grace')
    host.token = undefined
    expect(await kit.customAuth.sync()).toBeNull()
    expect(kit.authenticated).toBe(false)
    expect(heard).toEqual(['login did:privy:ada custom', 'logout', 'login did:privy:grace custom', 'logout'])
    expect(api.to(paths.logout)).toHaveLength(2)
  })

  test('with a new token of the same person changes nothing', async () => {
    const host = hostLogin(await tokenOf('ada'))
    const { kit, api, heard } = await setUp({ host })
    const claims = { sub: 'ada', n: 1, exp: 4_000_000_000, iat: 1, jti: 'other' }
    const again = (more: object) => `x.${btoa(JSON.stringify({ ...claims, ...more }))}.x`
    host.token = again({})
    await kit.customAuth.sync()
    const before = api.to(authenticate).length
    host.token = again({ exp: 4_000_000_600, iat: 601, jti: 'third' })
    await kit.customAuth.sync()
    expect(api.to(authenticate)).toHaveLength(before)
    expect(heard.filter((line) => line.startsWith('login'))).toHaveLength(before)
  })

  test('is taken up again after a reload, without another login', async () => {
    const host = hostLogin(await tokenOf('ada'))
    const first = await setUp({ host })
    const me = { body: { user: userOf('ada') } }
    const { kit, api, heard } = await setUp({ host, storage: first.storage, routes: { [paths.me]: me } })
    expect(kit.user?.id).toBe('did:privy:ada')
    expect(api.to(authenticate)).toHaveLength(0)
    expect(heard).toEqual([])
    expect(first.storage.get(mark)).not.toContain(host.token)
  })

  test('leaves alone who came another way, as long as it has nobody', async () => {
    const { kit } = await setUp()
    await kit.email.sendCode({ email: 'ada@example.com' })
    await kit.email.loginWithCode({ code: '123456' })
    await kit.customAuth.sync()
    expect(kit.user?.id).toBe('did:privy:u1')
  })

  test('once it has somebody, nobody else stays logged in beside them', async () => {
    const { kit, host, heard } = await setUp()
    await kit.email.sendCode({ email: 'ada@example.com' })
    await kit.email.loginWithCode({ code: '123456' })
    host.token = await tokenOf('grace')
    await kit.customAuth.sync()
    expect(kit.user?.id).toBe('did:privy:grace')
    expect(heard).toEqual(['login did:privy:u1 email', 'logout', 'login did:privy:grace custom'])
  })
})

describe('what goes wrong', () => {
  test('a host that throws is told so; who is in stays', async () => {
    const host = hostLogin(await tokenOf('ada'))
    const { kit, status } = await setUp({ host })
    host.answer = async () => {
      throw new TypeError('no network')
    }
    await expect(kit.customAuth.sync()).rejects.toMatchObject({ code: 'unknown_auth_error' })
    expect(status()).toMatchObject({ status: 'error', error: { code: 'unknown_auth_error' } })
    expect(kit.user?.id).toBe('did:privy:ada')
  })

  test('a host that throws at once does as well', async () => {
    const host = hostLogin(undefined)
    host.answer = () => {
      throw new Error('not ready')
    }
    const { status, errors } = await setUp({ host })
    expect(status()).toMatchObject({ status: 'error' })
    expect(errors).toMatchObject([{ code: 'unknown_auth_error' }])
  })

  test('a host that never answers is given up', async () => {
    const host = hostLogin(undefined)
    host.answer = () => new Promise(() => {})
    const { clock, status, errors } = await setUp({ host })
    expect(status()).toEqual({ status: 'loading' })
    await clock.advance(20_000)
    expect(status()).toMatchObject({ status: 'error', error: { code: 'client_request_timeout' } })
    expect(errors).toMatchObject([{ code: 'client_request_timeout' }])
  })

  test('a token that the server refuses logs nobody in, and whoever was in before is out', async () => {
    const host = hostLogin(await tokenOf('ada'))
    const { kit, status } = await setUp({ host })
    host.token = await tokenOf('mallory')
    const error = await kit.customAuth.sync().catch((cause: KitError) => cause)
    expect(error).toMatchObject({ code: 'invalid_credentials' })
    expect(status()).toMatchObject({ status: 'error', error: { code: 'invalid_credentials' } })
    expect(kit.authenticated).toBe(false)
    host.token = await tokenOf('ada')
    expect((await kit.customAuth.sync())?.id).toBe('did:privy:ada')
  })

  test.each([['' as const], ['   '], ['no token at all']])('"%s" is no reason to fall over', async (text) => {
    const host = hostLogin(text)
    const { kit } = await setUp({
      host,
      routes: { [authenticate]: { status: 401, body: { error: 'No', code: 'invalid_credentials' } } },
    })
    expect(kit.authenticated).toBe(false)
  })

  test('of two who are told at once, the later state of the host wins', async () => {
    const host = hostLogin(undefined)
    const { kit, api } = await setUp({ host })
    const answers: ((token: string | undefined) => void)[] = []
    host.answer = () => new Promise((resolve) => answers.push(resolve))
    const first = kit.customAuth.sync()
    await settled()
    const second = kit.customAuth.sync()
    const third = kit.customAuth.sync()
    await settled()
    expect(answers).toHaveLength(1)
    answers[0]?.(await tokenOf('ada'))
    await first
    await settled()
    // Whoever asked meanwhile shares one more look, which sees what is so now.
    expect(answers).toHaveLength(2)
    answers[1]?.(await tokenOf('grace'))
    expect([(await second)?.id, (await third)?.id]).toEqual(['did:privy:grace', 'did:privy:grace'])
    expect(kit.user?.id).toBe('did:privy:grace')
    expect(api.to(authenticate)).toHaveLength(2)
  })
})
