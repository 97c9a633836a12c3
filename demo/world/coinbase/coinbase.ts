import { join } from 'node:path'
import { build } from 'esbuild'
import { Hono } from 'hono'

/**
 * The window of Coinbase's wallet, which its SDK opens at `keysUrl`: it speaks the SDK's protocol over messages, asks the
 * person, and signs with a key that everybody knows. One difference: it does not ask who opens it.
 * @param options.base where it is mounted, such as `http://localhost:4805/coinbase`
 * @param options.chains nodes by chain id, which the window tells the SDK of
 */
export function createCoinbase({ base, chains }: { base: string; chains: Readonly<Record<number, string>> }) {
  let script: Promise<string> | undefined
  const page = windowPage.replace('{chains}', JSON.stringify(chains).replaceAll('"', '&quot;'))
  const app = new Hono()
    .get('/connect', (c) =>
      c.html(page, 200, {
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      }),
    )
    .get('/window.css', (c) => c.body(style, 200, { 'content-type': 'text/css; charset=utf-8' }))
    .get('/window.js', async (c) => {
      script ??= bundled()
      return c.body(await script, 200, { 'content-type': 'text/javascript; charset=utf-8' })
    })
  return { app, keysUrl: `${base}/connect` }
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'browser/window.ts')],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

const windowPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Coinbase Wallet</title><link rel="icon" href="data:,"><link rel="stylesheet" href="window.css"></head>
<body data-chains="{chains}"><main>
<h1>Coinbase Wallet</h1>
<p>This is the demo's stand-in. Its key is known to everybody.</p>
<p id="state" role="status">Waiting for the page that opened this window…</p>
<section id="question" aria-labelledby="what" hidden>
<h2 id="what"></h2><p id="who"></p><pre id="text" tabindex="0"></pre>
<p class="actions"><button id="reject" type="button">Reject</button> <button id="approve" type="button">Approve</button></p>
</section></main><script type="module" src="window.js"></script></body></html>`

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif }
body { margin: 0; background: light-dark(#f4f6fb, #10131a); color: light-dark(#14161c, #f1f3f8) }
main { max-width: 22rem; margin: 0 auto; padding: 2rem 1.25rem }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .5rem }
h2 { font-size: 1rem; margin: 1.5rem 0 0 }
p { margin: 0 0 1rem; color: light-dark(#576074, #9aa5ba) }
pre { max-height: 12rem; margin: 0 0 1rem; padding: .75rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .8125rem/1.5 ui-monospace, monospace; background: light-dark(#fff, #191e28); border-radius: .5rem }
pre:empty { display: none }
.actions { display: flex; gap: .75rem; margin: 0 }
button { flex: 1; font: inherit; font-weight: 600; padding: .625rem 1rem; border-radius: .5rem; cursor: pointer;
  border: 1px solid light-dark(#c3cad8, #2d3546); background: none; color: inherit }
#approve { background: #0052ff; border-color: #0052ff; color: #fff }
:focus-visible { outline: 2px solid light-dark(#0052ff, #7aa2ff); outline-offset: 2px }
`
