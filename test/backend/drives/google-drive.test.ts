import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { crowd } from '../../support/soak.ts'
import {
  bareApp,
  DrivesClient,
  type DrivesWorld,
  driveCallback,
  random,
  startDrivesWorld,
} from '../support/drives-world.ts'
import { newName } from '../support/oauth-world.ts'
import { ProviderBrowser } from '../support/provider-browser.ts'
import { minutes, newAddress, seconds, site, stores, vaultOrigin } from '../support/world.ts'

const scope = 'https://www.googleapis.com/auth/drive.appdata'

describe.each(stores)('access to somebody’s Google Drive on $name', (store) => {
  let world: DrivesWorld
  beforeAll(async () => {
    world = await startDrivesWorld(store)
  })
  afterAll(() => world?.stop())
  beforeEach(() => {
    world.clock.now = Date.now()
  })

  /** A file in the drive of the token's owner. */
  const upload = (token: string, content: string) =>
    fetch(`${world.drives.outside.googleDriveUrl}/upload/drive/v3/files?uploadType=multipart&fields=id`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/related; boundary=b' },
      body: [
        ...['--b', 'content-type: application/json', '', '{"name":"x","parents":["appDataFolder"]}'],
        ...['--b', 'content-type: application/json', '', content, '--b--', ''],
      ].join('\r\n'),
    })
  const read = (token: string, id: string) =>
    fetch(`${world.drives.outside.googleDriveUrl}/drive/v3/files/${id}?alt=media`, {
      headers: { authorization: `Bearer ${token}` },
    })

  test('asks Google for the app’s own folder and for nothing else', async () => {
    const client = await new DrivesClient(world).loggedIn()
    const { url } = await client.begin()
    const query = Object.fromEntries(new URL(url).searchParams)
    expect(query).toEqual({
      response_type: 'code',
      client_id: world.drives.app.googleDrive?.clientId,
      redirect_uri: driveCallback,
      scope,
      state: expect.stringMatching(/^[\w-]{48}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      access_type: 'online',
      prompt: 'select_account',
    })
    const page = await new ProviderBrowser().open(url)
    expect(page.html).toContain('See, create and delete its own configuration data in your Google Drive.')
  })

  test('gives a token with which the drive opens, and the same drive on another day', async () => {
    const email = newAddress()
    const login = newName()
    const client = await new DrivesClient(world).loggedIn(email)
    const begun = await client.begin()
    const back = await client.walk(begun, login)
    expect([back.status, back.state, back.provider]).toEqual([303, begun.state, 'google-drive'])
    expect(back.to?.href).toContain(`${site}/home?tab=a%20b&privy_oauth_code=`)
    expect(back.to?.hash).toBe('#top')
    // The window must stay its opener's, which waits for it.
    expect(back.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    const answer = await client.authenticate(begun, back)
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['access_token']])
    const made = await upload(answer.body.access_token, 'the secret')
    expect(made.status).toBe(200)
    const { id } = (await made.json()) as { id: string }

    const later = await new DrivesClient(world).loggedIn(email)
    const again = await later.begin()
    const token = (await later.authenticate(again, await later.walk(again, login))).body.access_token
    expect(await (await read(token, id)).text()).toBe('the secret')

    const wrong = await later.begin()
    const other = (await later.authenticate(wrong, await later.walk(wrong, newName()))).body.access_token
    expect((await read(other, id)).status).toBe(404)
  })

  test('opens nothing but the drive: the token is no login, and a login’s code no token', async () => {
    const client = await new DrivesClient(world).loggedIn()
    const begun = await client.begin()
    const back = await client.walk(begun, newName())
    const login = await client.post('oauth/authenticate', {
      authorization_code: back.code,
      state_code: begun.state,
      code_verifier: begun.verifier,
    })
    expect([login.status, login.body.code]).toEqual([401, 'invalid_credentials'])
    expect((await client.authenticate(begun, back)).status).toBe(200)
  })

  test('is a denial when the person says no, or keeps the drive to themselves', async () => {
    const client = await new DrivesClient(world).loggedIn()
    for (const answer of [null, newName('nodrive')]) {
      const begun = await client.begin()
      const back = await client.walk(begun, answer)
      expect([back.status, back.code, back.state]).toEqual([303, 'undefined', begun.state])
    }
  })

  test('fails with the code `error` when Google refuses, and the log has nothing of the person in it', async () => {
    const client = await new DrivesClient(world).loggedIn()
    const login = newName('suspended')
    const begun = await client.begin()
    const back = await client.walk(begun, login)
    expect([back.status, back.code, back.state]).toEqual([303, 'error', begun.state])
    expect(world.logged.at(-1)).toBe('Google Drive: This Google account is suspended.')
    for (const query of [
      'error=server_error',
      'code=nonsense',
      'code=a&code=b',
      'code=x&iss=https://evil.example',
    ]) {
      const other = await client.begin()
      const state = new URL(other.url).searchParams.get('state')
      expect((await client.comeBack(`${driveCallback}?${query}&state=${state}`)).code).toBe('error')
    }
  })

  test('comes back once: a used, unknown or old state leads nowhere', async () => {
    const client = await new DrivesClient(world).loggedIn()
    const begun = await client.begin()
    const { url } = await new ProviderBrowser().visit(begun.url, newName())
    world.clock.pass(minutes(9))
    expect((await client.comeBack(url)).status).toBe(303)
    const late = await client.begin()
    const there = await new ProviderBrowser().visit(late.url, newName())
    world.clock.pass(minutes(10))
    for (const address of [url, there.url, `${driveCallback}?code=x&state=y`, driveCallback]) {
      const lost = await client.comeBack(address)
      expect([lost.status, lost.to]).toEqual([400, undefined])
    }
  })

  test(`gives its token to one of ${crowd} that bring the code`, async () => {
    const client = await new DrivesClient(world).loggedIn()
    const begun = await client.begin()
    const back = await client.walk(begun, newName())
    const answers = await Promise.all(Array.from({ length: crowd }, () => client.authenticate(begun, back)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'invalid_credentials']))
  })

  test('gives it to nobody else, and to nobody who doesn’t know the verifier', async () => {
    const client = await new DrivesClient(world).loggedIn()
    const stranger = await new DrivesClient(world).loggedIn()
    const walk = async () => {
      const begun = await client.begin()
      return [begun, await client.walk(begun, newName())] as const
    }
    const [one, backOne] = await walk()
    expect((await stranger.authenticate(one, backOne)).body.code).toBe('invalid_credentials')
    // A wrong attempt uses it up as well.
    expect((await client.authenticate(one, backOne)).body.code).toBe('invalid_credentials')
    const [two, backTwo] = await walk()
    expect((await client.authenticate(two, backTwo, { code_verifier: random() })).body.code).toBe(
      'invalid_pkce_parameters',
    )
    const [three, backThree] = await walk()
    expect((await client.authenticate(three, backThree, { state_code: random() })).body.code).toBe(
      'oauth_state_mismatch',
    )
    const [four, backFour] = await walk()
    world.clock.pass(seconds(61))
    expect((await client.authenticate(four, backFour)).body.code).toBe('invalid_credentials')
    expect((await client.authenticate(four, { code: 'undefined' })).status).toBe(401)
    expect((await client.authenticate(four, backFour, { provider: 'icloud' })).status).toBe(400)
  })

  test('stores no answer with a token, even with an idempotency key', async () => {
    const client = await new DrivesClient(world).loggedIn()
    const begun = await client.begin()
    const back = await client.walk(begun, newName())
    const body = {
      authorization_code: back.code,
      state_code: begun.state,
      code_verifier: begun.verifier,
    }
    const ask = () => client.post('recovery/oauth/authenticate', body, { 'idempotency-key': 'one' })
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 401])
  })

  test('is for people who are logged in, and for pages of the app', async () => {
    const nobody = new DrivesClient(world)
    for (const path of [
      'recovery/oauth/init',
      'recovery/oauth/authenticate',
      'recovery/oauth/init_icloud',
      'recovery/configuration_icloud',
    ]) {
      const answer = await nobody.post(path, { client_type: 'web', redirect_to: site })
      expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'missing_or_invalid_token'])
    }
    const client = await new DrivesClient(world).loggedIn()
    const evil = new DrivesClient(world, { origin: 'https://evil.example' })
    evil.token = client.token
    expect((await evil.init()).body.code).toBe('invalid_origin')
  })

  test('goes back to allowed pages only, and takes no start without a challenge', async () => {
    const client = await new DrivesClient(world).loggedIn()
    for (const redirect_to of [
      ...['https://evil.example/', `${vaultOrigin}/`, 'javascript:alert(1)', 'http://app.example/', ''],
      ...['https://app.example@evil.example/', 'https://app.example.evil.example/'],
    ])
      expect([redirect_to, (await client.init({ redirect_to })).body.code]).toEqual([
        redirect_to,
        'invalid_data',
      ])
    for (const code_challenge of [undefined, null, '', 'short', `${random()}=`])
      expect((await client.init({ code_challenge })).body.code).toBe('invalid_pkce_parameters')
    expect((await client.init({ state_code: 'a b' })).body.code).toBe('invalid_data')
  })

  test('is not there for apps that have not set it up', async () => {
    const client = await new DrivesClient(world, { appId: bareApp }).loggedIn()
    const answer = await client.init()
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: 'Google Drive is not set up for this app.', code: 'feature_not_enabled' },
    ])
  })
})
