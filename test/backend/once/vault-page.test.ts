import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simple7702Account } from '../../../src/ethereum/wallet-code.ts'
import { apiUrl, compatibleApp, openApp, startWorld, type World } from '../support/world.ts'

const tricky = {
  id: 'latchkey-tests-tricky-001',
  name: '</script><script>alert(1)</script>',
  allowedDomains: ['app.example.com', 'https://*.example.org', 'http://localhost:*'],
}
const common = { name: 'Drives', allowedDomains: ['http://localhost:*'] }
const offering = {
  ...common,
  id: 'latchkey-tests-drives-001',
  embeddedWallets: { recoveryOptions: ['google-drive' as const, 'user-passcode' as const] },
}
/** Offers no drive any more, but people whose wallets need one are still there. */
const former = {
  ...common,
  id: 'latchkey-tests-drives-002',
  googleDrive: { clientId: 'one', clientSecret: 'two' },
  icloud: { apiToken: 'three', container: 'iCloud.example', environment: 'production' as const },
}

/** Whose pages may ask for whatever they want, and whose people are to approve all of it. */
const enforcing = {
  smartWallets: {
    type: 'safe' as const,
    networks: [
      {
        chainId: 'eip155:8453',
        bundlerUrl: 'https://bundler.example',
        sponsor: { name: 'Gas Tank', addresses: [`0x${'ab'.repeat(20)}`] },
      },
    ],
  },
  id: 'latchkey-test-enforce-001',
  name: 'Enforcing',
  allowedDomains: ['http://localhost:*'],
  vault: 'compatible' as const,
  rawSigning: true,
  enforceWalletUis: true,
}

