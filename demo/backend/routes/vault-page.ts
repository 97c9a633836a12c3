import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hono } from 'hono'
import * as v from 'valibot'
import type { App } from '../domain/app-settings.ts'
import { Unavailable } from '../domain/refusal.ts'
import type { ServerEnv, Services } from './context.ts'

const FILE = /^[\w-][\w.-]{0,127}\.(js|css|wasm|map)$/
const mediaTypes: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  wasm: 'application/wasm',
  map: 'application/json',
}
const manifest = v.object({ main: v.pipe(v.string(), v.regex(FILE)) })

const switchedOff = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
const permissions = [
  ...switchedOff.map((feature) => `${feature}=()`),
  'publickey-credentials-get=(self)',
  'publickey-credentials-create=(self)',
  'clipboard-write=(self)',
].join(', ')

/** The vault's page (wire 7.1) and its files. No text of a user ever gets into this page (security §2.1). */
export function vaultRoutes(server: Hono<ServerEnv>, { apps, apiOrigin, vaultFiles }: Services): void {
  async function mainScript(): Promise<string> {
    try {
      return v.parse(manifest, JSON.parse(await readFile(join(vaultFiles, 'manifest.json'), 'utf8'))).main
    } catch (cause) {
      throw new Unavailable('The vault has not been built.', { cause })
    }
  }

  server.get('/apps/:appId/embedded-wallets', async (c) => {
    const app = apps.find(c.req.param('appId'))
    c.header('permissions-policy', permissions)
    c.header('cross-origin-embedder-policy', 'require-corp')
    c.header(
      'content-security-policy',
      app ? policy(app, apiOrigin) : "default-src 'none'; frame-ancestors 'none'",
    )
    if (!app) return c.html(page('<p>There is no such app.</p>'), 404)
    const settings = { appId: app.id, apiUrl: apiOrigin, allowedOrigins: app.allowedDomains }
    return c.html(page('', settings, await mainScript()))
  })

  server.get('/vault/:file', async (c) => {
    const type = mediaTypes[FILE.exec(c.req.param('file'))?.[1] ?? '']
    const bytes = type && (await readFile(join(vaultFiles, c.req.param('file'))).catch(() => undefined))
    if (!type || !bytes) return c.json({ error: 'There is no such file.' }, 404)
    c.header('cache-control', 'public, max-age=31536000, immutable')
    c.header('cross-origin-resource-policy', 'same-origin')
    // A file may run as a worker of the page, and then these are its own rules.
    c.header('cross-origin-embedder-policy', 'require-corp')
    c.header('content-security-policy', `default-src 'none'; script-src 'self'; connect-src ${apiOrigin}`)
    return c.body(new Uint8Array(bytes), 200, { 'content-type': type })
  })
}

function policy(app: App, apiOrigin: string): string {
  const pages = app.allowedDomains.map((pattern) =>
    pattern.includes('://') ? pattern : `https://${pattern}`,
  )
  return [
    "default-src 'none'",
    "script-src 'self'",
    `connect-src ${apiOrigin}`,
    `frame-ancestors ${pages.length > 0 ? pages.join(' ') : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function page(body: string, settings?: object, main?: string): string {
  const json = JSON.stringify(settings)?.replaceAll('<', '\\u003c')
  const scripts =
    json && main
      ? `<script type="application/json" id="settings">${json}</script><script type="module" src="/vault/${main}"></script>`
      : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Wallet</title>${scripts}</head><body>${body}</body></html>`
}
