/** The sign-in at a user's drive, which the vault's window runs in a strict app. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  DrivesClient,
  type DrivesWorld,
  driveCallback,
  random,
  startDrivesWorld,
  strictDrivesApp,
} from '../support/drives-world.ts'
import { Vault } from '../support/embedded-world.ts'
import { newName } from '../support/oauth-world.ts'
import { ProviderBrowser } from '../support/provider-browser.ts'
import { seconds, site, stores, vaultOrigin } from '../support/world.ts'

const [store] = stores

describe('drives: a strict app', () => {
  let world: DrivesWorld
  beforeAll(async () => {
    world = await startDrivesWorld(store)
  })
  afterAll(() => world?.stop())
  beforeEach(() => {
    world.clock.now = Date.now()
  })
  const open = () => Vault.open(world, { appId: strictDrivesApp })
  async function comeBack(url: string, login: string | null) {
    const { to, status } = await new DrivesClient(world).comeBack(
      (await new ProviderBrowser().visit(url, login)).url,
    )
    return { to, status, fields: Object.fromEntries(new URLSearchParams(to?.hash.slice(1))) }
  }
  const token = (vault: Vault, { state = '', code = '' }: Record<string, string>) =>
    vault.post('recovery/drives/token', { state, code })

  test('drives: a page of a strict app gets no drive, with whatever it has', async () => {
    const page = (await open()).page()
    const answers = await Promise.all([
      page.post('recovery/oauth/init', {
        redirect_to: `${site}/home`,
        state_code: random(),
        code_challenge: 'a'.repeat(43),
      }),
      page.post('recovery/oauth/authenticate', {
        authorization_code: random(),
        state_code: random(),
        code_verifier: 'a'.repeat(43),
      }),
      page.post('recovery/oauth/init_icloud', { client_type: 'web' }),
      page.post('recovery/drives/visit', { drive: 'google-drive' }),
      page.post('recovery/drives/token', { state: random(), code: random() }),
    ])
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      ...Array.from({ length: 3 }, () => [403, 'approval_required']),
      ...Array.from({ length: 2 }, () => [403, 'invalid_origin']),
    ])
  })

  test('drives: Google’s answer goes to the vault’s page, and its key alone gets the token', async () => {
    const vault = await open()
    const { body } = await vault.post('recovery/drives/visit', { drive: 'google-drive' })
    const login = newName()
    const { to, fields } = await comeBack(body.url, login)
    expect(`${to?.origin}${to?.pathname}`).toBe(`${vaultOrigin}/embedded-wallets/return`)
    expect(fields.state).toBe(body.state)
    const answer = await token(vault, fields)
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['access_token']])
    const about = await fetch(
      `${world.drives.outside.googleDriveUrl}/drive/v3/about?fields=user(displayName,emailAddress)`,
      { headers: { authorization: `Bearer ${answer.body.access_token}` } },
    )
    expect(await about.json()).toMatchObject({ user: { emailAddress: `${login}@example.com` } })
    expect((await token(vault, fields)).status).toBe(401)
  })

  test('drives: another key of the same login gets no token, and uses the code up', async () => {
    const vault = await open()
    const { body } = await vault.post('recovery/drives/visit', { drive: 'google-drive' })
    const { fields } = await comeBack(body.url, newName())
    const refused = await token(vault.elsewhere(), fields)
    expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
    expect((await token(vault, fields)).status).toBe(401)
  })

  test('drives: a code of a drive enrols no device', async () => {
    const vault = await open()
    await vault.create()
    const there = vault.elsewhere()
    const { body } = await there.post('recovery/drives/visit', { drive: 'google-drive' })
    const { fields } = await comeBack(body.url, newName())
    const refused = await there.enrol({ factor: 'provider', state: fields.state, code: fields.code })
    expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
  })

  test('drives: a denial, a failure and an old code bring nothing', async () => {
    const vault = await open()
    const visit = async () => (await vault.post('recovery/drives/visit', { drive: 'google-drive' })).body
    const denied = await visit()
    expect((await comeBack(denied.url, null)).fields).toEqual({ state: denied.state, ended: 'denied' })
    const kept = await visit()
    expect((await comeBack(kept.url, newName('nodrive'))).fields).toEqual({
      state: kept.state,
      ended: 'denied',
    })
    const failed = await visit()
    const state = new URL(failed.url).searchParams.get('state')
    const { to } = await new DrivesClient(world).comeBack(
      `${driveCallback}?error=server_error&state=${state}`,
    )
    expect(to?.hash).toBe(`#state=${failed.state}&ended=failed`)
    const late = await visit()
    const { fields } = await comeBack(late.url, newName())
    world.clock.pass(seconds(61))
    expect((await token(vault, fields)).status).toBe(401)
  })

  test('drives: Apple’s page goes back to the vault’s page with the drive’s token', async () => {
    const vault = await open()
    const { body } = await vault.post('recovery/drives/visit', { drive: 'icloud' })
    expect(Object.keys(body).sort()).toEqual(['state', 'url'])
    const answer = await fetch(body.url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ login: newName(), answer: 'allow' }),
    })
    const to = new URL(answer.headers.get('location') ?? '')
    expect(`${to.origin}${to.pathname}`).toBe(`${vaultOrigin}/embedded-wallets/return`)
    expect(to.searchParams.get('ckWebAuthToken')).toBeTruthy()
  })
})
