/** The vault's pages on an origin of their own, a server behind them, and host pages on other sites. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'
import type { ExportHost } from '../../support/export-host/page.ts'
import { appId, createBackend, makeToken } from '../../vault/support/backend.ts'
import { expect } from './demo.ts'

export { appId }

const scripts = {
  '/main.js': 'src/vault/entry/main.ts',
  '/export.js': 'src/vault/export/main.ts',
  '/host.js': 'test/support/export-host/page.ts',
}
const base = `/apps/${appId}/embedded-wallets`

export type ExportSite = Awaited<ReturnType<typeof startExportSite>>

export async function startExportSite() {
  const backend = createBackend(() => origin('vault'))
  const files = new Map(
    await Promise.all(
      Object.entries(scripts).map(async ([name, file]) => {
        const options = { bundle: true, format: 'esm', target: 'es2022', write: false } as const
        const { outputFiles } = await build({ ...options, entryPoints: [file] })
        return [name, outputFiles[0]?.text ?? ''] as const
      }),
    ),
  )
  /** Everything that any server of this site was asked, as one text each. */
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const { url: path = '/', method = 'GET', headers } = request
    let body = ''
    for await (const part of request) body += part
    asked.push([method, headers.host, path, headers.referer, body].join(' '))
    const { pathname } = new URL(path, 'http://x')
    const send = (status: number, type: string, text: string, more: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...more }).end(text)
    const script = files.get(pathname)
    if (script !== undefined) return send(200, 'text/javascript', script)
    if (method === 'POST') {
      const answer = await backend.fetch(origin('vault') + path, { method, headers: headers as never, body })
      return send(answer.status, 'application/json', await answer.text(), Object.fromEntries(answer.headers))
    }
    if (pathname === base || pathname === `${base}/export`)
      return send(200, 'text/html', vaultPage(pathname === base ? '/main.js' : '/export.js'), policy)
    if (pathname === '/') return send(200, 'text/html', hostPage)
    if (pathname === '/strict')
      return send(200, 'text/html', hostPage, { 'content-security-policy': "frame-src 'none'" })
    return send(404, 'text/plain', '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = (name: string) => `http://${name}.localhost:${port}`
  const settings = { appId, apiUrl: origin('vault'), allowedOrigins: [origin('host')], vault: 'compatible' }
  /** As the backend sends it, but for `frame-ancestors`: here the page has to notice by itself who frames it. */
  const policy = {
    'content-security-policy': `default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'clipboard-write=(self), clipboard-read=()',
  }
  const vaultPage = (script: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Wallet</title><script type="application/json" id="settings">${JSON.stringify(
      settings,
    )}</script><script type="module" src="${script}"></script></head><body></body></html>`
  const hostPage = `<!doctype html><html lang="en" data-vault="${origin('vault')}" data-app="${appId}"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"><body style="background:#fff"><h1>Host</h1><button id="elsewhere">Elsewhere</button><div id="place" style="width:360px"></div><script type="module" src="/host.js"></script>`
  return {
    backend,
    asked,
    origin,
    exportPath: `${origin('vault')}${base}/export`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const light = {
  background: '#ffffff',
  background2: '#f2f3f7',
  foreground3: '#5b6070',
  foregroundAccent: '#ffffff',
  accent: '#4f46e5',
  accentDark: '#4338ca',
  success: '#0b7a4b',
}
export const dark = {
  background: '#16171d',
  background2: '#22242d',
  foreground3: '#a9adba',
  foregroundAccent: '#111111',
  accent: '#a5b4fc',
  accentDark: '#c7d2fe',
  success: '#5be3a5',
}

type View = Parameters<ExportHost['open']>[0]

/** What a page asks for, without a wallet that would be there. */
export const viewOf = (address: string): View => ({
  appId,
  ticket: 'a ticket',
  rootAddress: address,
  rootChain: 'ethereum',
  address,
  chainType: 'ethereum',
  walletIndex: 0,
  imported: false,
  colors: light,
  width: '100%',
})

/** A person on a host's page, with an Ethereum wallet on this device. */
export async function openHost(page: Page, site: ExportSite, user: string) {
  const accessToken = makeToken(user)
  await page.goto(site.origin('host'))
  await page.waitForFunction(() => window.exportHost !== undefined)
  const ask = (event: string, data: object = {}) =>
    page.evaluate(
      ([event, data]): Promise<object> =>
        window.exportHost.ask(event as 'privy:wallet:create', data as never),
      [event, { accessToken, ...data }] as const,
    ) as Promise<Record<string, string>>
  const { address = '' } = await ask('privy:wallet:create')
  let tickets = 0
  return {
    page,
    accessToken,
    address,
    ask,
    /** The export frame of a wallet of this person's, the Ethereum one without anything else said. */
    async export(view: Partial<View> = {}) {
      const ticket = `ticket-${user}-${tickets++}`
      site.backend.state.tickets.add(ticket)
      const whole = { ...viewOf(address), ticket, ...view }
      await page.evaluate(([view, token]) => window.exportHost.open(view, token), [
        whole,
        accessToken,
      ] as const)
      return page.frameLocator('#place iframe')
    },
    heard: () => page.evaluate(() => window.exportHost.heard),
    async hears(news: string | RegExp) {
      await expect.poll(async () => (await this.heard()).join('\n')).toMatch(news)
    },
    close: () => page.evaluate(() => window.exportHost.close()),
  }
}
