import { eq } from 'drizzle-orm'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../../../demo/backend/users/tables.ts'
import { Client } from '../../support/client.ts'
import { Vault } from '../../support/embedded-world.ts'
import { callback, OAuthClient, random, s256 } from '../../support/oauth-world.ts'
import {
  apiUrl,
  minutes,
  newAddress,
  seconds,
  site,
  startWorld,
  stores,
  type World,
} from '../../support/world.ts'

const asking = 'latchkey-test-cross-askin'
const stranger = 'latchkey-test-cross-stran'
const friend = 'latchkey-test-cross-frien'
const readOnly = 'latchkey-test-cross-reado'
const connect = 'https://friend.example/connect?app=friend'
const common = { allowedDomains: [site], redirectUrls: [`${site}/*`], methods: ['email' as const] }

for (const store of stores) {
  describe(`login with another app's account on ${store.name}`, () => {
    let world: World
    beforeAll(async () => {
      world = await startWorld(store, {
        apps: [
          { ...common, id: asking, name: 'Asking' },
          { ...common, id: stranger, name: 'Stranger' },
          {
            ...common,
            id: friend,
            name: 'Friend',
            iconUrl: 'https://friend.example/icon.png',
            crossApp: { authorizeUrl: connect, requesters: [asking] },
          },
          {
            ...common,
            id: readOnly,
            name: 'Read Only',
            crossApp: { authorizeUrl: 'https://ro.example/c', requesters: [asking], readOnly: true },
          },
        ],
      })
    })
    afterAll(() => world?.stop())

    const place = `privy:${friend}`
    const asker = () => new OAuthClient(world, { appId: asking })
    /** Somebody who is logged in at the provider app. */
    async function user() {
      const client = new Client(world, { appId: friend })
      const { body } = await client.login(newAddress())
      return { client, id: body.user.id as string }
    }
    /** What the provider's page is asked, from its own address. */
    function question(url: string) {
      const query = new URL(url).searchParams
      return {
        redirect_to: query.get('redirect_uri') ?? '',
        state: query.get('state') ?? '',
        code_challenge: query.get('code_challenge') ?? '',
        requester_app_id: query.get('client_id'),
      }
    }
    const follow = (client: OAuthClient, url: string) =>
      client.comeBack({ method: 'GET', url, fields: new URL(url).searchParams })

    /** A login up to the code that the asking app holds. */
    async function ready() {
      const client = asker()
      const owner = await user()
      const begun = await client.begin(place)
      const allowed = await owner.client.request('/oauth/authorization_code', {
        method: 'POST',
        headers: owner.client.headers(),
        body: JSON.stringify(question(begun.url)),
      })
      expect(allowed.status).toBe(200)
      return { client, owner, begun, url: allowed.body.url as string }
    }
    const allow = (client: Client, body: object) =>
      client.request('/oauth/authorization_code', {
        method: 'POST',
        headers: client.headers(),
        body: JSON.stringify(body),
      })

    test('an app sees who takes its people, and only those', async () => {
      const client = asker()
      const connections = await client.get(`apps/${asking}/cross-app/connections`)
      expect(connections.body).toEqual({
        connections: [
          {
            provider_app_id: friend,
            provider_app_name: 'Friend',
            provider_app_icon_url: 'https://friend.example/icon.png',
            provider_app_custom_api_url: null,
            read_only: false,
          },
          {
            provider_app_id: readOnly,
            provider_app_name: 'Read Only',
            provider_app_icon_url: null,
            provider_app_custom_api_url: null,
            read_only: true,
          },
        ],
      })
      expect((await client.get(`apps/${stranger}/cross-app/connections`)).body).toEqual({ connections: [] })
      expect((await client.get(`apps/${friend}/cross-app/details`)).body).toEqual({
        name: 'Friend',
        icon_url: 'https://friend.example/icon.png',
      })
    })

    test('the page of the provider app gets the question, and what identifies it', async () => {
      const begun = await asker().begin(place)
      expect(begun.url.startsWith(`${connect}&`)).toBe(true)
      expect(Object.fromEntries(new URL(begun.url).searchParams)).toEqual({
        app: 'friend',
        response_type: 'code',
        client_id: asking,
        redirect_uri: callback,
        state: expect.stringMatching(/^[\w-]{48}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
      expect(begun.url).not.toContain(begun.state)
    })

    test('the user’s yes logs in, the same person each time, with a token for the provider', async () => {
      const { client, owner, begun, url } = await ready()
      const back = await follow(client, url)
      expect([back.status, back.provider, back.state]).toEqual([303, place, begun.state])
      const login = await client.authenticate(begun, back, { provider: place })
      expect([login.status, login.body.is_new_user]).toEqual([200, true])
      expect(login.body.user.linked_accounts).toEqual([
        expect.objectContaining({
          type: 'cross_app',
          subject: owner.id,
          provider_app_id: friend,
          embedded_wallets: [],
          smart_wallets: [],
        }),
      ])
      expect(login.body.user.id).not.toBe(owner.id)

      const { access_token, ...tokens } = login.body.oauth_tokens
      expect(tokens).toEqual({ provider: place, access_token_expires_in_seconds: 3_600 })
      const keys = createLocalJWKSet((await client.get(`apps/${friend}/jwks.json`)).body)
      const { payload } = await jwtVerify(access_token, keys, {
        issuer: apiUrl,
        audience: friend,
        currentDate: new Date(world.clock.now),
      })
      expect(payload).toMatchObject({ sub: owner.id, azp: asking, exp: (payload.iat ?? 0) + 3_600 })
      for (const appId of [friend, asking]) {
        const thief = new Client(world, { appId })
        thief.token = access_token
        expect([appId, (await thief.get('users/me')).status]).toEqual([appId, 401])
      }

      const second = await client.begin(place)
      const yes = await allow(owner.client, question(second.url))
      const again = await client.authenticate(second, await follow(client, yes.body.url), { provider: place })
      expect([again.body.user.id, again.body.is_new_user]).toEqual([login.body.user.id, false])
    })

    test('it can be linked, and unlinked, beside another account', async () => {
      const { client, owner, begun, url } = await ready()
      await client.login(newAddress())
      const linked = await client.post('oauth/link', {
        authorization_code: (await follow(client, url)).code,
        state_code: begun.state,
        code_verifier: begun.verifier,
        provider: place,
      })
      expect([linked.status, linked.body.linked_accounts.length]).toEqual([200, 2])
      expect(linked.body.oauth_tokens.access_token).toEqual(expect.any(String))
      const unlinked = await client.post('oauth/unlink', { provider: place, subject: owner.id })
      expect(unlinked.body.linked_accounts).toHaveLength(1)
    })

    test('an account that belongs to somebody else is not handed over', async () => {
      const first = await ready()
      await first.client.authenticate(first.begun, await follow(first.client, first.url), { provider: place })
      const other = asker()
      await other.login(newAddress())
      const begun = await other.begin(place)
      const yes = await allow(first.owner.client, question(begun.url))
      const refused = await other.post('oauth/link', {
        authorization_code: (await follow(other, yes.body.url)).code,
        state_code: begun.state,
        code_verifier: begun.verifier,
        provider: place,
      })
      expect([refused.status, refused.body.code]).toEqual([400, 'linked_to_another_user'])
    })

    test('apps that are not connected, not there or no providers are refused', async () => {
      for (const [appId, provider] of [
        [stranger, place],
        [friend, place],
        [asking, `privy:${stranger}`],
        [asking, `privy:${asking}`],
        [asking, 'privy:nobody'],
        [asking, 'privy:'],
      ] as const) {
        const refused = await new OAuthClient(world, { appId }).init(provider)
        expect([appId, provider, refused.status, refused.body.code]).toEqual([
          ...[appId, provider, 403, 'cross_app_connection_not_allowed'],
        ])
      }
    })

    test('the user’s no comes back as the text undefined', async () => {
      const client = asker()
      const begun = await client.begin(place)
      const { state } = question(begun.url)
      const back = await follow(client, `${callback}?error=access_denied&state=${state}`)
      expect([back.code, back.provider]).toEqual(['undefined', place])
    })

    test('nobody says yes without a login at the provider app, or to another question', async () => {
      const begun = await asker().begin(place)
      const asked = question(begun.url)
      const nobody = await allow(new Client(world, { appId: friend }), asked)
      expect([nobody.status, nobody.body.code]).toEqual([401, 'missing_or_invalid_token'])
      const foreign = new Client(world, { appId: readOnly })
      await foreign.login(newAddress())
      expect((await allow(foreign, asked)).body.code).toBe('oauth_state_mismatch')

      const { client } = await user()
      for (const change of [
        { state: random() },
        { state: begun.state },
        { code_challenge: s256(random()) },
        { redirect_to: `${callback}/` },
        { redirect_to: 'https://evil.example/api/v1/oauth/callback' },
        { requester_app_id: stranger },
      ]) {
        const refused = await allow(client, { ...asked, ...change })
        expect([change, refused.status, refused.body.code]).toEqual([change, 400, 'oauth_state_mismatch'])
      }
      expect((await allow(client, asked)).status).toBe(200)
      world.clock.pass(minutes(10) + 1)
      expect((await allow(client, asked)).body.code).toBe('oauth_state_mismatch')
    })

    describe('of a user with a wallet', () => {
      /** The vault and the page of somebody with a wallet at the provider app. */
      async function owner() {
        const vault = await Vault.open(world, { appId: friend })
        await vault.create()
        return { vault, page: vault.page() }
      }

      test('a page’s token grants no login: the device approves it, and the same call is answered then', async () => {
        const { vault, page } = await owner()
        const client = asker()
        const begun = await client.begin(place)
        const asked = question(begun.url)
        const refused = await allow(page, asked)
        expect([refused.status, refused.body.code, refused.body.data.action, refused.body.url]).toEqual([
          ...[403, 'approval_required', 'grant', undefined],
        ])
        // Asking again changes nothing.
        expect((await allow(page, asked)).status).toBe(403)
        const { change } = refused.body.data
        const review = await vault.post(`users/me/changes/${change}/review`)
        expect(review.body).toMatchObject({
          action: 'grant',
          account: null,
          requester: { id: asking, name: 'Asking' },
        })
        expect((await vault.approveChange(change)).status).toBe(200)
        const yes = await allow(page, asked)
        expect(yes.status).toBe(200)
        const back = await follow(client, yes.body.url)
        const login = await client.authenticate(begun, back, { provider: place })
        expect(login.body.user.linked_accounts).toMatchObject([{ type: 'cross_app', subject: vault.userId }])
      })

      test('an approval without its statement, or of another change, grants nothing', async () => {
        const { vault, page } = await owner()
        const asked = question((await asker().begin(place)).url)
        const { change } = (await allow(page, asked)).body.data
        const other = (await allow(page, asked)).body.data.change
        const { body } = await vault.post(`users/me/changes/${change}/review`)
        const statements = [
          vault.changeStatement(other, body),
          vault.changeStatement(change, { ...body, requester: { id: stranger, name: 'Stranger' } }),
          vault.changeStatement(change, { ...body, action: 'link' }),
        ]
        for (const statement of statements) {
          const answer = await vault.unshown(`users/me/changes/${change}/approve`, {}, statement)
          expect([answer.status, answer.body.code]).toEqual([403, 'approval_required'])
        }
        expect((await vault.unshown(`users/me/changes/${change}/approve`, {})).status).toBe(403)
        expect((await allow(page, asked)).status).toBe(403)
      })

      test('an approved login is for the one that asked, in that session, for ten minutes', async () => {
        const { vault, page } = await owner()
        const asked = question((await asker().begin(place)).url)
        const { change } = (await allow(page, asked)).body.data
        expect((await vault.approveChange(change)).status).toBe(200)
        const another = question((await asker().begin(place)).url)
        expect((await allow(page, another)).status).toBe(403)
        const { address } = (await page.get('users/me')).body.user.linked_accounts[0]
        const elsewhere = new Client(world, { appId: friend })
        await elsewhere.login(address)
        expect((await allow(elsewhere, asked)).status).toBe(403)
        expect((await allow(page, asked)).status).toBe(200)
        world.clock.pass(minutes(10) + 1)
        expect((await allow(page, asked)).status).not.toBe(200)
      })

      test('a rejected login, and one of a frozen account, are not granted', async () => {
        const { vault, page } = await owner()
        const asked = question((await asker().begin(place)).url)
        const { change } = (await allow(page, asked)).body.data
        expect((await vault.post(`users/me/changes/${change}/reject`)).status).toBe(200)
        expect((await vault.approveChange(change)).status).toBe(404)
        expect((await allow(page, asked)).status).toBe(403)
        const now = world.clock.now
        await world.backend.database.update(users).set({ frozenAt: now }).where(eq(users.id, vault.userId))
        expect((await allow(page, asked)).body.code).toBe('account_frozen')
      })
    })

    test('a yes is good once, for a minute, and for the login that asked', async () => {
      const late = await ready()
      world.clock.pass(seconds(61))
      expect((await follow(late.client, late.url)).code).toBe('error')

      const one = await ready()
      const other = await ready()
      const mixed = new URL(one.url)
      mixed.searchParams.set('state', new URL(other.url).searchParams.get('state') ?? '')
      expect((await follow(one.client, mixed.href)).code).toBe('error')

      const { client, url } = await ready()
      const answers = await Promise.all(Array.from({ length: 50 }, () => follow(client, url)))
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    })

    test('the client must say that it wants that app', async () => {
      for (const more of [{}, { provider: 'google' }, { provider: `privy:${readOnly}` }]) {
        const { client, begun, url } = await ready()
        const refused = await client.authenticate(begun, await follow(client, url), more)
        expect([more, refused.status, refused.body.code]).toEqual([more, 401, 'invalid_credentials'])
      }
    })
  })
}
