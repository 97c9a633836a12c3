import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bareApp,
  DrivesClient,
  type DrivesWorld,
  drivesApp,
  startDrivesWorld,
} from '../support/drives-world.ts'
import { apiUrl, site, stores, vaultOrigin } from '../support/world.ts'

const web = { client_type: 'web' }

describe.each(stores)('access to somebody’s iCloud on $name', (store) => {
  let world: DrivesWorld
  beforeAll(async () => {
    world = await startDrivesWorld(store)
  })
  afterAll(() => world?.stop())

  test('begins at the window that CloudKit names, whose session opens the person’s records', async () => {
    const client = await new DrivesClient(world).loggedIn()
    const { status, body } = await client.post('recovery/oauth/init_icloud', web)
    expect([status, Object.keys(body)]).toEqual([200, ['url']])
    expect(body.url).toContain(`${world.drives.origin}/icloud/sign-in?`)
    const page = await fetch(body.url, {
      method: 'POST',
      body: new URLSearchParams({ login: 'ann', answer: 'allow' }),
    })
    const { ckSession } = JSON.parse(/id="answer">(.*?)<\/script>/.exec(await page.text())?.[1] ?? '{}')

    const settings = await client.post('recovery/configuration_icloud', web)
    expect([settings.status, settings.body]).toEqual([
      200,
      {
        api_token: world.drives.app.icloud?.apiToken,
        container_identifier: 'iCloud.example.latchkey.demo',
        environment: 'development',
      },
    ])
    const { api_token, container_identifier, environment } = settings.body
    const query = new URLSearchParams({ ckAPIToken: api_token, ckWebAuthToken: ckSession })
    const place = `${world.drives.outside.cloudKitUrl}/database/1/${container_identifier}/${environment}`
    expect((await fetch(`${place}/private/users/current?${query}`)).status).toBe(200)
  })

  test('tells its settings to the vault, and to nobody elsewhere', async () => {
    const client = await new DrivesClient(world).loggedIn()
    for (const [origin, status] of [
      [vaultOrigin, 200],
      [apiUrl, 200],
      [site, 200],
      ['https://evil.example', 403],
    ] as const) {
      const from = new DrivesClient(world, { origin })
      from.token = client.token
      expect([origin, (await from.post('recovery/configuration_icloud', web)).status]).toEqual([
        origin,
        status,
      ])
    }
  })

  test('is not there for apps and clients that have not set it up', async () => {
    const client = await new DrivesClient(world).loggedIn()
    const elsewhere = await new DrivesClient(world, { appId: bareApp }).loggedIn()
    for (const path of ['recovery/oauth/init_icloud', 'recovery/configuration_icloud'])
      for (const [who, client_type] of [
        [elsewhere, 'web'],
        [client, 'expo-ios'],
      ] as const) {
        const { status, body } = await who.post(path, { client_type })
        expect([status, body.code]).toEqual([403, 'feature_not_enabled'])
      }
    expect((await client.post('recovery/oauth/init_icloud', { client_type: 'android' })).status).toBe(400)
    expect((await client.post('recovery/oauth/init_icloud')).status).toBe(400)
  })

  test('has an address for native apps to come back to, which does nothing', async () => {
    const client = new DrivesClient(world)
    const get = (path: string) =>
      client.request(`/api/v1/recovery/oauth/callback_icloud/${path}`, { method: 'GET', headers: {} })
    const answer = await get(`${drivesApp}/expo_ios?ckWebAuthToken=158__54__token`)
    expect([answer.status, answer.text]).toEqual([200, '{}'])
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await get(`${drivesApp}/expo_ios`)).status).toBe(400)
    expect((await get('latchkey-tests-nobody-001/expo_ios?ckWebAuthToken=x')).status).toBe(404)
  })
})

describe('iCloud that answers something else', () => {
  const required = (redirectURL: unknown) => ({ serverErrorCode: 'AUTHENTICATION_REQUIRED', redirectURL })
  let answer: { status: number; body: string; origin?: string | undefined }
  let server: Server
  let world: DrivesWorld
  let client: DrivesClient
  beforeAll(async () => {
    server = createServer((request, response) => {
      answer.origin = request.headers.origin
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const cloudKitUrl = `http://localhost:${(server.address() as AddressInfo).port}`
    world = await startDrivesWorld({ name: 'PGlite' }, { outside: { cloudKitUrl } })
    client = await new DrivesClient(world).loggedIn()
  })
  afterAll(async () => {
    await world?.stop()
    await new Promise((done) => server.close(done))
  })
  const ask = (status: number, body: unknown) => {
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
    return client.post('recovery/oauth/init_icloud', web)
  }

  test.each([
    'https://idmsa.apple.com/appleauth/auth',
    'https://www.icloud.com/x',
    'https://cdn.apple-cloudkit.com/ck',
  ])('sends the window to Apple: %s', async (address) => {
    // Without the test's own settings, the sign-in pages are Apple's.
    expect((await ask(421, required(address))).body.url).toBe(address)
    expect(answer.origin).toBe(vaultOrigin)
  })

  test.each([
    ['http://idmsa.apple.com/', required('http://idmsa.apple.com/')],
    ['another’s page', required('https://evil.example/')],
    ['a look-alike', required('https://idmsa.apple.com.evil.example/')],
    ['another look-alike', required('https://evilapple.com/')],
    ['no web address', required('javascript:alert(1)')],
    ['no text', required({})],
    ['no JSON', '<html>'],
    ['the whole megabyte and more', 'x'.repeat(1_100_000)],
  ])('sends it nowhere else: %s', async (_, body) => {
    const { status, body: told } = await ask(421, body)
    expect([status, told]).toEqual([503, { error: 'iCloud could not be reached. Please try again.' }])
  })

  test('tells the operator when the API token is not good, and the person that it is not there', async () => {
    const { status, body } = await ask(401, { serverErrorCode: 'AUTHENTICATION_FAILED' })
    expect([status, body.code]).toEqual([403, 'feature_not_enabled'])
    expect(world.logged.at(-1)).toBe(`iCloud does not know the API token of app ${drivesApp} (401)`)
  })
})