describe('the vault page', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ name: 'PGlite' }, { moreApps: [tricky, offering, former, enforcing] })
  })
  afterAll(() => world?.stop())
  const both = () => [world.backend.api, world.backend.vault]
  const nonce = /(?<="proofNonce":")\d+\.[\w-]{43}(?=")/
  const path = (appId: string) => `/apps/${appId}/embedded-wallets?caid=x&client_id=y`

  test('is the same on both listeners: settings, one script, nothing else', async () => {
    for (const server of both()) {
      const answer = await server.request(path(compatibleApp))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
      const settings = JSON.stringify({
        appId: compatibleApp,
        apiUrl,
        allowedOrigins: ['http://localhost:*', 'http://127.0.0.1:*', 'http://*.localhost:*'],
        vault: 'compatible',
        rawSigning: false,
        appName: 'Latchkey Demo (compatible)',
        requireOwnRecovery: false,
        deviceProof: 'optional',
        delegates: [simple7702Account],
        proofNonce: 'NONCE',
      })
      expect((await answer.text()).replace(nonce, 'NONCE')).toBe(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Wallet</title>' +
          `<script type="application/json" id="settings">${settings}</script>` +
          '<script type="module" src="/vault/main-abc123.js"></script></head><body></body></html>',
      )
    }
  })

  test('vault page: names the contracts that pay fees to the vault of a strict app alone', async () => {
    const sponsors = JSON.stringify([{ chainId: 8453, address: `0x${'ab'.repeat(20)}`, name: 'Gas Tank' }])
    for (const server of both()) {
      expect(await (await server.request(path(enforcing.id))).text()).toContain(`"sponsors":${sponsors}`)
      expect(await (await server.request(path(compatibleApp))).text()).not.toContain('"sponsors"')
    }
  })

  test('is strict where an app enforces that people approve, whatever else it says', async () => {
    for (const server of both()) {
      const text = await (await server.request(path(enforcing.id))).text()
      expect(text).toContain('"vault":"strict","rawSigning":false')
    }
    const { vault_mode: mode } = await (
      await world.backend.api.request(`/api/v1/apps/${enforcing.id}`, {
        headers: { 'privy-app-id': enforcing.id },
      })
    ).json()
    expect(mode).toBe('strict')
  })

  test('may be framed by the app’s pages only, and may do nothing but its work', async () => {
    for (const server of both()) {
      const { headers } = await server.request(path(tricky.id))
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; connect-src 'self' http://localhost:4801; " +
          'frame-ancestors https://app.example.com https://*.example.org http://localhost:*; ' +
          "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      )
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      const permissions = headers.get('permissions-policy')
      expect(permissions).toContain('camera=()')
      expect(permissions).toContain('publickey-credentials-get=(self)')
      expect(permissions).toContain('clipboard-write=(self)')
    }
  })

  test('reaches the drives that the app offers or has offered, and no others', async () => {
    const drives = {
      googleDriveUrl: 'https://www.googleapis.com',
      cloudKitUrl: 'https://api.apple-cloudkit.com',
    }
    for (const [appId, reached, told] of [
      [openApp, '', {}],
      [offering.id, ' https://www.googleapis.com', { googleDriveUrl: drives.googleDriveUrl }],
      [former.id, ' https://www.googleapis.com https://api.apple-cloudkit.com', drives],
    ] as const) {
      const answer = await world.backend.vault.request(path(appId))
      expect(answer.headers.get('content-security-policy')).toContain(
        `connect-src 'self' ${apiUrl}${reached}; frame-ancestors`,
      )
      const settings = JSON.parse(/id="settings">(.*?)<\/script>/.exec(await answer.text())?.[1] ?? '')
      const { appId: id, apiUrl: api, allowedOrigins, googleDriveUrl, cloudKitUrl } = settings
      const more = { ...(googleDriveUrl && { googleDriveUrl }), ...(cloudKitUrl && { cloudKitUrl }) }
      expect([id, api, allowedOrigins.length > 0, more]).toEqual([appId, apiUrl, true, told])
    }
  })

  test('has a page beside it that shows keys: another script, the same rules, no drives', async () => {
    for (const server of both()) {
      const answer = await server.request(`/apps/${former.id}/embedded-wallets/export?background=%23fff`)
      const text = await answer.text()
      expect([answer.status, text.match(/<script[^>]*src="[^"]*"/g)]).toEqual([
        200,
        ['<script type="module" src="/vault/export-abc123.js"'],
      ])
      expect(text).not.toContain('googleapis')
      // Nothing of the request: what it wishes for is read by the script.
      expect(text).not.toContain('fff')
      const policy = answer.headers.get('content-security-policy')
      expect(policy).toContain(
        `script-src 'self'; connect-src 'self' ${apiUrl}; frame-ancestors http://localhost:*;`,
      )
      expect(policy).not.toContain('unsafe')
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'permissions-policy': expect.stringContaining('clipboard-write=(self)'),
      })
      expect((await server.request('/apps/latchkey-demo-none-000099/embedded-wallets/export')).status).toBe(
        404,
      )
    }
  })

  test('has no script for an unknown app, and no text of the app that could be one', async () => {
    for (const server of both()) {
      const unknown = await server.request(path('latchkey-demo-none-000099'))
      expect(unknown.status).toBe(404)
      expect(await unknown.text()).not.toContain('<script')
      expect(unknown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(await (await server.request(path(tricky.id))).text()).not.toContain('<script>alert(1)')
    }
  })

  test('draws approvals in a frame of the app’s pages, and in a window that is framed by none', async () => {
    for (const server of both()) {
      const at = async (end: string) => {
        const answer = await server.request(`/apps/${tricky.id}/embedded-wallets/approval${end}`)
        const policy = answer.headers.get('content-security-policy')
        const opener = answer.headers.get('cross-origin-opener-policy')
        return { status: answer.status, policy, opener, text: await answer.text() }
      }
      const frame = await at('')
      expect(frame).toMatchObject({ status: 200, opener: 'same-origin' })
      expect(frame.policy).toContain('frame-ancestors https://app.example.com')
      expect(frame.text).toContain('<script type="module" src="/vault/approval-abc123.js">')
      const window = await at('/window')
      // With a policy of its own for openers it would be cut off from the frame that has opened it.
      expect(window).toMatchObject({ status: 200, opener: 'unsafe-none' })
      expect(window.policy).toContain("frame-ancestors 'none'")
      expect(window.text).toContain('<script type="module" src="/vault/window-abc123.js">')
      for (const { text } of [frame, window])
        expect(text).toContain('<link rel="modulepreload" href="/vault/screens-abc123.js">')
    }
  })

  test('of a strict app has the files of the next approval fetched, and of another app not', async () => {
    const server = world.backend.vault
    const strict = await (await server.request(path(tricky.id))).text()
    for (const name of ['approval-abc123.js', 'screens-abc123.js'])
      expect(strict).toContain(`<link rel="prefetch" as="script" href="/vault/${name}">`)
    expect(await (await server.request(path(compatibleApp))).text()).not.toContain('prefetch')
  })

  test('comes with its files, which never change', async () => {
    for (const server of both()) {
      const file = await server.request('/vault/main-abc123.js')
      expect([file.status, await file.text()]).toEqual([200, 'export {}\n'])
      expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      for (const hidden of [
        'manifest.json',
        'secrets.json',
        '..%2fsecrets.json',
        '%2e%2e%2fsecrets.json',
        'none.js',
      ])
        expect((await server.request(`/vault/${hidden}`)).status).toBe(404)
    }
  })

  test('is all that the separate listener serves, but for whether it is alive and ready', async () => {
    const { vault } = world.backend
    for (const probe of ['/livez', '/readyz', '/healthz'])
      expect(await (await vault.request(probe)).json(), probe).toEqual({ ok: true })
    for (const other of ['/', `/api/v1/apps/${openApp}`, `/api/v1/apps/${openApp}/jwks.json`])
      expect((await vault.request(other, { headers: { 'privy-app-id': openApp } })).status).toBe(404)
  })

  test('says that it is not built when it is not', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'latchkey-no-vault-'))
    const unbuilt = await startWorld({ name: 'PGlite' }, { vaultFiles: empty })
    const answer = await unbuilt.backend.api.request(path(openApp))
    expect([answer.status, await answer.json()]).toEqual([503, { error: 'The vault has not been built.' }])
    await unbuilt.stop()
    await rm(empty, { recursive: true })
  })
})
