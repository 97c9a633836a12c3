import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readApps } from '../../../demo/backend/settings/app.ts'
import { OAuthClient, type OAuthWorld, oauthApp, startOAuthWorld } from '../support/oauth-world.ts'
import { site } from '../support/world.ts'

const exactApp = 'latchkey-test-oauth-exact'
const bareApp = 'latchkey-test-oauth-bare1'
const patternApp = 'latchkey-test-oauth-pattr'
const exact = `${site}/after?login=1`

describe('where a login may return to', () => {
  let world: OAuthWorld
  beforeAll(async () => {
    world = await startOAuthWorld({ name: 'PGlite' }, (providers) => [
      oauthApp(providers, { id: exactApp, redirectUrls: [exact] }),
      oauthApp(providers, { id: bareApp, redirectUrls: [] }),
      oauthApp(providers, {
        id: patternApp,
        redirectUrls: ['https://*.app.example/account/*', 'http://localhost:*/done', 'https://app.example/*'],
      }),
    ])
  })
  afterAll(() => world?.stop())

  test.each([
    'https://app.example.evil.example/',
    'https://app.example:8443/',
    'https://evil.example/https://app.example',
    'https://app.example@evil.example/',
    'https://user:secret@app.example/',
    'https://app.example\\@evil.example/',
    'https:\\\\app.example/',
    'https:/app.example/',
    'https:app.example',
    '//app.example/',
    '/after',
    'javascript:alert(1)//https://app.example',
    'data:text/html,<script>1</script>',
    'http://app.example/',
    'ftp://app.example/',
    'https://sub.app.example/',
    'https://app.example\n.evil.example/',
    ' https://app.example/',
    'https://app.examplе/',
    'https://app%2eexample/',
    `${site.replace('3000', '3001')}/`,
    'http://localhost:3000@evil.example/',
    'http://localhost.evil.example:3000/',
    '',
  ])('nothing begins that would return to %j', async (redirect_to) => {
    const refused = await new OAuthClient(world).init('google', { redirect_to })
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_data'])
  })

  test('where the app names its return addresses, one of them it must be, letter for letter', async () => {
    const client = new OAuthClient(world, { appId: exactApp })
    expect((await client.init('google', { redirect_to: exact })).status).toBe(200)
    for (const redirect_to of [
      site,
      `${exact}&more=1`,
      exact.slice(0, -1),
      `${exact}#`,
      exact.replace('/after', '/AFTER'),
      exact.replace('/after', '/x/../after'),
      exact.replace('localhost', 'LOCALHOST'),
    ]) {
      const refused = await client.init('google', { redirect_to })
      expect([redirect_to, refused.status]).toEqual([redirect_to, 400])
    }
  })

  test('an app that names no address to return to sends nobody anywhere', async () => {
    const client = new OAuthClient(world, { appId: bareApp })
    for (const redirect_to of [site, `${site}/`, 'https://app.example/', exact]) {
      const refused = await client.init('google', { redirect_to })
      expect([redirect_to, refused.status, refused.body.code]).toEqual([redirect_to, 400, 'invalid_data'])
    }
  })

  test('more than one address is meant only where a star says so', async () => {
    const client = new OAuthClient(world, { appId: patternApp })
    for (const redirect_to of [
      ...[
        'https://a.app.example/account/',
        'https://b.app.example/account/x?y=1#z',
        'http://localhost:3000/done',
      ],
      ...['http://localhost:81/done', 'https://app.example', 'https://app.example/', 'https://app.example/x'],
    ])
      expect([redirect_to, (await client.init('google', { redirect_to })).status]).toEqual([redirect_to, 200])
    for (const redirect_to of [
      ...['https://a.app.example/', 'https://a.app.example/account', 'https://a.app.example/accounts/x'],
      ...['https://a.app.example/account/../x', 'https://a.app.example/account/%2e%2e/x'],
      ...['https://a.b.app.example/account/', 'https://a.app.example:8443/account/'],
      ...['http://localhost:81/done/', 'http://localhost:81/done?x=1', 'http://a.localhost:81/done'],
      ...['https://app.example.evil.example/', 'https://app.example@evil.example/'],
    ])
      expect([redirect_to, (await client.init('google', { redirect_to })).status]).toEqual([redirect_to, 400])
  })

  test.each([
    'https://*',
    'https://*.example.com',
    'https://app.*.example/',
    'https://app.example/a*',
    'https://app.example/*/b',
    'https://app.example/*?x=*',
    '*',
    'https://*@app.example/*',
    'javascript:alert(1)',
  ])('%j is no pattern, and refused when the backend starts', (pattern) => {
    expect(() => readApps([{ id: bareApp, name: 'x', redirectUrls: [pattern] }])).toThrow(/redirectUrls/)
  })
})
