import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { crowd } from '../../../support/soak.ts'
import {
  newName,
  OAuthClient,
  type OAuthWorld,
  oauthApp,
  random,
  s256,
  startOAuthWorld,
} from '../../support/oauth-world.ts'
import { ProviderBrowser } from '../../support/provider-browser.ts'
import { minutes, seconds, stores } from '../../support/world.ts'

const otherApp = 'latchkey-test-oauth-other'

for (const store of stores) {
  describe(`forged and replayed OAuth on ${store.name}`, () => {
    let world: OAuthWorld
    beforeAll(async () => {
      world = await startOAuthWorld(store, (providers) => [oauthApp(providers, { id: otherApp })])
    })
    afterAll(() => world?.stop())
    beforeEach(() => {
      world.clock.now = Date.now()
    })
    const codes = (answers: { status: number; body: { code?: string } }[]) =>
      new Set(answers.map(({ status, body }) => `${status} ${body?.code ?? ''}`))

    /** A login up to the code that the client holds. */
    async function ready(provider = 'google', login = newName()) {
      const client = new OAuthClient(world)
      const begun = await client.begin(provider)
      return { client, begun, back: await client.walk(begun, login) }
    }

    test('a code counts with its own state only', async () => {
      for (const [state, status, code] of [
        ['', 401, 'invalid_credentials'],
        [random(), 400, 'oauth_state_mismatch'],
        [undefined, 401, 'invalid_credentials'],
      ] as const) {
        const { client, begun, back } = await ready()
        const refused = await client.authenticate(begun, back, { state_code: state })
        expect([state, refused.status, refused.body.code]).toEqual([state, status, code])
      }
      const one = await ready()
      const other = await ready()
      const swapped = await one.client.authenticate({ ...one.begun, state: other.begun.state }, one.back)
      expect(swapped.body.code).toBe('oauth_state_mismatch')
      // Used up by that, even by a stranger.
      expect((await one.client.authenticate(one.begun, one.back)).status).toBe(401)
    })

    test('a code counts with its own verifier only', async () => {
      for (const make of [
        () => random(),
        (own: string) => s256(own),
        (own: string) => own.slice(0, 42),
        (own: string) => own.slice(0, -1),
        (own: string) => `${own}A`,
        () => '',
        () => undefined,
        () => 'x'.repeat(129),
      ]) {
        const { client, begun, back } = await ready()
        const refused = await client.authenticate(begun, back, { code_verifier: make(begun.verifier) })
        expect([make.toString(), refused.status, refused.body.code]).toEqual([
          make.toString(),
          400,
          'invalid_pkce_parameters',
        ])
      }
      const one = await ready()
      const other = await ready()
      const swapped = await one.client.authenticate(
        { ...one.begun, verifier: other.begun.verifier },
        one.back,
      )
      expect(swapped.body.code).toBe('invalid_pkce_parameters')
    })

    test('nothing begins without a challenge of S256', async () => {
      const client = new OAuthClient(world)
      for (const more of [
        { code_challenge: undefined },
        { code_challenge: null },
        { code_challenge: '' },
        { code_challenge: random() },
        { code_challenge: 'x'.repeat(42) },
        { code_challenge: `${'x'.repeat(42)}=` },
        { code_challenge_method: 'plain' },
        { code_challenge_method: 's256' },
      ]) {
        const refused = await client.init('google', more)
        expect([more, refused.status, refused.body.code]).toEqual([more, 400, 'invalid_pkce_parameters'])
      }
      const { begun, back } = await ready()
      const plain = await new OAuthClient(world).authenticate(
        { ...begun, verifier: s256(begun.verifier) },
        back,
      )
      expect(plain.body.code).toBe('invalid_pkce_parameters')
    })

    test('what is no code opens nothing', async () => {
      const { client, begun } = await ready()
      for (const code of ['undefined', 'error', 'null', '', random(), begun.state, 'x'.repeat(5_000)]) {
        const refused = await client.authenticate(begun, { code })
        expect([code, refused.status, refused.body.code]).toEqual([code, 401, 'invalid_credentials'])
      }
      const raw = await client.authenticate(begun, { code: random() }, { code_type: 'raw' })
      expect([raw.status, raw.body.code]).toEqual([400, 'not_supported'])
    })

    test('a code of another app, or said to be another provider’s, opens nothing', async () => {
      const { begun, back } = await ready()
      const foreign = await new OAuthClient(world, { appId: otherApp }).authenticate(begun, back)
      expect([foreign.status, foreign.body.code]).toEqual([401, 'invalid_credentials'])
      const { client, ...login } = await ready()
      const mixed = await client.authenticate(login.begun, login.back, { provider: 'discord' })
      expect([mixed.status, mixed.body.code]).toEqual([401, 'invalid_credentials'])
      const right = await ready('discord')
      expect((await right.client.authenticate(right.begun, right.back, { provider: 'discord' })).status).toBe(
        200,
      )
    })

    test('a code is good for a minute, and once', async () => {
      const early = await ready()
      world.clock.pass(seconds(59))
      expect((await early.client.authenticate(early.begun, early.back)).status).toBe(200)
      const late = await ready()
      world.clock.pass(seconds(61))
      const refused = await late.client.authenticate(late.begun, late.back)
      expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
    })

    test('a second use ends the session that the first one opened', async () => {
      const { client, begun, back } = await ready()
      const first = await client.authenticate(begun, back)
      client.token = first.body.token
      expect((await client.get('users/me')).status).toBe(200)
      const second = await new OAuthClient(world).authenticate({ ...begun, verifier: random() }, back)
      expect([second.status, second.body.code]).toEqual([401, 'invalid_credentials'])
      expect((await client.get('users/me')).status).toBe(401)
      expect((await client.post('sessions', { refresh_token: first.body.refresh_token })).status).toBe(401)
    })

    test('a repetition with the same idempotency key gets the same answer and ends nothing', async () => {
      const { client, begun, back } = await ready()
      const body = {
        authorization_code: back.code,
        state_code: begun.state,
        code_verifier: begun.verifier,
      }
      const key = { 'idempotency-key': random() }
      const first = await client.post('oauth/authenticate', body, key)
      const again = await client.post('oauth/authenticate', body, key)
      expect([again.status, again.text]).toEqual([200, first.text])
      client.token = first.body.token
      expect((await client.get('users/me')).status).toBe(200)
    })

    test(`${crowd} parallel uses of one code: one wins`, async () => {
      const { client, begun, back } = await ready()
      const answers = await Promise.all(Array.from({ length: crowd }, () => client.authenticate(begun, back)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(codes(answers.filter(({ status }) => status !== 200))).toEqual(
        new Set(['401 invalid_credentials']),
      )
    })

    test(`${crowd} parallel returns with one provider state: one is listened to`, async () => {
      const client = new OAuthClient(world)
      const begun = await client.begin('github')
      const returned = await new ProviderBrowser().visit(begun.url, newName())
      const answers = await Promise.all(Array.from({ length: crowd }, () => client.comeBack(returned)))
      const heard = answers.filter(({ to }) => to !== undefined)
      expect(heard).toHaveLength(1)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 400]))
      expect((await client.authenticate(begun, heard[0] ?? { code: '' })).status).toBe(200)
    })

    test('a return without a state that waits for it goes nowhere', async () => {
      const client = new OAuthClient(world)
      const begun = await client.begin('google')
      const returned = await new ProviderBrowser().visit(begun.url, newName())
      const asked: string[] = []
      const withFields = (change: (fields: URLSearchParams) => void) => {
        const url = new URL(returned.url)
        change(url.searchParams)
        return { ...returned, url: url.href }
      }
      for (const change of [
        (fields: URLSearchParams) => fields.delete('state'),
        (fields: URLSearchParams) => fields.set('state', ''),
        (fields: URLSearchParams) => fields.set('state', random()),
        (fields: URLSearchParams) => fields.set('state', begun.state),
        (fields: URLSearchParams) => fields.append('state', random()),
      ]) {
        const lost = await client.comeBack(withFields(change))
        expect([change.toString(), lost.status, lost.to]).toEqual([change.toString(), 400, undefined])
        expect(lost.text).toContain('This login is over')
        asked.push(lost.text)
      }
      expect(new Set(asked).size).toBe(1)
      world.clock.pass(minutes(10) + 1)
      expect((await client.comeBack(returned)).status).toBe(400)
      world.clock.pass(-minutes(10))
      expect((await client.comeBack(returned)).status).toBe(303)
      expect((await client.comeBack(returned)).status).toBe(400)
    })

    test('a code of one provider with the state of another opens nothing', async () => {
      const client = new OAuthClient(world)
      for (const [from, into] of [
        ['google', 'discord'],
        ['discord', 'google'],
        ['github', 'instagram'],
        ['apple', 'linkedin'],
      ] as const) {
        const login = newName()
        const stolen = await new ProviderBrowser().visit((await client.begin(from)).url, login)
        const begun = await client.begin(into)
        const own = new URL(begun.url).searchParams.get('state') ?? ''
        for (const iss of [true, false]) {
          const fields = new URLSearchParams(stolen.fields)
          fields.set('state', own)
          if (!iss) fields.delete('iss')
          const back = await client.comeBack({
            method: 'GET',
            url: `http://localhost:4801/api/v1/oauth/callback?${fields}`,
            fields,
          })
          if (back.status === 400) continue
          expect([from, into, back.code, back.provider]).toEqual([from, into, 'error', into])
          const refused = await client.authenticate(begun, back)
          expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
        }
      }
    })

    test('an answer that names another sender is not even taken to the provider', async () => {
      const client = new OAuthClient(world)
      for (const iss of [
        world.providers.endpoints.google.issuer,
        'https://evil.example',
        '',
        `x${'/'.repeat(99)}`,
      ]) {
        const begun = await client.begin('discord')
        const returned = await new ProviderBrowser().visit(begun.url, newName())
        const url = new URL(returned.url)
        url.searchParams.set('iss', iss)
        const back = await client.comeBack({ ...returned, url: url.href })
        expect([iss, back.code]).toEqual([iss, 'error'])
      }
      expect(world.logged.filter((line) => line.includes('wrong sender')).length).toBeGreaterThanOrEqual(4)
    })

    test('the provider is sent no secret, and what it is sent is of this login alone', async () => {
      const client = new OAuthClient(world)
      const seen = new Set<string>()
      for (const provider of ['google', 'google', 'twitter', 'apple']) {
        const begun = await client.begin(provider)
        const query = new URL(begun.url).searchParams
        expect(begun.url).not.toContain(begun.verifier)
        expect(begun.url).not.toContain(begun.state)
        expect(query.get('state')).toMatch(/^[\w-]{48}$/)
        for (const name of ['state', 'nonce', 'code_challenge']) {
          const value = query.get(name)
          if (value === null) continue
          expect(seen).not.toContain(value)
          seen.add(value)
        }
      }
    })
  })
}
