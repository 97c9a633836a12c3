/** Every header of each kind of answer, so that none comes or goes unseen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import { openApp, site, startWorld, type World } from '../support/world.ts'

const api = 'https://api.example.com'
const vault = 'https://vault.example.com'
const app = {
  id: 'latchkey-tests-headers-01',
  name: 'Headers',
  allowedDomains: ['app.example.com'],
  embeddedWallets: { recoveryOptions: ['google-drive' as const, 'icloud' as const] },
}

/** On every answer over https. */
const common = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}
const unframed = "default-src 'none'; frame-ancestors 'none'"
const permissions = [
  ...[
    'accelerometer autoplay camera clipboard-read display-capture encrypted-media fullscreen geolocation gyroscope hid',
    'idle-detection local-fonts magnetometer microphone midi payment picture-in-picture screen-wake-lock serial usb',
    'xr-spatial-tracking',
  ].flatMap((line) => line.split(' ').map((feature) => `${feature}=()`)),
  ...['publickey-credentials-get=(self)', 'publickey-credentials-create=(self)', 'clipboard-write=(self)'],
].join(', ')
const page = {
  ...common,
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=UTF-8',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': permissions,
}
const framed = (reached: string) =>
  `default-src 'none'; script-src 'self'; connect-src 'self' ${reached}; frame-ancestors https://app.example.com; ` +
  "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

describe('every header of', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ name: 'PGlite' }, { apiUrl: api, vaultOrigin: vault, moreApps: [app] })
  })
  afterAll(() => world?.stop())

  /** The same on both listeners, where both have it. */
  async function ofBoth(path: string): Promise<{ status: number; headers: object }> {
    const [one, two] = await Promise.all(
      [world.backend.api, world.backend.vault].map((server) => server.request(path)),
    )
    expect(Object.fromEntries(two?.headers ?? [])).toEqual(Object.fromEntries(one?.headers ?? []))
    return { status: one?.status ?? 0, headers: Object.fromEntries(one?.headers ?? []) }
  }

  test('the vault’s page', async () => {
    expect(await ofBoth(`/apps/${app.id}/embedded-wallets`)).toEqual({
      status: 200,
      headers: {
        ...page,
        'content-security-policy': framed(`${api} https://www.googleapis.com https://api.apple-cloudkit.com`),
      },
    })
  })

  test('the page that shows keys', async () => {
    expect(await ofBoth(`/apps/${app.id}/embedded-wallets/export`)).toEqual({
      status: 200,
      headers: { ...page, 'content-security-policy': framed(api) },
    })
  })

  test('either of them for an app that is not there', async () => {
    for (const more of ['', '/export'])
      expect(await ofBoth(`/apps/latchkey-tests-nobody-001/embedded-wallets${more}`)).toEqual({
        status: 404,
        headers: { ...page, 'content-security-policy': unframed },
      })
  })

  test('the vault’s files', async () => {
    expect(await ofBoth('/vault/main-abc123.js')).toEqual({
      status: 200,
      headers: {
        ...common,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': `default-src 'none'; script-src 'self'; connect-src ${api}`,
        'content-type': 'text/javascript; charset=utf-8',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'same-origin',
      },
    })
  })

  test('what is not there', async () => {
    expect(await ofBoth('/nothing')).toEqual({
      status: 404,
      headers: {
        ...common,
        'cache-control': 'no-store',
        'content-security-policy': unframed,
        'content-type': 'application/json',
      },
    })
  })

  test('the API’s answers and refusals, to a page that may read them', async () => {
    const client = new Client(world)
    for (const answer of [
      await client.get(`apps/${openApp}`),
      await client.post('sessions'),
      await client.get('none'),
    ])
      expect(Object.fromEntries(answer.headers)).toEqual({
        ...common,
        'access-control-allow-credentials': 'true',
        'access-control-allow-origin': site,
        'access-control-expose-headers': 'retry-after, date, dpop-nonce, x-request-id, latchkey-status',
        'cache-control': 'no-store',
        'content-security-policy': unframed,
        'content-type': 'application/json',
        vary: 'Origin',
      })
  })

  test('the addresses to which others send people back', async () => {
    for (const path of ['/api/v1/oauth/callback', '/api/v1/recovery/oauth/callback']) {
      const answer = await world.backend.api.request(`${path}?state=none`)
      expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
        400,
        {
          ...common,
          'cache-control': 'no-store',
          'content-security-policy': `${unframed}; base-uri 'none'; form-action 'none'`,
          'content-type': 'text/html; charset=UTF-8',
          vary: 'Origin',
        },
      ])
    }
  })
})
