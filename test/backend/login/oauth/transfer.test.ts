import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { crowd } from '../../../support/soak.ts'
import { newName, OAuthClient, type OAuthWorld, startOAuthWorld } from '../../support/oauth-world.ts'
import { minutes, stores } from '../../support/world.ts'

for (const store of stores) {
  describe(`a social account of somebody else on ${store.name}`, () => {
    let world: OAuthWorld
    beforeAll(async () => {
      world = await startOAuthWorld(store)
    })
    afterAll(() => world?.stop())
    beforeEach(() => {
      world.clock.now = Date.now()
    })

    /** One who owns a Google account, and another one who then proves it. */
    async function conflict() {
      const login = newName()
      const owner = new OAuthClient(world)
      const { body } = await owner.logInWith('google', login)
      const other = new OAuthClient(world)
      await other.logInWith('discord', newName())
      const begun = await other.begin('google')
      const refused = await other.post('oauth/link', {
        authorization_code: (await other.walk(begun, login)).code,
        state_code: begun.state,
        code_verifier: begun.verifier,
      })
      return { owner, ownerId: body.user.id, other, refused }
    }
    const transfer = (
      client: OAuthClient,
      refused: { body: { data: { nonce: string; otherUser: object } } },
    ) =>
      client.post('oauth/transfer', {
        nonce: refused.body.data.nonce,
        userInfo: (refused.body.data.otherUser as { oAuthUserInfo: object }).oAuthUserInfo,
      })

    test('is taken over when the person says so', async () => {
      const { owner, other, refused } = await conflict()
      expect([refused.status, refused.body.code]).toEqual([400, 'account_transfer_required'])
      expect(refused.body.data).toMatchObject({
        nonce: expect.any(String),
        subject: expect.any(String),
        account: { displayName: expect.stringContaining('@example.com') },
        otherUser: { oAuthUserInfo: { subject: expect.any(String), email: expect.any(String) } },
      })
      const moved = await transfer(other, refused)
      expect(moved.body.linked_accounts.map(({ type }: { type: string }) => type).sort()).toEqual([
        'discord_oauth',
        'google_oauth',
      ])
      expect((await owner.get('users/me')).status).toBe(401)
      const again = await transfer(other, refused)
      expect([again.status, again.body.code]).toEqual([401, 'invalid_credentials'])
    })

    test('is not taken over by anybody else, for another account, or too late', async () => {
      const { other, refused } = await conflict()
      const stranger = new OAuthClient(world)
      await stranger.logInWith('github', newName())
      expect((await transfer(stranger, refused)).status).toBe(401)
      expect((await transfer(other, refused)).status).toBe(401)

      const second = await conflict()
      const { nonce } = second.refused.body.data
      const wrong = await second.other.post('oauth/transfer', { nonce, userInfo: { subject: 'another' } })
      expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials'])

      const third = await conflict()
      world.clock.pass(minutes(10) + 1)
      expect((await transfer(third.other, third.refused)).status).toBe(401)
    })

    test(`is moved by one of ${crowd} parallel tries`, async () => {
      const { other, refused } = await conflict()
      const answers = await Promise.all(Array.from({ length: crowd }, () => transfer(other, refused)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })
  })
}
