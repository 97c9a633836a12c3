import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { createProofs } from '../devices/proofs.ts'
import type { Feature } from '../http/definition.ts'
import type { CoreServices, ServerEnv } from '../http/services.ts'
import { Unavailable } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'
import { VISIT_RETURN_PATH } from '../visits/return-address.ts'

const FILE = /^[\w-][\w.-]{0,127}\.(js|css|wasm|map)$/
const mediaTypes: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  wasm: 'application/wasm',
  map: 'application/json',
}
const file = v.pipe(v.string(), v.regex(FILE))
/** The script of each page, and what it imports at once. */
const manifest = v.object({
  main: file,
  export: v.optional(file),
  approval: v.optional(file),
  window: v.optional(file),
  return: v.optional(file),
  imports: v.optional(v.record(v.string(), v.array(file)), {}),
})
type PageName = Exclude<keyof v.InferOutput<typeof manifest>, 'imports'>

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

/** The pages on which the vault runs. */
export const vaultFeature: Feature = {
  start: (services) => ({ vaultRoutes: (server) => vaultRoutes(server, services) }),
}

/**
 * The vault's page, that of the key export, and their files. No text of a user and nothing of a request ever gets into
 * these pages: a script that came in with it could read shares.
 */
function vaultRoutes(server: Hono<ServerEnv>, services: CoreServices): void {
  const { apps, apiOrigin, vaultFiles, outside } = services
  const proofs = createProofs(services)

  async function scriptsOf(which: PageName, vault?: App['vault']): Promise<Scripts> {
    try {
      const files = v.parse(manifest, JSON.parse(await readFile(join(vaultFiles, 'manifest.json'), 'utf8')))
      // By the time that something is to be approved, the hidden frame of the same page has had its files fetched.
      const next = which === 'main' && vault === 'strict' ? files.approval : undefined
      return {
        main: v.parse(file, files[which]),
        together: files.imports[which] ?? [],
        later: next ? [next, ...(files.imports.approval ?? [])] : [],
      }
    } catch (cause) {
      throw new Unavailable('The vault has not been built.', { cause })
    }
  }

  function serve(path: string, which: PageName, drivesOf: (app: App) => Drives): void {
    server.get(path, async (c) => {
      const app = apps.find(c.req.param('appId') ?? '')
      c.header('permissions-policy', permissions)
      c.header('cross-origin-embedder-policy', 'require-corp')
      if (!app) {
        c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
        return c.html(page('<p>There is no such app.</p>'), 404)
      }
      const drives = drivesOf(app)
      // With an opener of its own a window could be cut off from it, which is the frame that it speaks with.
      if (which === 'window') c.header('cross-origin-opener-policy', 'unsafe-none')
      const pages = which === 'window' ? [] : app.allowedDomains
      c.header('content-security-policy', policy(pages, [apiOrigin, ...Object.values(drives)]))
      const settings = {
        appId: app.id,
        apiUrl: apiOrigin,
        allowedOrigins: app.allowedDomains,
        ...drives,
        vault: app.vault,
        rawSigning: app.vault === 'compatible' && app.rawSigning,
        // The contract of these accounts checks the owner's signature of a bare hash.
        ...(app.vault === 'compatible' &&
          app.smartWallets?.type === 'coinbase_smart_wallet' && { operationSigning: true }),
        appName: app.name,
        requireOwnRecovery: app.embeddedWallets.requireOwnRecovery,
        deviceProof: app.embeddedWallets.deviceProof,
        delegates: app.delegates,
        ...sponsorsOf(app),
        ...(app.vault === 'strict' && app.frameSpending.length > 0 && { frameSpending: true }),
        // The page is kept nowhere. What comes with it saves each frame's first call a refusal.
        ...(which !== 'window' && { proofNonce: proofs.nonce() }),
      }
      return c.html(page('', settings, await scriptsOf(which, app.vault)))
    })
  }

  /** Where the vault finds people's drives: for apps that offer them, and those whose people may have used them before. */
  function drivesOf({ embeddedWallets: { recoveryOptions }, googleDrive, icloud }: App): Drives {
    const { googleDriveUrl, cloudKitUrl } = outside
    return {
      ...((googleDrive || recoveryOptions.includes('google-drive')) && { googleDriveUrl }),
      ...((icloud || recoveryOptions.includes('icloud')) && { cloudKitUrl }),
    }
  }
  serve('/apps/:appId/embedded-wallets', 'main', drivesOf)
  // What it shows is on the device already, or was brought there by the other page.
  serve('/apps/:appId/embedded-wallets/export', 'export', () => ({}))

  serve('/apps/:appId/embedded-wallets/approval', 'approval', drivesOf)
  // It draws what the frame tells it, and asks no server.
  serve('/apps/:appId/embedded-wallets/approval/window', 'window', () => ({}))

  // Providers send users here, for every app; what they bring is handed to the vault's window, and no server is asked.
  server.get(VISIT_RETURN_PATH, async (c) => {
    c.header('permissions-policy', permissions)
    c.header('cross-origin-embedder-policy', 'require-corp')
    c.header('cross-origin-opener-policy', 'unsafe-none')
    c.header('content-security-policy', policy([], []))
    return c.html(page('', {}, await scriptsOf('return')))
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

/** The vault of a strict app names sponsors by nothing that comes by way of a page. */
function sponsorsOf({ vault, smartWallets }: App): { sponsors?: object[] } {
  const sponsors = (smartWallets?.networks ?? []).flatMap(({ chainId, sponsor }) =>
    (sponsor?.addresses ?? []).map((address) => ({
      chainId: Number(chainId.slice('eip155:'.length)),
      address,
      name: sponsor?.name,
    })),
  )
  return vault === 'strict' && sponsors.length > 0 ? { sponsors } : {}
}

interface Drives {
  googleDriveUrl?: string
  cloudKitUrl?: string
}

/**
 * Styles are constructed sheets only, which no policy asks about.
 * @param domains pages that may frame it
 * @param reached addresses that the page's script may call; a page that calls any also fetches its own later files ahead
 */
function policy(domains: readonly string[], reached: readonly string[]): string {
  const pages = domains.map((pattern) => (pattern.includes('://') ? pattern : `https://${pattern}`))
  return [
    "default-src 'none'",
    "script-src 'self'",
    `connect-src ${reached.length > 0 ? ["'self'", ...new Set(reached.map((address) => new URL(address).origin))].join(' ') : "'none'"}`,
    `frame-ancestors ${pages.length > 0 ? pages.join(' ') : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

interface Scripts {
  readonly main: string
  /** What the script imports, so that all are fetched at once. */
  readonly together: readonly string[]
  /** What another page of the vault is going to need. */
  readonly later: readonly string[]
}

function page(body: string, settings?: object, files?: Scripts): string {
  const json = JSON.stringify(settings)?.replaceAll('<', '\\u003c')
  const scripts =
    json && files
      ? [
          `<script type="application/json" id="settings">${json}</script>`,
          ...files.together.map((name) => `<link rel="modulepreload" href="/vault/${name}">`),
          `<script type="module" src="/vault/${files.main}"></script>`,
          ...files.later.map((name) => `<link rel="prefetch" as="script" href="/vault/${name}">`),
        ].join('')
      : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Wallet</title>${scripts}</head><body>${body}</body></html>`
}
