/** A fresh login at a provider that the vault's window runs, as the proof for a new device. */
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
import { minutes, seconds, site, stores, vaultOrigin } from '../../support/world.ts'

const [store] = stores

describe('in-vault login: a provider enrols a new device', () => {
  let world: OAuthWorld
  beforeAll(async () => {
    world = await startOAuthWorld(store)
  })
  afterAll(() => world?.stop())
  beforeEach(() => {
    world.clock.now = Date.now()
  })

  /** A user who logs in at a provider alone and has a wallet, and the same login in another browser. */
  async function user(provider = 'discord', name = newName('unverified')) {
    const page = new OAuthClient(world)
    const { body } = await page.logInWith(provider, name)
    const vault = new Vault(world, { appId: everyApp, origin: vaultOrigin })
    vault.token = body.token
    vault.userId = body.user.id
    expect((await vault.enrol()).status).toBe(200)
    await vault.create()
    const there = vault.elsewhere()
    return { page, vault, there, name, provider }
  }
  const factorOf = async (there: Vault, provider: string) => {
    const { factors } = (await there.post('devices/enroll/options')).body
    return factors.find((factor: { type: string; provider?: string }) => factor.provider === provider)
  }
  async function begin(there: Vault, provider: string) {
    const { id } = await factorOf(there, provider)
    const answer = await there.post('devices/enroll/provider', { id })
    expect(answer.status).toBe(200)
    return answer.body as { url: string; state: string; provider: string }
  }
  /** The provider's answer at this API: where the browser goes, and what it brings there. */
  async function comeBack(url: string, login: string | null) {
    const back = await new OAuthClient(world).comeBack(await new ProviderBrowser().visit(url, login))
    return { ...back, fields: Object.fromEntries(new URLSearchParams(back.to?.hash.slice(1))) }
  }
  const finish = (there: Vault, { state = '', code = '' }: Record<string, string>) =>
    there.enrol({ factor: 'provider', state, code })

  test.each(['google', 'discord', 'github', 'linkedin', 'apple'])(
    'in-vault login: a fresh login at %s enrols the key that began it',
    async (provider) => {
      const { there, name } = await user(provider)
      const begun = await begin(there, provider)
      const { to, fields } = await comeBack(begun.url, name)
      expect(`${to?.origin}${to?.pathname}`).toBe(`${vaultOrigin}/embedded-wallets/return`)
      expect(to?.search).toBe('')
      expect(fields.state).toBe(begun.state)
      const done = await finish(there, fields)
      expect([done.status, typeof done.body.device_id]).toEqual([200, 'string'])
      expect((await there.post('devices/enroll/options')).status).toBe(200)
    },
  )

  test('in-vault login: the provider has the user act, where it knows how', async () => {
    for (const [provider, name, value] of [
      ['google', 'prompt', 'consent select_account'],
      ['discord', 'prompt', 'consent'],
      ['github', 'prompt', 'select_account'],
      ['spotify', 'show_dialog', 'true'],
      ['tiktok', 'disable_auto_auth', '1'],
    ] as const) {
      const { there } = await user(provider)
      const { url } = await begin(there, provider)
      expect(new URL(url).searchParams.get(name)).toBe(value)
    }
  })

  test('in-vault login: a login alone does not enrol a further device', async () => {
    const { there } = await user()
    const refused = await there.enrol()
    expect([refused.status, refused.body.code]).toEqual([403, 'enrolment_required'])
  })

  test('in-vault login: a code is refused to another key, whatever it brings', async () => {
    const { vault, there, name, provider } = await user()
    const begun = await begin(there, provider)
    const { fields } = await comeBack(begun.url, name)
    const thief = vault.elsewhere()
    const refused = await finish(thief, fields)
    expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
    // The code was used up by that.
    expect((await finish(there, fields)).status).toBe(401)
  })

  test('in-vault login: a state that another key began is refused', async () => {
    const { vault, there, name, provider } = await user()
    const mine = await begin(there, provider)
    const { fields } = await comeBack(mine.url, name)
    const thief = vault.elsewhere()
    const theirs = await begin(thief, provider)
    expect((await finish(thief, { state: theirs.state, code: fields.code ?? '' })).status).toBe(401)
  })

  test('in-vault login: of twenty that bring one code, one is enrolled', async () => {
    const { there, name, provider } = await user()
    const begun = await begin(there, provider)
    const { fields } = await comeBack(begun.url, name)
    const answers = await Promise.all(Array.from({ length: 20 }, () => finish(there, fields)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  test('in-vault login: another account of the same provider is refused', async () => {
    const { there, provider } = await user()
    const begun = await begin(there, provider)
    const { fields } = await comeBack(begun.url, newName('unverified'))
    const refused = await finish(there, fields)
    expect([refused.status, refused.body.code]).toEqual([403, 'wrong_account'])
  })

  test('in-vault login: a code dies after a minute, and a visit after ten', async () => {
    const { there, name, provider } = await user()
    const begun = await begin(there, provider)
    const { fields } = await comeBack(begun.url, name)
    world.clock.pass(seconds(61))
    expect((await finish(there, fields)).status).toBe(401)
    const late = await begin(there, provider)
    const returned = await new ProviderBrowser().visit(late.url, name)
    world.clock.pass(minutes(10) + 1_000)
    const expired = await new OAuthClient(world).comeBack(returned)
    expect([expired.status, expired.to]).toEqual([400, undefined])
  })

  test('in-vault login: a denial goes back to the vault without a code', async () => {
    const { there, provider } = await user()
    const begun = await begin(there, provider)
    const { fields } = await comeBack(begun.url, null)
    expect(fields).toEqual({ state: begun.state, ended: 'denied' })
  })

  test('in-vault login: a page can not begin one, name its own address, or use a login’s code', async () => {
    const { page, there, name, provider } = await user()
    const { id } = await factorOf(there, provider)
    const fromPage = await page.post('devices/enroll/provider', { id })
    expect([fromPage.status, fromPage.body.code]).toEqual([403, 'invalid_origin'])
    const named = await there.post('devices/enroll/provider', { id, redirect_to: `${site}/home` })
    expect([named.status, named.body.code]).toEqual([400, 'invalid_data'])
    const login = await page.begin(provider)
    const back = await page.walk(login, name)
    expect((await finish(there, { state: login.state, code: back.code })).status).toBe(401)
  })

  test('in-vault login: a proof’s code is no login, and no provider’s token leaves the server', async () => {
    const { page, there, name, provider } = await user('google')
    const begun = await begin(there, provider)
    const { fields } = await comeBack(begun.url, name)
    const login = await page.post('oauth/authenticate', {
      authorization_code: fields.code,
      state_code: begun.state,
      code_verifier: 'a'.repeat(43),
    })
    expect(login.status).toBe(401)
    const done = await finish(there, fields)
    expect(Object.keys(done.body)).toEqual(['device_id'])
  })

  test('in-vault login: an account that the page linked after the wallet is not offered', async () => {
    const { vault, there } = await user()
    const page = new OAuthClient(world)
    page.token = vault.token
    world.clock.pass(seconds(5))
    const other = newName('unverified')
    const login = await page.begin('github')
    const back = await page.walk(login, other)
    await page.post('oauth/link', {
      authorization_code: back.code,
      state_code: login.state,
      code_verifier: login.verifier,
    })
    expect(await factorOf(there, 'github')).toBeUndefined()
  })

  test('in-vault login: another user’s account can not be named', async () => {
    const one = await user()
    const other = await user()
    const { id } = await factorOf(other.there, other.provider)
    const refused = await one.there.post('devices/enroll/provider', { id })
    expect([refused.status, refused.body.code]).toEqual([404, 'linked_account_not_found'])
  })
})
