import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { personOf } from '../../../../demo/world/oauth/people.ts'
import { eachOf, soak } from '../../../support/soak.ts'
import {
  all,
  newName,
  OAuthClient,
  type OAuthWorld,
  random,
  s256,
  startOAuthWorld,
} from '../../support/oauth-world.ts'
import { site, stores } from '../../support/world.ts'

for (const store of stores) {
  describe(`login with OAuth on ${store.name}`, () => {
    let world: OAuthWorld
    beforeAll(async () => {
      world = await startOAuthWorld(store)
    })
    afterAll(() => world?.stop())
    beforeEach(() => {
      world.clock.now = Date.now()
    })
    const verified = () => ({
      verified_at: Math.floor(world.clock.now / 1_000),
      first_verified_at: expect.any(Number),
      latest_verified_at: Math.floor(world.clock.now / 1_000),
    })

    /** What each provider makes of an account, in the words of docs/protocol.md. */
    const shapes: Record<(typeof all)[number], (login: string) => object> = {
      google: (login) => {
        const { id: subject, name, email } = personOf('google', login)
        return { type: 'google_oauth', subject, email, name }
      },
      discord: (login) => {
        const { id: subject, username, email } = personOf('discord', login)
        return { type: 'discord_oauth', subject, username, email }
      },
      github: (login) => {
        const { id: subject, username, name, email } = personOf('github', login)
        return { type: 'github_oauth', subject, username, name, email }
      },
      linkedin: (login) => {
        const { id: subject, name, email } = personOf('linkedin', login)
        return { type: 'linkedin_oauth', subject, name, email }
      },
      twitter: (login) => {
        const { id: subject, username, name, picture } = personOf('twitter', login)
        return { type: 'twitter_oauth', subject, username, name, profile_picture_url: picture }
      },
      spotify: (login) => {
        const { id: subject, name } = personOf('spotify', login)
        return { type: 'spotify_oauth', subject, email: null, name }
      },
      instagram: (login) => {
        const { id: subject, username } = personOf('instagram', login)
        return { type: 'instagram_oauth', subject, username }
      },
      tiktok: (login) => {
        const { id, username, name } = personOf('tiktok', login)
        return { type: 'tiktok_oauth', subject: `-000${id}`, username, name }
      },
      apple: (login) => {
        const { id, email } = personOf('apple', login)
        return { type: 'apple_oauth', subject: `000123.${id}.0456`, email }
      },
    }

    test.each(eachOf(all, soak(4, 1)))(
      '%s logs in somebody new, and the same person again',
      async (provider) => {
        const login = newName()
        const client = new OAuthClient(world)
        const begun = await client.begin(provider)
        const back = await client.walk(begun, login)
        expect([back.status, back.state, back.provider]).toEqual([303, begun.state, provider])
        expect(back.code).toMatch(/^[\w-]{48}$/)
        const answer = await client.authenticate(begun, back)
        expect(answer.status).toBe(200)
        expect(answer.body).toMatchObject({ is_new_user: true, session_update_action: 'set' })
        expect(answer.body.user.linked_accounts).toEqual([{ ...shapes[provider](login), ...verified() }])
        expect(answer.body.oauth_tokens).toBeUndefined()

        const again = await new OAuthClient(world).logInWith(provider, login, { mode: 'no-signup' })
        expect([again.status, again.body.user.id, again.body.is_new_user]).toEqual([
          200,
          answer.body.user.id,
          false,
        ])
        const other = await new OAuthClient(world).logInWith(provider, newName())
        expect(other.body.user.id).not.toBe(answer.body.user.id)
      },
    )

    test('the same name at two providers is two people, verified address or not', async () => {
      const login = newName()
      const ids = new Set<string>()
      for (const provider of ['google', 'discord', 'github'])
        ids.add((await new OAuthClient(world).logInWith(provider, login)).body.user.id)
      expect(ids.size).toBe(3)
      const address = personOf('google', login).email
      const byMail = await new OAuthClient(world).login(address)
      expect(ids).not.toContain(byMail.body.user.id)
    })

    test.each(['google', 'discord', 'github', 'linkedin', 'apple'])(
      'an address that %s has not verified counts as none',
      async (provider) => {
        const answer = await new OAuthClient(world).logInWith(provider, newName('unverified'))
        expect(answer.status).toBe(200)
        const [account] = answer.body.user.linked_accounts
        expect(account.email || null).toBeNull()
        expect(answer.text).not.toContain('@example.com')
      },
    )

    test.each(eachOf(all, soak(4, 1)))('%s: a denial comes back as the text undefined', async (provider) => {
      const client = new OAuthClient(world)
      const begun = await client.begin(provider)
      const back = await client.walk(begun, null)
      expect([back.status, back.code, back.state, back.provider]).toEqual([
        303,
        'undefined',
        begun.state,
        provider,
      ])
      const refused = await client.authenticate(begun, back)
      expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
    })

    test.each(eachOf(all, soak(4, 1)))(
      '%s: a suspended account and the provider’s limit are reported as such',
      async (provider) => {
        const client = new OAuthClient(world)
        const suspended = await client.logInWith(provider, newName('suspended'))
        expect([suspended.status, suspended.body.code]).toEqual([403, 'oauth_account_suspended'])
        const limited = await client.logInWith(provider, newName('ratelimited'))
        expect([limited.status, limited.body.code]).toEqual([429, 'too_many_requests'])
        expect(limited.body.error).toContain('provider rate limit')
      },
    )

    test('the way back keeps what stood in the address, and adds exactly three parameters', async () => {
      const client = new OAuthClient(world)
      const begun = await client.begin('google', {
        redirect_to: `${site}/a%20b?x=%2F+y&privy_oauth_code=planted&&z#/route?q=1`,
      })
      const back = await client.walk(begun, newName())
      expect(back.to?.href).toBe(
        `${site}/a%20b?x=%2F+y&z&privy_oauth_code=${back.code}&privy_oauth_state=${begun.state}&privy_oauth_provider=google#/route?q=1`,
      )
    })

    test('a compatible client logs in by its own order of calls', async () => {
      const client = new OAuthClient(world, {
        headers: { 'privy-client': 'react-auth:2.4.1', 'privy-ca-id': '', accept: 'application/json' },
      })
      const config = await client.get(`apps/${client.appId}`)
      expect(config.body).toMatchObject({ google_oauth: true, apple_oauth: true, captcha_enabled: false })
      const seen = await client.post('analytics_events', {
        event_name: 'sdk_initialize',
        client_id: null,
        payload: { clientTimestamp: new Date().toISOString() },
      })
      expect(seen.status).toBe(200)
      const [state, verifier] = [random(), random()]
      const { body } = await client.post(
        'oauth/init',
        {
          provider: 'twitter',
          redirect_to: `${site}/`,
          state_code: state,
          code_challenge: s256(verifier),
          token: null,
        },
        { 'privy-ui': 't' },
      )
      const back = await client.walk({ url: body.url, state, verifier }, newName())
      expect([...(back.to?.searchParams.keys() ?? [])]).toEqual([
        'privy_oauth_code',
        'privy_oauth_state',
        'privy_oauth_provider',
      ])
      const login = await client.post('oauth/authenticate', {
        authorization_code: back.code,
        state_code: back.state,
        code_verifier: verifier,
      })
      expect([login.status, login.body.session_update_action]).toEqual([200, 'set'])
      client.token = login.body.privy_access_token
      const refreshed = await client.post('sessions', { refresh_token: login.body.refresh_token })
      expect(refreshed.body.user).toEqual(login.body.user)
    })

    test('a window that passes through stays with the page that opened it', async () => {
      const client = new OAuthClient(world)
      const begun = await client.begin('google')
      const { headers } = await client.walk(begun, newName())
      expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
    })

    test('a fragment that Instagram leaves is not carried to the page', async () => {
      const client = new OAuthClient(world)
      const begun = await client.begin('instagram', { redirect_to: `${site}/` })
      expect((await client.walk(begun, newName())).to?.href).toMatch(/#$/)
    })

    test('a client that names no state gets one to present', async () => {
      const client = new OAuthClient(world)
      const begun = await client.begin('github', { state_code: undefined })
      const back = await client.walk(begun, newName())
      expect(back.state).toMatch(/^[\w-]{48}$/)
      const without = await client.authenticate({ ...begun, state: '' }, back)
      expect([without.status, without.body.code]).toEqual([401, 'invalid_credentials'])
      expect((await client.authenticate({ ...begun, state: back.state }, back)).status).toBe(200)
    })

    test('no-signup logs in who is known and nobody else', async () => {
      const refused = await new OAuthClient(world).logInWith('discord', newName(), { mode: 'no-signup' })
      expect([refused.status, refused.body.code]).toEqual([400, 'user_does_not_exist'])
    })

    test('a guest who proves an account keeps the user', async () => {
      const guest = new OAuthClient(world)
      const started = await guest.post('guest/authenticate', { guest_credential: 'g'.repeat(43) })
      guest.token = started.body.token
      const upgraded = await guest.logInWith('google', newName())
      expect([upgraded.body.user.id, upgraded.body.user.is_guest]).toEqual([started.body.user.id, false])
    })

    test('an account is unlinked, but not the last one', async () => {
      const client = new OAuthClient(world)
      const { body } = await client.logInWith('google', newName())
      const [account] = body.user.linked_accounts
      const unlink = (subject: string) => client.post('oauth/unlink', { provider: 'google', subject })
      expect((await unlink(account.subject)).body.code).toBe('cannot_unlink_sole_account')
      expect((await unlink('somebody-else')).body.code).toBe('linked_account_not_found')
      const begun = await client.begin('discord')
      const { code } = await client.walk(begun, newName())
      await client.post('oauth/link', {
        authorization_code: code,
        state_code: begun.state,
        code_verifier: begun.verifier,
      })
      const rest = await unlink(account.subject)
      expect(rest.body.linked_accounts.map(({ type }: { type: string }) => type)).toEqual(['discord_oauth'])
    })
  })
}
