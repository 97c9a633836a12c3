import { serializeErc6492Signature } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { personOf } from '../../../../demo/world/farcaster/farcaster.ts'
import { crowd, eachOf, soak } from '../../../support/soak.ts'
import {
  emailApp,
  FarcasterClient,
  type FarcasterWorld,
  faults,
  forge,
  startFarcasterWorld,
} from '../../support/farcaster-world.ts'
import { minutes, newAddress, seconds, site, stores } from '../../support/world.ts'

let fids = 5_000
/** Somebody whom this backend has never seen. */
const newFid = () => ++fids

describe.each(stores)('login with Farcaster on $name', (store) => {
  let world: FarcasterWorld
  beforeAll(async () => {
    world = await startFarcasterWorld(store)
  })
  afterAll(() => world?.stop())
  afterEach(() => {
    world.fault.relay = undefined
    world.fault.rpc = undefined
  })
  const page = (options = {}) => new FarcasterClient(world, options)

  /** A channel that waits, with its nonce. */
  async function waiting(client = page()) {
    const channel = await client.open()
    const { body } = await client.status(channel.token)
    return { client, ...channel, nonce: body.nonce as string }
  }
  const refused = { status: 401, code: 'invalid_credentials' }
  const verdict = ({ status, body }: { status: number; body: { code?: string } }) => ({
    status,
    code: body?.code,
  })

  describe('from the page to the phone and back', () => {
    test('a person approves on their phone, and is in', async () => {
      const { client, token, uri, nonce } = await waiting()
      const pending = await client.status(token)
      expect([pending.status, pending.body]).toEqual([200, { state: 'pending', nonce }])
      expect(nonce).toMatch(/^[\da-f]{24}$/)
      await world.approve(uri, 1_001)

      const done = await client.status(token)
      expect(done.body).toMatchObject({
        state: 'completed',
        nonce,
        fid: 1_001,
        username: 'ada',
        display_name: 'Ada',
        bio: expect.any(String),
        pfp_url: 'https://example.com/farcaster/1001.png',
      })
      const login = await client.authenticate(token, done.body)
      expect(login.status).toBe(200)
      const now = Math.floor(world.clock.now / 1_000)
      expect(login.body).toMatchObject({ is_new_user: true, session_update_action: 'set' })
      expect(login.body.user.linked_accounts).toEqual([
        {
          type: 'farcaster',
          fid: 1_001,
          owner_address: personOf(1_001).custody,
          username: 'ada',
          display_name: 'Ada',
          bio: expect.any(String),
          profile_picture: 'https://example.com/farcaster/1001.png',
          profile_picture_url: 'https://example.com/farcaster/1001.png',
          verified_at: now,
          first_verified_at: now,
          latest_verified_at: now,
        },
      ])
    })

    test('the same person is known again', async () => {
      const fid = newFid()
      const first = await page().enter(world, fid)
      const again = await page().enter(world, fid)
      expect(again.body.user.id).toBe(first.body.user.id)
      expect([first.body.is_new_user, again.body.is_new_user]).toEqual([true, false])
    })

    test('who may only log in is not signed up', async () => {
      const { client, token, nonce } = await waiting()
      const signed = await forge(world, nonce, { fid: newFid() })
      const answer = await client.authenticate(token, signed, { mode: 'no-signup' })
      expect(verdict(answer)).toEqual({ status: 400, code: 'user_does_not_exist' })
    })

    test('a contract wallet that owns the fid signs as well', async () => {
      const answer = await page().enter(world, 2_001)
      expect(answer.body.user.linked_accounts[0]).toMatchObject({
        fid: 2_001,
        owner_address: personOf(2_001).custody,
      })
    })

    test('the token of the page is not the one in the link', async () => {
      const { token, uri } = await page().open()
      expect(token).toMatch(/^[\w-]{43}$/)
      const inLink = new URL(uri).searchParams.get('channelToken') ?? ''
      expect(uri).not.toContain(token)
      expect(verdict(await page().status(inLink))).toEqual({ status: 400, code: 'invalid_state' })
    })

    test('an answer that got lost on its way to the page is there for the next one who asks', async () => {
      const { client, token, uri } = await waiting()
      await world.approve(uri, newFid())
      const answers = await Promise.all([client.status(token), client.status(token), client.status(token)])
      const later = await client.status(token)
      expect(new Set([...answers, later].map(({ text }) => text)).size).toBe(1)
      expect(later.body.state).toBe('completed')
    })

    test('an answer that somebody else fetched from the relay ends the waiting, and lets nobody in', async () => {
      const { client, token, uri } = await waiting()
      await world.approve(uri, newFid())
      const seen = new URL(uri).searchParams.get('channelToken')
      const stolen = await fetch(`${world.relayUrl}/v1/channel/status`, {
        headers: { authorization: `Bearer ${seen}` },
      })
      expect(verdict(await client.status(token))).toEqual({ status: 400, code: 'invalid_state' })
      const answer = await page().authenticate(seen ?? '', (await stolen.json()) as never)
      expect(verdict(answer)).toEqual(refused)
    })

    test('an app without Farcaster has none of it', async () => {
      const other = page({ appId: emailApp.id })
      for (const answer of [
        await other.post('farcaster/init'),
        await other.status('x'),
        await other.authenticate('x', { message: '', signature: '0x', fid: 1 }),
      ])
        expect(verdict(answer)).toEqual({ status: 403, code: 'disallowed_login_method' })
    })
  })

  describe('what was not asked for', () => {
    const soon = (milliseconds: number) => new Date(world.clock.now + milliseconds)
    const cases: [string, () => Parameters<typeof forge>[2]][] = [
      ['another nonce', () => ({ change: (m) => ({ ...m, nonce: 'f'.repeat(24) }) })],
      ['another domain', () => ({ change: (m) => ({ ...m, domain: 'evil.example' }) })],
      ['a subdomain', () => ({ change: (m) => ({ ...m, domain: `www.${m.domain}` }) })],
      ['another port', () => ({ edit: (t) => t.replace('localhost:3000 wants', 'localhost:3001 wants') })],
      ['no port', () => ({ edit: (t) => t.replace('localhost:3000 wants', 'localhost wants') })],
      ['another scheme', () => ({ change: (m) => ({ ...m, scheme: 'https' }) })],
      ['another address', () => ({ change: (m) => ({ ...m, uri: 'http://localhost:3001' }) })],
      ['a path', () => ({ change: (m) => ({ ...m, uri: `${m.uri}/login` }) })],
      ['another chain', () => ({ change: (m) => ({ ...m, chainId: 1 }) })],
      ['another version', () => ({ edit: (t) => t.replace('Version: 1', 'Version: 2') })],
      ['another statement', () => ({ change: (m) => ({ ...m, statement: 'Farcaster Connect' }) })],
      ['no statement', () => ({ edit: (t) => t.replace('\n\nFarcaster Auth', '') })],
      ['no resource', () => ({ change: (m) => ({ ...m, resources: [] }) })],
      [
        'two fids',
        () => ({ change: (m) => ({ ...m, resources: [...(m.resources ?? []), 'farcaster://fid/1002'] }) }),
      ],
      [
        'another resource beside it',
        () => ({ change: (m) => ({ ...m, resources: [...(m.resources ?? []), 'https://a.example'] }) }),
      ],
      [
        'the fid of somebody else',
        () => ({ change: (m) => ({ ...m, resources: ['farcaster://fid/1002'] }), claim: 1_002 }),
      ],
      ['a fid beside the message', () => ({ claim: 1_002 })],
      [
        'a fid with a zero before it',
        () => ({ change: (m) => ({ ...m, resources: ['farcaster://fid/01001'] }) }),
      ],
      ['a signature by somebody else', () => ({ signer: 1_002 })],
      [
        'an address of somebody else',
        () => ({ change: (m) => ({ ...m, address: personOf(1_002).custody }) }),
      ],
      [
        'a key that owns no fid',
        () => ({ fid: 2_001, change: (m) => ({ ...m, address: personOf(2_001).key.address }) }),
      ],
      ['a contract wallet that was not asked', () => ({ fid: 2_001, signer: 1_001 })],
      ['a time that is over', () => ({ change: (m) => ({ ...m, expirationTime: soon(0) }) })],
      [
        'a longer time than was asked for',
        () => ({ change: (m) => ({ ...m, expirationTime: soon(minutes(10)) }) }),
      ],
      [
        'a time that is no time',
        () => ({ edit: (t) => t.replace(/Expiration Time: .*/, 'Expiration Time: tomorrow') }),
      ],
      ['a date of the future', () => ({ change: (m) => ({ ...m, issuedAt: soon(minutes(2)) }) })],
      ['a date before it was asked', () => ({ change: (m) => ({ ...m, issuedAt: soon(-minutes(2)) }) })],
      ['a date to begin with', () => ({ change: (m) => ({ ...m, notBefore: soon(minutes(2)) }) })],
      ['no date', () => ({ edit: (t) => t.replace(/Issued At: .*\n/, '') })],
      ['a line before', () => ({ edit: (t) => `Hello\n${t}` })],
      ['a line after', () => ({ edit: (t) => `${t}\nand more` })],
      ['a field twice', () => ({ edit: (t) => t.replace(/(Issued At: .*)/, '$1\n$1') })],
      ['another order', () => ({ edit: (t) => t.replace(/(Version: 1)\n(Chain ID: 10)/, '$2\n$1') })],
      ['a message without end', () => ({ edit: (t) => t + ' '.repeat(8_000) })],
    ]

    test.each(eachOf(cases, soak(3, 1)))('%s is refused, and the channel is used up', async (_, how) => {
      const { client, token, nonce } = await waiting()
      expect(verdict(await client.authenticate(token, await forge(world, nonce, how())))).toEqual(refused)
      expect(verdict(await client.authenticate(token, await forge(world, nonce)))).toEqual(refused)
    })

    test.each(['0x', '0x12', '0xzz', `0x${'0'.repeat(130)}`, `0x${'6492'.repeat(16)}`, 'signature'])(
      'the signature %s is refused',
      async (signature) => {
        const { client, token, nonce } = await waiting()
        const signed = { ...(await forge(world, nonce)), signature }
        expect(verdict(await client.authenticate(token, signed))).toEqual(refused)
      },
    )

    test('what an app may leave out or write its own way is no reason to refuse', async () => {
      const ways: Parameters<typeof forge>[2][] = [
        { change: ({ expirationTime: _, ...m }) => m },
        { change: (m) => ({ ...m, uri: `${m.uri}/` }) },
        { change: (m) => ({ ...m, scheme: 'http' }) },
        { change: (m) => ({ ...m, requestId: 'r-1', notBefore: new Date(world.clock.now) }) },
        { edit: (t) => t.replaceAll('.000Z', 'Z') },
      ]
      for (const how of ways) {
        const { client, token, nonce } = await waiting()
        const answer = await client.authenticate(token, await forge(world, nonce, how))
        expect([answer.status, answer.body.code]).toEqual([200, undefined])
      }
    })

    test('a message is good once', async () => {
      const { client, token, nonce } = await waiting()
      const signed = await forge(world, nonce)
      expect((await client.authenticate(token, signed)).status).toBe(200)
      expect(verdict(await client.authenticate(token, signed))).toEqual(refused)
      const next = await waiting()
      expect(verdict(await next.client.authenticate(next.token, signed))).toEqual(refused)
    })

    test(`of ${crowd} who post one message at once, one is let in`, async () => {
      const { client, token, nonce } = await waiting()
      const signed = await forge(world, nonce, { fid: newFid() })
      const answers = await Promise.all(
        Array.from({ length: crowd }, () => client.authenticate(token, signed)),
      )
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([200, ...Array.from({ length: crowd - 1 }, () => 401)])
    })

    test('a channel is over after 300 s', async () => {
      const { client, token, nonce } = await waiting()
      const signed = await forge(world, nonce)
      world.clock.pass(seconds(300))
      expect(verdict(await client.status(token))).toEqual({ status: 400, code: 'invalid_state' })
      expect(verdict(await client.authenticate(token, signed))).toEqual(refused)
    })

    test('a channel belongs to its page and to its app', async () => {
      const { token, nonce } = await waiting()
      const elsewhere = page({ origin: 'http://localhost:3999' })
      expect(verdict(await elsewhere.status(token))).toEqual({ status: 400, code: 'invalid_state' })
      expect(verdict(await elsewhere.authenticate(token, await forge(world, nonce)))).toEqual(refused)
      expect(verdict(await page().status('no-such-token'))).toEqual({ status: 400, code: 'invalid_state' })
      expect(verdict(await page().status(''))).toEqual({ status: 400, code: 'invalid_state' })
    })

    test('what is no request at all is named', async () => {
      const client = page()
      for (const body of [
        {},
        { channel_token: 'x', message: 'x', signature: '0x', fid: '1001' },
        { channel_token: 'x', message: 'x', signature: '0x', fid: 1.5 },
        { channel_token: 'x', message: 'x', signature: '0x', fid: -1 },
        { channel_token: 'x', message: ['x'], signature: '0x', fid: 1 },
      ])
        expect(verdict(await client.post('farcaster/authenticate', body))).toEqual({
          status: 400,
          code: 'invalid_data',
        })
    })
  })

  describe('which page asks', () => {
    test('a program that is no page names a page of the app', async () => {
      const native = page({ origin: null })
      expect(verdict(await native.post('farcaster/init'))).toEqual({ status: 403, code: 'missing_origin' })
      const { token, uri } = await native.open({ relying_party: 'https://app.example' })
      await world.approve(uri, newFid())
      const { body } = await native.status(token)
      expect(body.message).toContain('app.example wants you to sign in')
      expect((await native.authenticate(token, body)).status).toBe(200)
    })
    test('nobody names a page that is not the app’s, or not theirs', async () => {
      for (const relying_party of ['https://evil.example', 'nonsense', 'https://app.example'])
        expect(verdict(await page().post('farcaster/init', { relying_party }))).toEqual({
          status: 403,
          code: 'invalid_origin',
        })
    })
    test('the phone goes back to the page or to the app’s own program, and nowhere else', async () => {
      for (const redirect_url of [`${site}/after?x=1`, 'harbor://login'])
        expect((await page().post('farcaster/init', { redirect_url })).status).toBe(200)
      for (const redirect_url of ['https://evil.example', 'javascript:alert(1)', 'other://login', 'nonsense'])
        expect(verdict(await page().post('farcaster/init', { redirect_url }))).toEqual({
          status: 400,
          code: 'invalid_data',
        })
    })
  })

  describe('when the outside fails', () => {
    test.each(eachOf(faults, soak(3, 1)))(
      'a relay with %s: 503, and the login continues once it is back',
      async (fault) => {
        const { client, token, uri } = await waiting()
        await world.approve(uri, newFid())
        world.fault.relay = fault
        expect((await client.post('farcaster/init')).status).toBe(503)
        expect((await client.status(token)).status).toBe(503)
        world.fault.relay = undefined
        expect((await client.status(token)).body.state).toBe('completed')
      },
    )

    test.each(eachOf(faults, soak(3, 1)))(
      'a registry with %s: 503, and the same message logs in later',
      async (fault) => {
        const { client, token, nonce } = await waiting()
        const signed = await forge(world, nonce, { fid: newFid() })
        world.fault.rpc = fault
        expect((await client.authenticate(token, signed)).status).toBe(503)
        world.fault.rpc = undefined
        expect((await client.authenticate(token, signed)).status).toBe(200)
        expect(verdict(await client.authenticate(token, signed))).toEqual(refused)
      },
    )
  })

  describe('accounts that belong together', () => {
    test('an account is linked, and taken away', async () => {
      const client = page()
      await client.login(newAddress())
      const fid = newFid()
      const { token, nonce } = await waiting(client)
      const linked = await client.post('farcaster/link', {
        channel_token: token,
        ...(await forge(world, nonce, { fid })),
      })
      expect(linked.status).toBe(200)
      expect(linked.body.linked_accounts.map(({ type }: { type: string }) => type)).toEqual([
        'email',
        'farcaster',
      ])
      const unlinked = await client.post('farcaster/unlink', { fid })
      expect(unlinked.body.linked_accounts).toHaveLength(1)
      expect(verdict(await client.post('farcaster/unlink', { fid }))).toEqual({
        status: 404,
        code: 'linked_account_not_found',
      })
    })

    test('an account of somebody else is handed over for the nonce of the offer, once', async () => {
      const fid = newFid()
      const former = await page().enter(world, fid)
      const client = page()
      await client.login(newAddress())
      const { token, nonce } = await waiting(client)
      const conflict = await client.post('farcaster/link', {
        channel_token: token,
        ...(await forge(world, nonce, { fid })),
      })
      expect(verdict(conflict)).toEqual({ status: 400, code: 'account_transfer_required' })
      const transfer = {
        nonce: conflict.body.data.nonce,
        farcaster_id: String(fid),
        farcaster_embedded_address: '',
      }
      const other = await client.post('farcaster/transfer', { ...transfer, farcaster_id: '1' })
      expect(verdict(other)).toEqual(refused)

      const again = await waiting(client)
      const second = await client.post('farcaster/link', {
        channel_token: again.token,
        ...(await forge(world, again.nonce, { fid })),
      })
      transfer.nonce = second.body.data.nonce
      const done = await client.post('farcaster/transfer', transfer)
      expect(done.status).toBe(200)
      expect(done.body.linked_accounts).toMatchObject([{ type: 'farcaster', fid }, { type: 'email' }])
      expect(verdict(await client.post('farcaster/transfer', transfer))).toEqual(refused)
      expect((await page().enter(world, fid)).body.user.id).not.toBe(former.body.user.id)
    })
  })

  describe('inside the app of the person', () => {
    const v2 = (client: FarcasterClient, path: string, body: object = {}) =>
      client.request(`/api/v2/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: client.headers(),
      })

    test('a page gets a nonce, and the person is in', async () => {
      const client = page()
      const { body } = await v2(client, 'farcaster/init')
      expect(body).toEqual({
        nonce: expect.stringMatching(/^[\da-f]{24}$/),
        expires_at: new Date(world.clock.now + minutes(10)).toISOString(),
      })
      const signed = await forge(world, body.nonce, {
        fid: newFid(),
        change: (m) => ({ ...m, uri: `${site}/any/path` }),
      })
      const login = await v2(client, 'farcaster/authenticate', signed)
      expect([login.status, login.body.is_new_user]).toEqual([200, true])
      expect(verdict(await v2(client, 'farcaster/authenticate', signed))).toEqual(refused)
    })

    test('what is known of a person from their phone stays known', async () => {
      const fid = newFid()
      const before = await page().enter(world, fid)
      const { body } = await v2(page(), 'farcaster/init')
      const login = await v2(page(), 'farcaster/authenticate', await forge(world, body.nonce, { fid }))
      expect(login.body.user.linked_accounts).toEqual(before.body.user.linked_accounts)
    })

    test('a contract wallet that is not deployed yet may sign', async () => {
      const person = personOf(2_002)
      const { body } = await v2(page(), 'farcaster/init')
      const { message, signature, fid } = await forge(world, body.nonce, { fid: 2_002 })
      const wrapped = serializeErc6492Signature({
        address: person.custody,
        data: '0x',
        signature: signature as `0x${string}`,
      })
      const login = await v2(page(), 'farcaster/authenticate', { message, signature: wrapped, fid })
      expect(login.body.user.linked_accounts[0]).toMatchObject({ fid: 2_002, owner_address: person.custody })
    })

    test.each([
      ['a nonce that nobody was given', () => 'f'.repeat(24), {}, 0],
      ['a nonce that is over', (nonce: string) => nonce, {}, minutes(10)],
      ['another page', (nonce: string) => nonce, { origin: 'http://localhost:3999' }, 0],
    ])('%s is refused', async (_, nonceOf, options, later) => {
      const { body } = await v2(page(), 'farcaster/init')
      world.clock.pass(later)
      const signed = await forge(world, nonceOf(body.nonce))
      expect(verdict(await v2(page(options), 'farcaster/authenticate', signed))).toEqual(refused)
    })

    test('the nonce of a channel is no nonce of a page', async () => {
      const { nonce } = await waiting()
      expect(verdict(await v2(page(), 'farcaster/authenticate', await forge(world, nonce)))).toEqual(refused)
    })
  })
})
