import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { audit } from '../../../../demo/backend/audit/tables.ts'
import { createBackend } from '../../../../demo/backend/server.ts'
import { users } from '../../../../demo/backend/users/tables.ts'
import { limit } from '../../../support/limit.ts'
import { Client } from '../../support/client.ts'
import {
  type Asked,
  apps,
  asking,
  crossApp,
  crossAppWorld,
  evil,
  friend,
  hash,
  type Owner,
  pageless,
  readOnly,
  second,
  signature,
  transactUrl,
} from '../../support/cross-app-world.ts'
import { Vault } from '../../support/embedded-world.ts'
import {
  apiUrl,
  hours,
  minutes,
  newAddress,
  seconds,
  site,
  startWorld,
  stores,
  vaultOrigin,
  type World,
} from '../../support/world.ts'

for (const store of stores) {
  describe(`requests of other apps on ${store.name}`, () => {
    let world: World
    beforeAll(async () => {
      world = await startWorld(store, {
        apps,
        limits: { startsPerIpMinute: 10_000, startsPerIpHour: 10_000 },
      })
    })
    afterAll(() => world?.stop())

    const { owner, tokenFor, call, visit, addressOf, open, opened, answer, messageOf } = crossAppWorld(
      () => world,
    )

    test(
      'a request leads to the page of the app, whose user reviews it, and its result to the page that asks',
      async () => {
        const who = await owner()
        const begun = await open(who)
        expect(begun.status).toBe(303)
        expect(begun.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
        expect(begun.headers.get('referrer-policy')).toBe('no-referrer')
        const page = new URL(begun.headers.get('location') ?? '')
        expect(page.origin + page.pathname).toBe('https://friend.example/transact')
        expect(Object.fromEntries(page.searchParams)).toEqual({
          app: 'friend',
          client_id: asking,
          request_id: expect.stringMatching(/^[\w-]{43}$/),
        })
        const id = page.searchParams.get('request_id') ?? ''
        const view = {
          requester: {
            id: asking,
            name: 'Asking & Co',
            icon_url: 'https://asking.example/icon.png',
            origin: site,
          },
          method: 'personal_sign',
          params: ['Hello', who.address],
          expires_at: world.clock.now + minutes(2),
        }
        const named = { request_id: id, requester_app_id: asking }
        expect((await call(who.page, 'transact/review', named)).body).toEqual(view)
        const inVault = await who.vault.post('embedded_wallets/cross_app_requests/review', { request_id: id })
        expect(inVault.body).toEqual(view)

        const { status, body } = await answer(who.page, id)
        expect(status).toBe(200)
        const end = new URL(body.url)
        expect(end.origin + end.pathname).toBe(`${apiUrl}/oauth/transact/answer`)
        const last = await visit(end.pathname + end.search)
        expect(messageOf(last.text)).toEqual({
          origin: site,
          message: { type: 'PRIVY_CROSS_APP_ACTION_RESPONSE', result: signature },
        })
        expect(last.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
        const script = /<script>([\s\S]*)<\/script>/.exec(last.text)?.[1] ?? ''
        const digest = createHash('sha256').update(script).digest('base64')
        expect(last.headers.get('content-security-policy')).toContain(`script-src 'sha256-${digest}'`)
        expect(last.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
        expect((await visit(end.pathname + end.search)).status).toBe(400)
        const log = await world.backend.database
          .select({ details: audit.details })
          .from(audit)
          .where(eq(audit.action, 'cross-app-request'))
        expect(log).toContainEqual({
          details: { app: asking, method: 'personal_sign', outcome: 'approved' },
        })
      },
      limit(20_000),
    )

    test('typed data and transactions are taken, with results of their own kind', async () => {
      const who = await owner()
      const typed = { params: [who.address, '{"types":{}}'], method: 'eth_signTypedData_v4' }
      expect((await answer(who.page, await opened(who, typed))).status).toBe(200)
      const object = { ...typed, params: [who.address.toLowerCase(), { types: {} }] }
      expect((await answer(who.page, await opened(who, object))).status).toBe(200)
      const transaction = { method: 'eth_sendTransaction', params: [{ from: who.address, value: '0x1' }] }
      const id = await opened(who, transaction)
      expect((await answer(who.page, id)).body.code).toBe('invalid_data')
      expect((await answer(who.page, id, { result: hash })).status).toBe(200)
    })

    test('a rejected request says so; one that disconnects ends the token as well', async () => {
      const who = await owner()
      const end = async (more: object) => {
        const { body } = await answer(who.page, await opened(who), more)
        const { pathname, search } = new URL(body.url)
        world.clock.pass(1)
        return messageOf((await visit(pathname + search)).text).message
      }
      const type = 'PRIVY_CROSS_APP_ACTION_ERROR'
      expect(await end({ error: 'rejected' })).toEqual({ type, error: 'User rejected request' })
      expect(await end({ error: 'failed' })).toEqual({ type, error: 'Failed to complete signature request' })
      const other = await tokenFor(who.vault, second)
      expect(await end({ error: 'rejected', disconnect: true })).toEqual({
        type,
        error: 'User rejected request',
        token: { action: 'clear' },
      })
      expect(messageOf((await open(who)).text).message).toEqual({
        type,
        error: 'Transactions require a valid token',
        token: { action: 'clear' },
      })
      // Another app's token, and one of a later login, are untouched.
      const secondPage = { callbackUrl: 'https://second.example' }
      expect((await open(who, { token: other, ...secondPage })).status).toBe(303)
      world.clock.pass(seconds(1))
      expect((await open({ ...who, token: await tokenFor(who.vault, asking) })).status).toBe(303)
    })

    describe('0 of these attacks are accepted', () => {
      let who: Owner
      let other: Owner
      beforeAll(async () => {
        ;[who, other] = [await owner(), await owner()]
      })
      // Stored rows belong to the clock of one attack; the next has a time of its own.
      beforeEach(() => world.clock.pass(1))

      /** A token with the claims of a good one, signed by another key. */
      async function forged(header: object = {}, claims: object = {}) {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        return new SignJWT({ ...decodeJwt(who.token), ...claims })
          .setProtectedHeader({ alg: 'ES256', typ: 'cross-app+jwt', kid: kidOf(who.token), ...header })
          .sign(privateKey)
      }
      const kidOf = (token: string) =>
        JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string
      /** A good token with other claims. */
      function altered(claims: object): string {
        const [header, , mark] = who.token.split('.')
        const payload = Buffer.from(JSON.stringify({ ...decodeJwt(who.token), ...claims }))
        return [header, payload.toString('base64url'), mark].join('.')
      }
      const unsigned = () =>
        `${Buffer.from('{"alg":"none","typ":"cross-app+jwt"}').toString('base64url')}.${who.token.split('.')[1]}.`

      // Nothing is certain about the app that asks, so no page is told anything.
      const silent: Record<string, () => Asked | Promise<Asked>> = {
        'without a token': () => ({ token: '' }),
        'a token that is none': () => ({ token: 'x.y.z' }),
        'a token signed by another key': async () => ({ token: await forged() }),
        'a token without a signature': () => ({ token: unsigned() }),
        'a token that names another user': () => ({ token: altered({ sub: other.vault.userId }) }),
        'a token that names another requester': () => ({ token: altered({ azp: second }) }),
        'a token with a longer life': () => ({ token: altered({ exp: 4_000_000_000 }) }),
        'a token for another provider': () => ({ token: altered({ aud: readOnly }) }),
        'the access token of the user': () => ({ token: who.page.token ?? '' }),
        'the callback of another site': () => ({ callbackUrl: evil }),
        'the callback of another connected app': () => ({ callbackUrl: 'https://second.example' }),
        'a callback that only looks like the app’s': () => ({ callbackUrl: `${site}.evil.example` }),
        'a callback with the app’s origin as a user name': () => ({
          callbackUrl: 'http://localhost:3000@evil.example',
        }),
        'a callback on another port': () => ({ callbackUrl: 'http://localhost:3001' }),
        'a callback that is a script': () => ({ callbackUrl: `javascript://localhost:3000/%0Aalert(1)` }),
        'a callback without an origin': () => ({ callbackUrl: 'null' }),
        'any origin as the callback': () => ({ callbackUrl: '*' }),
        'a request that is no JSON': () => ({ request: '{' }),
        'a request with hidden keys': () => ({
          request: `{"__proto__":{},"content":{"request":{"request":{"method":"personal_sign","params":[]}}},"timestamp":1,"callbackUrl":"${site}"}`,
        }),
        'a request that is too long': () => ({ params: ['x'.repeat(12_288), who.address] }),
      }
      for (const [name, make] of Object.entries(silent))
        test(name, async () => {
          const refused = await open(who, await make())
          expect([refused.status, messageOf(refused.text).message, refused.headers.get('location')]).toEqual([
            ...[400, null, null],
          ])
        })

      // The app that asks is certain, and its own page is told.
      const told: Record<string, [make: () => Asked | Promise<Asked>, error: string]> = {
        'an unknown method': [() => ({ method: 'eth_sign' }), 'Failed to initialize signature request'],
        'a method that signs without sending': [
          () => ({ method: 'eth_signTransaction', params: [{ from: who.address }] }),
          'Failed to initialize signature request',
        ],
        'the export of a key': [() => ({ method: 'export' }), 'Failed to initialize signature request'],
        'parameters of another method': [
          () => ({ method: 'eth_sendTransaction' }),
          'Failed to initialize signature request',
        ],
        'a transaction of no wallet': [
          () => ({ method: 'eth_sendTransaction', params: [{ to: who.address }] }),
          'Failed to initialize signature request',
        ],
        'more parameters than the method has': [
          () => ({ params: ['Hello', who.address, who.address] }),
          'Failed to initialize signature request',
        ],
        'the wallet of another user': [
          () => ({ params: ['Hello', other.address] }),
          'Cannot request a signature with this wallet address',
        ],
        'a time two minutes ago': [
          () => ({ timestamp: world.clock.now - minutes(2) - 1 }),
          'Request timeout',
        ],
        'a time ahead': [() => ({ timestamp: world.clock.now + minutes(1) }), 'Request timeout'],
        'a time without end': [() => ({ timestamp: 1e300 }), 'Request timeout'],
      }
      for (const [name, [make, error]] of Object.entries(told))
        test(name, async () => {
          const refused = await open(who, await make())
          expect(refused.headers.get('location')).toBeNull()
          expect(messageOf(refused.text)).toEqual({
            origin: site,
            message: { type: 'PRIVY_CROSS_APP_ACTION_ERROR', error },
          })
        })

      test('the same token and request again', async () => {
        const address = addressOf(who)
        expect((await visit(address)).status).toBe(303)
        const again = await visit(address)
        expect([again.headers.get('location'), messageOf(again.text).message.error]).toEqual([
          ...[null, 'Failed to initialize signature request'],
        ])
      })

      test('the same token and request many times at once: one is opened', async () => {
        const address = addressOf(who)
        const all = await Promise.all(Array.from({ length: 8 }, () => visit(address)))
        expect(all.filter(({ status }) => status === 303)).toHaveLength(1)
      })

      test('a read-only provider, and one without a page for requests', async () => {
        for (const [appId, error] of [
          [readOnly, 'Cannot transact against a read-only provider app'],
          [pageless, 'Failed to initialize signature request'],
        ] as const) {
          const refused = await open(await owner(appId))
          expect([refused.headers.get('location'), messageOf(refused.text).message.error]).toEqual([
            ...[null, error],
          ])
        }
      })

      test('reading or answering a request without a login, as another user, or in another app', async () => {
        const id = await opened(who)
        const nobody = new Client(world, { appId: friend })
        const elsewhere = await Vault.open(world, { appId: readOnly })
        for (const [client, code] of [
          [nobody, 'missing_or_invalid_token'],
          [other.page, 'cross_app_wrong_user'],
          [elsewhere.page(), 'cross_app_request_over'],
        ] as const) {
          expect((await call(client, 'transact/review', { request_id: id })).body.code).toBe(code)
          expect((await answer(client, id)).body.code).toBe(code)
        }
        const byOther = await other.vault.post('embedded_wallets/cross_app_requests/review', {
          request_id: id,
        })
        expect(byOther.body.code).toBe('cross_app_wrong_user')
        expect((await answer(who.page, id)).status).toBe(200)
      })

      test('the vault’s review from a page, or without the proof of an enrolled device', async () => {
        const path = 'embedded_wallets/cross_app_requests/review'
        const id = await opened(who)
        expect((await who.page.post(path, { request_id: id })).body.code).toBe('invalid_origin')
        const stolen = who.vault.elsewhere()
        expect((await stolen.post(path, { request_id: id })).body.code).toBe('device_not_enrolled')
      })

      test('an id that was guessed, or that stands for another requester', async () => {
        const id = await opened(who)
        const guessed = randomBytes(32).toString('base64url')
        expect((await answer(who.page, guessed)).body.code).toBe('cross_app_request_over')
        for (const bad of ['', '%', 'x'.repeat(44)])
          expect((await answer(who.page, bad)).body.code).toBe('invalid_data')
        const renamed = await answer(who.page, id, { result: signature, requester_app_id: second })
        expect(renamed.body.code).toBe('cross_app_request_over')
      })

      test('answering twice, or after two minutes', async () => {
        const id = await opened(who)
        expect((await answer(who.page, id)).status).toBe(200)
        expect((await answer(who.page, id)).body.code).toBe('cross_app_request_over')
        world.clock.pass(1)
        const late = await opened(who)
        world.clock.pass(minutes(2) + 1)
        expect((await answer(who.page, late)).body.code).toBe('cross_app_request_over')
        // A request that waited on its way has less time.
        const slow = await opened(who, { timestamp: world.clock.now - seconds(100) })
        world.clock.pass(seconds(21))
        expect((await answer(who.page, slow)).body.code).toBe('cross_app_request_over')
      })

      test('a result that is none, or that is no result of the method', async () => {
        const id = await opened(who)
        for (const more of [
          {},
          { result: '' },
          { result: hash },
          { result: '0x' },
          { result: '<script>alert(1)</script>' },
          { result: `0x${'ab'.repeat(5_000)}` },
          { result: signature, error: 'rejected' },
          { result: signature, disconnect: true },
          { error: 'anything' },
        ])
          expect([more, (await answer(who.page, id, more)).body.code]).toEqual([more, 'invalid_data'])
      })

      test('an answer’s address that was guessed, or a minute old', async () => {
        expect((await visit('/oauth/transact/answer?code=guess')).status).toBe(400)
        expect((await visit('/oauth/transact/answer')).status).toBe(400)
        const { url } = (await answer(who.page, await opened(who))).body
        world.clock.pass(minutes(1) + 1)
        expect((await visit(`/oauth/transact/answer${new URL(url).search}`)).status).toBe(400)
      })

      test('an expired token: the app drops it', async () => {
        const mine = await owner()
        world.clock.pass(hours(1))
        const refused = await open(mine)
        expect([refused.headers.get('location'), messageOf(refused.text)]).toEqual([
          null,
          {
            origin: site,
            message: {
              type: 'PRIVY_CROSS_APP_ACTION_ERROR',
              error: 'Transactions require a valid token',
              token: { action: 'clear' },
            },
          },
        ])
      })

      test('a frozen user, also once the freeze is over', async () => {
        const mine = await owner()
        const id = await opened(mine)
        const { database } = world.backend
        await database.update(users).set({ frozenAt: world.clock.now }).where(eq(users.id, mine.vault.userId))
        world.clock.pass(1)
        expect(messageOf((await open(mine)).text).message.error).toBe('Transactions require a valid token')
        expect((await call(mine.page, 'transact/review', { request_id: id })).body.code).toBe(
          'account_frozen',
        )
        expect((await answer(mine.page, id)).body.code).toBe('account_frozen')
      })

      test('a token from before a freeze by the link of a notice', async () => {
        const mine = await owner()
        const { address } = (await mine.page.get('users/me')).body.user.linked_accounts[0]
        const other = newAddress()
        const code = await mine.page.codeFor(other)
        const update = { oldAddress: address, newAddress: other, code }
        await mine.vault.approved(mine.page.post('passwordless/update', update))
        const linkIn = () =>
          world.mailbox
            .messages()
            .filter(({ to }) => to === address)
            .map(({ body }) => /\/freeze\/[\w-]{22}/.exec(body)?.[0])
            .find((found) => found !== undefined)
        await expect.poll(linkIn).toBeDefined()
        const link = linkIn() ?? ''
        const frozen = await new Client(world).request(link, { method: 'POST', headers: {} })
        expect(frozen.status).toBe(200)
        const { database } = world.backend
        await database.update(users).set({ frozenAt: null }).where(eq(users.id, mine.vault.userId))
        world.clock.pass(1)
        expect(messageOf((await open(mine)).text).message).toMatchObject({ token: { action: 'clear' } })
      })

      test('a user who was removed', async () => {
        const mine = await owner()
        const { database } = world.backend
        await database
          .update(users)
          .set({ removedAt: world.clock.now })
          .where(eq(users.id, mine.vault.userId))
        world.clock.pass(1)
        expect(messageOf((await open(mine)).text).message.error).toBe('Transactions require a valid token')
      })
    })

    test('names and origins come out of the answer page as text', async () => {
      const who = await owner()
      const { url } = (await answer(who.page, await opened(who), { error: 'rejected' })).body
      const { pathname, search } = new URL(url)
      const { text } = await visit(pathname + search)
      expect(text).toContain('&quot;type&quot;')
      expect(text.match(/<script>/g)).toHaveLength(1)
    })

    test('pages of an app can read the routes; a page of no app can not', async () => {
      const who = await owner()
      const id = await opened(who)
      const outside = new Client(world, { appId: friend, origin: evil })
      outside.token = who.page.token
      expect((await answer(outside, id)).body.code).toBe('invalid_origin')
    })

    // Last, because it starts the server anew.
    test(
      'an app that is no longer connected is refused, with a good token and an open request',
      async () => {
        const who = await owner()
        const id = await opened(who)
        await world.backend.close()
        const { dataDir, databaseUrl, mailbox, clock } = world
        const lost = { ...crossApp, transactUrl, requesters: [second] }
        const backend = await createBackend({
          dataDir,
          ...(databaseUrl && { databaseUrl }),
          apiUrl,
          vaultOrigin,
          apps: apps
            .filter(({ id }) => id === asking || id === friend)
            .map((app) => ({ ...app, ...(app.id === friend && { crossApp: lost }) })),
          smtpUrl: mailbox.smtp.url,
          vaultFiles: dataDir,
          clock: () => clock.now,
        })
        const stop = async () => {
          await backend.close()
          await world.cleanUp()
        }
        Object.assign(who.page, { world: { backend, mailbox } })
        world = { ...world, backend, stop }
        world.clock.pass(1)
        const refused = await open(who)
        expect([refused.status, messageOf(refused.text).message]).toEqual([400, null])
        expect((await answer(who.page, id)).body.code).toBe('cross_app_request_over')
      },
      limit(30_000),
    )
  })
}
