/** Linking an account by a login that the vault's own window runs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Vault } from '../../support/embedded-world.ts'
import {
  everyApp,
  newName,
  OAuthClient,
  type OAuthWorld,
  startOAuthWorld,
} from '../../support/oauth-world.ts'
import { ProviderBrowser } from '../../support/provider-browser.ts'
import { stores, vaultOrigin } from '../../support/world.ts'

const [store] = stores

describe('in-vault login: a provider’s account is linked', () => {
  let world: OAuthWorld
  beforeAll(async () => {
    world = await startOAuthWorld(store)
  })
  afterAll(() => world?.stop())
  beforeEach(() => {
    world.clock.now = Date.now()
  })
  const open = async () => {
    const vault = await Vault.open(world, { appId: everyApp })
    await vault.create()
    return vault
  }
  async function logIn(vault: Vault, login: string, provider = 'discord') {
    const begun = await vault.post('users/me/changes/provider', { provider })
    expect(begun.status).toBe(200)
    const back = await new OAuthClient(world).comeBack(
      await new ProviderBrowser().visit(begun.body.url, login),
    )
    expect(`${back.to?.origin}${back.to?.pathname}`).toBe(`${vaultOrigin}/embedded-wallets/return`)
    const { state, code } = Object.fromEntries(new URLSearchParams(back.to?.hash.slice(1)))
    return { state, code }
  }
  const finish = (vault: Vault, given: object) => vault.post('users/me/changes/provider/finish', given)
  const types = async (vault: Vault) =>
    (await vault.page().get('users/me')).body.user.linked_accounts.map(({ type }: { type: string }) => type)

  test('linking: the login becomes a pending change, and nothing is linked before its approval', async () => {
    const vault = await open()
    const answer = await finish(vault, await logIn(vault, newName()))
    expect([answer.status, answer.body.action]).toEqual([200, 'link'])
    expect(typeof answer.body.change).toBe('string')
    expect(await types(vault)).not.toContain('discord_oauth')
    const review = await vault.post(`users/me/changes/${answer.body.change}/review`)
    expect([review.status, review.body.action, review.body.account.type]).toEqual([200, 'link', 'discord'])
  })

  test('linking: an account of another user becomes a pending transfer', async () => {
    const login = newName()
    await new OAuthClient(world).logInWith('discord', login)
    const vault = await open()
    const answer = await finish(vault, await logIn(vault, login))
    expect([answer.status, answer.body.action]).toEqual([200, 'transfer'])
  })

  test('linking: another key, a used code and a page bring nothing', async () => {
    const vault = await open()
    const given = await logIn(vault, newName())
    expect((await finish(vault.elsewhere(), given)).body.code).toBe('device_not_enrolled')
    expect((await vault.page().post('users/me/changes/provider', { provider: 'discord' })).status).toBe(403)
    expect((await vault.page().post('users/me/changes/provider/finish', given)).status).toBe(403)
    expect((await finish(vault, given)).status).toBe(200)
    expect((await finish(vault, given)).status).toBe(401)
  })

  test('linking: a code that links enrols no device, and a provider that the app lacks is refused', async () => {
    const vault = await open()
    const given = await logIn(vault, newName())
    const refused = await vault.elsewhere().enrol({ factor: 'provider', ...given })
    expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
    const off = await vault.post('users/me/changes/provider', { provider: 'telegram' })
    expect([off.status, off.body.code]).toEqual([403, 'disallowed_login_method'])
  })
})
