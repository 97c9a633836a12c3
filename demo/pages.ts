import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { type BuildOptions, build } from 'esbuild'
import { Hono } from 'hono'
import { createMooring } from './site/server/mooring.ts'
import { bundleWallets, type WalletsOfPage } from './world/wallet/bundle.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '..')

/** One file of JavaScript for a page, made in memory. */
async function bundle(entry: string, options: BuildOptions = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    ...options,
  })
  return outputFiles?.[0]?.text ?? ''
}

/** As JSON in a quoted attribute. */
const attribute = (value: object) =>
  JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Replaces the `{name}`s of a page that have a value. */
const fillIn = (page: string, values: Readonly<Record<string, string>>) =>
  page.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

const text = (path: string) => readFile(join(here, path), 'utf8')
const javascript = { 'content-type': 'text/javascript; charset=utf-8' }

export interface SiteSettings {
  api: string
  vault: string
  inbox: string
  gallery: string
  world: string
  captchaScriptUrl: string
  apps: readonly {
    id: string
    clientId: string
    name: string
    vault: 'strict' | 'compatible'
    logoUrl?: string
    wallets?: boolean
    /** Its users add funds to their wallets. */
    funding?: boolean
    /** Its server acts with wallets of its users. */
    permissions?: boolean
  }[]
  /** What pages reach that have wallet logins, or embedded wallets which send something. */
  wallets: {
    chains: Readonly<Record<number, string>>
    solanaRpcUrl: string
    solanaWsUrl: string
    relayUrl: string
    /** The window of Coinbase's wallet. */
    coinbaseKeysUrl: string
  }
}

/** A page of an app on which its users answer other apps. */
async function answerPage(name: 'connect' | 'transact', title: string) {
  const [page, section, script] = await Promise.all([
    text('site/answer-app.html'),
    text(`site/${name}.html`),
    bundle(`site/${name}.ts`),
  ])
  return { html: fillIn(page, { title, script: name, section }), script }
}

/** The demo's host page, under the strictest policy that elements must work with. */
export async function sitePages(settings: SiteSettings): Promise<Hono> {
  const [html, css, script, connect, transact, walletsScript] = await Promise.all([
    text('site/index.html'),
    text('site/style.css'),
    bundle('site/main.ts'),
    answerPage('connect', 'Connect with {appName}'),
    answerPage('transact', 'Review a request in {appName}'),
    bundleWallets(),
  ])
  /** The strictest policy, and for apps whose logins need somebody's script what that takes (docs/elements.md). */
  const policy = ({ outside = false, ownLogin = false, networks = false, funding = false } = {}) => {
    const { api, vault, world } = settings
    const from = outside ? ` ${api} ${world}` : ''
    const { chains, solanaRpcUrl, solanaWsUrl, relayUrl } = settings.wallets
    const nodes = [
      ...Object.values(chains),
      solanaRpcUrl,
      solanaWsUrl,
      relayUrl,
      `${world}/bridge/`,
      `${world}/x402/`,
      `${world}/bundler/`,
      `${world}/paymaster/`,
    ]
    const reached = networks ? ` ${nodes.join(' ')}` : ''
    return [
      "default-src 'none'",
      `script-src 'self'${from}`,
      "style-src 'self'",
      `connect-src 'self' ${api}${ownLogin ? ` ${world}` : from}${reached}`,
      // Guests pay in a frame of the seller's.
      `frame-src ${vault}${from || (funding ? ` ${world}` : '')}`,
      "img-src 'self' data:",
      "require-trusted-types-for 'script'",
      `trusted-types ${outside ? 'latchkey' : "'none'"}`,
    ].join('; ')
  }

  /** Somebody without any extension has these, and is asked in the page. */
  const demoWallets: WalletsOfPage = {
    ethereum: [{}],
    solana: [{}],
    ask: true,
    chains: settings.wallets.chains,
    solanaRpcUrl: settings.wallets.solanaRpcUrl,
  }
  const fill = (page: string, id: string | undefined) => {
    const asked = settings.apps.find((app) => app.id === id) ?? settings.apps[0]
    const {
      id: appId = '',
      clientId = '',
      name: appName = '',
      logoUrl: appLogo = '',
      wallets = false,
      funding = false,
      permissions = false,
    } = asked ?? {}
    const values: Record<string, string> = {
      ...settings,
      apps: '',
      wallets: '',
      external: '',
      funding: funding ? 'yes' : '',
      permissions: permissions ? 'yes' : '',
      appId,
      clientId,
      appName,
      appLogo,
      networks: attribute(settings.wallets),
      ...(wallets && {
        external: 'yes',
        wallets: `<script defer src="/wallets.js" data-wallets="${attribute(demoWallets)}"></script>`,
      }),
    }
    return { appId, funding, page: page.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '') }
  }

  return (
    new Hono()
      .get('/', (c) => {
        const { appId, funding, page } = fill(html, c.req.query('app'))
        const outside = /captcha|every|nowallet/.test(appId)
        return c.html(page, 200, {
          'content-security-policy': policy({
            outside,
            ownLogin: /custom/.test(appId),
            networks: true,
            funding,
          }),
        })
      })
      // An app asks its user here whether another app may know who that is: in no frame, where others could draw over it.
      .get('/connect', (c) =>
        c.html(fill(connect.html, c.req.query('app')).page, 200, {
          'content-security-policy': `${policy()}; frame-ancestors 'none'`,
          'referrer-policy': 'no-referrer',
        }),
      )
      // And here what another app asks of a wallet. The window reports to its opener in the end, so that has to stay.
      .get('/transact', (c) =>
        c.html(fill(transact.html, c.req.query('app')).page, 200, {
          'content-security-policy': `${policy({ networks: true })}; frame-ancestors 'none'`,
          'referrer-policy': 'no-referrer',
        }),
      )
      .get('/transact.js', (c) => c.body(transact.script, 200, javascript))
      .get('/connect.js', (c) => c.body(connect.script, 200, javascript))
      .get('/style.css', (c) => c.text(css, 200, { 'content-type': 'text/css; charset=utf-8' }))
      .get('/main.js', (c) => c.body(script, 200, javascript))
      .get('/wallets.js', (c) => c.body(walletsScript, 200, javascript))
      .route('/mooring', createMooring({ api: settings.api }))
      .get('/apps.json', (c) => c.json(settings.apps))
      .use(
        '/latchkey/*',
        serveStatic({
          root: join(resolve(root, process.env.LATCHKEY_DIST ?? 'dist'), 'cdn'),
          rewriteRequestPath: (path) => path.replace('/latchkey', ''),
        }),
      )
  )
}

/** Every screen in every example, by URL. Its script is made when somebody first looks at it: most who start the demo don't. */
export async function galleryPages(): Promise<Hono> {
  const html = await text('gallery/index.html')
  let script: Promise<string> | undefined
  return new Hono()
    .get('/', (c) => c.html(html))
    .get('/main.js', async (c) => {
      script ??= bundle('gallery/main.tsx', { jsx: 'automatic', jsxImportSource: '@emotion/react' })
      return c.body(await script, 200, javascript)
    })
}
