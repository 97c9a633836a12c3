import { chromium } from 'playwright-core'
import http from 'node:http'
const host = http.createServer((q, r) => { r.setHeader('content-type','text/html'); r.end('<!doctype html><title>host</title><body></body>') }).listen(3477, '127.0.0.1')
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
for (const origin of ['http://localhost:3477', 'http://127.0.0.1:3477']) {
  const ctx = await b.newContext(); const page = await ctx.newPage()
  page.on('console', m => console.log(origin, 'console', m.type(), m.text()))
  page.on('pageerror', e => console.log('pageerror', e.message))
  await page.addInitScript('globalThis.__name = (f) => f'); await page.goto(origin)
  const out = await page.evaluate(async () => {
    const h = { 'content-type': 'application/json', 'privy-app-id': 'latchkey-demo-open-000001', 'latchkey-session': 'cookie', 'idempotency-key': crypto.randomUUID() }
    const post = async (p: string, body: object) => { const r = await fetch('http://localhost:4891/api/v1/' + p, { method: 'POST', credentials: 'include', headers: {...h, 'idempotency-key': crypto.randomUUID()}, body: JSON.stringify(body) }); return [r.status, await r.json()] as const }
    const email = 'b' + Math.random().toString(36).slice(2) + '@example.com'
    const init = await post('passwordless/init', { email })
    const ms = await (await fetch('http://127.0.0.1:4899/messages.json')).json()
    const login = await post('passwordless/authenticate', { email, code: ms[0].code })
    const r1 = await post('sessions', {}); const r2 = await post('sessions', {})
    const fork = await post('sessions/fork', {})
    const out = await post('sessions/logout', {}); const r3 = await post('sessions', {})
    return [init, login[0], login[1].refresh_token, r1[0], r1[1].refresh_token, r1[1].session_update_action, r2[0], fork[0], out, r3, document.cookie]
  })
  console.log(origin, JSON.stringify(out))
  console.log(JSON.stringify(await ctx.cookies()))
  await page.evaluate(() => { const f = document.createElement('iframe'); f.src = 'http://localhost:4892/apps/latchkey-demo-open-000001/embedded-wallets?caid=&client_id='; f.allow = 'publickey-credentials-get; clipboard-write'; document.body.append(f) })
  await page.waitForTimeout(800)
}
const p = await b.newPage({ colorScheme: 'dark', viewport: { width: 700, height: 500 } }); p.on('console', m => console.log('inbox', m.text()))
await p.goto('http://127.0.0.1:4899/'); await p.waitForTimeout(500); await p.screenshot({ path: '/tmp/inbox-dark.png' })
const p2 = await b.newPage({ viewport: { width: 700, height: 500 } }); await p2.goto('http://127.0.0.1:4899/'); await p2.waitForTimeout(500); await p2.screenshot({ path: '/tmp/inbox-light.png' })
await b.close(); host.close()
