import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  all,
  newName,
  OAuthClient,
  type OAuthWorld,
  oauthApp,
  startOAuthWorld,
} from '../../support/oauth-world.ts'
import { site, stores } from '../../support/world.ts'

const invitedApp = 'latchkey-test-oauth-invit'
const tokensApp = 'latchkey-test-oauth-token'
const barredApp = 'latchkey-test-oauth-barre'

for (const store of stores) {
  describe(`what an app’s settings make of OAuth on ${store.name}`, () => {
    let world: OAuthWorld
    beforeAll(async () => {
      world = await startOAuthWorld(store, (providers) => [
        oauthApp(providers, {
          id: invitedApp,
          allowlist: { emails: ['@invited.example'] },
        }),
        oauthApp(providers, {
          id: tokensApp,
          oauth: Object.fromEntries(
            all.map((id) => [id, { ...providers.credentials[id], returnTokens: true }]),
          ),
        }),
        oauthApp(providers, { id: barredApp, methods: ['google'], oauth: {} }),
      ])
    })
    afterAll(() => world?.stop())
    beforeEach(() => {
      world.clock.now = Date.now()
    })

    test('an allowlist lets in whose verified address is on it, and nobody else', async () => {
      const invited = (provider: string, login: string) =>
        new OAuthClient(world, { appId: invitedApp }).logInWith(provider, login)
      const name = newName()
      expect((await invited('google', `${name}@invited.example`)).status).toBe(200)
      for (const [provider, login] of [
        ['google', newName()],
        ['google', `unverified.${name}@invited.example`],
        ['spotify', `${name}@invited.example`],
        ['twitter', `${name}@invited.example`],
      ] as const) {
        const refused = await invited(provider, login)
        expect([provider, refused.status, refused.body.code]).toEqual([provider, 401, 'allowlist_rejected'])
      }
    })

    test('the provider’s tokens reach the page where the app’s settings say so', async () => {
      const client = new OAuthClient(world, { appId: tokensApp })
      const google = await client.logInWith('google', newName())
      expect(google.body.oauth_tokens).toEqual({
        provider: 'google',
        access_token: expect.stringMatching(/^[\w-]{20,}$/),
        access_token_expires_in_seconds: 3_600,
        scopes: expect.arrayContaining(['openid', 'email', 'profile']),
      })
      const tiktok = await new OAuthClient(world, { appId: tokensApp }).logInWith('tiktok', newName())
      expect(tiktok.body.oauth_tokens).toMatchObject({
        refresh_token: expect.any(String),
        refresh_token_expires_in_seconds: 31_536_000,
        scopes: ['user.info.basic', 'user.info.profile'],
      })
      const begun = await client.begin('discord')
      const linked = await client.post('oauth/link', {
        authorization_code: (await client.walk(begun, newName())).code,
        state_code: begun.state,
        code_verifier: begun.verifier,
      })
      expect(linked.body.linked_accounts).toHaveLength(2)
      expect(linked.body.oauth_tokens.provider).toBe('discord')
      expect(world.logged.join()).not.toContain(google.body.oauth_tokens.access_token)
    })

    test('a method that is off, has no client or does not exist begins nothing', async () => {
      const client = new OAuthClient(world, { appId: barredApp })
      for (const provider of ['discord', 'google']) {
        const refused = await client.init(provider)
        expect([provider, refused.status, refused.body.code]).toEqual([
          provider,
          403,
          'disallowed_login_method',
        ])
      }
      for (const provider of ['myspace', '', 'Google', 7, null, '__proto__', 'constructor']) {
        const refused = await client.post('oauth/init', {
          provider,
          redirect_to: site,
          state_code: 's',
          code_challenge: 'x'.repeat(43),
        })
        expect([provider, refused.status, refused.body.code]).toEqual([provider, 400, 'invalid_data'])
      }
    })
  })
}
