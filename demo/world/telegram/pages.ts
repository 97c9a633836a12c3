import { cspHash } from '../html.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif }
body { margin: 0; background: light-dark(#f1f4f7, #17212b); color: light-dark(#1d1d24, #f2f4f6) }
main { max-width: 22rem; margin: 0 auto; padding: 2.5rem 1.25rem }
.client main { max-width: 60rem; display: grid; gap: 1rem }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .5rem }
p { margin: 0 0 1rem; color: light-dark(#5c6873, #9aa9b7) }
label { display: block; font-size: .875rem; font-weight: 500; margin: 0 0 1rem }
input { box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .625rem .75rem; font: inherit; color: inherit;
  background: light-dark(#fff, #0e1621); border: 1px solid light-dark(#8696a5, #6b7c8c); border-radius: .5rem }
.actions { display: flex; gap: .75rem; margin: 0 }
button { flex: 1; font: inherit; font-weight: 600; padding: .625rem 1rem; border-radius: .5rem; cursor: pointer;
  border: 1px solid light-dark(#c5d0da, #2b3a48); background: none; color: inherit }
button[value=accept], .client button { background: #1f7ab8; border-color: #1f7ab8; color: #fff }
:focus-visible { outline: 2px solid light-dark(#1f7ab8, #6ab7ec); outline-offset: 2px }
form.row { display: grid; grid-template-columns: 1fr 2fr auto; gap: .75rem; align-items: end }
form.row label, form.row button { margin: 0 }
iframe { box-sizing: border-box; width: 24rem; max-width: 100%; height: 44rem; border: 1px solid light-dark(#c5d0da, #2b3a48);
  border-radius: .75rem; background: #fff }
iframe:not([src]) { display: none }
@media (max-width: 40rem) { form.row { grid-template-columns: 1fr } }
`

/** Asks the person; answers the page that opened this one, or sends them back to it. */
const authScript = `
const asked = new URLSearchParams(location.search)
const origin = asked.get('origin')
document.querySelector('#site').textContent = new URL(origin).host
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const accepted = event.submitter.value === 'accept'
  const name = new FormData(event.target).get('name')
  const result = accepted && await sign({ bot_id: asked.get('bot_id'), name })
  if (opener) {
    opener.postMessage(JSON.stringify({ event: 'auth_result', result, origin }), origin)
    close()
    return
  }
  const back = asked.get('return_to') ?? origin
  const fields = new URLSearchParams(result || {})
  location.replace(result ? back + (back.includes('?') ? '&' : '?') + fields : back)
})
async function sign(body) {
  const answer = await fetch('auth/sign', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return answer.ok && answer.json()
}
`

/** Starts the mini app in a frame, as Telegram's client in the browser does. */
const clientScript = `
const form = document.querySelector('form'), frame = document.querySelector('iframe')
form.elements.page.value = new URLSearchParams(location.search).get('page') ?? ''
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const answer = await fetch('client/start', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: form.elements.name.value }) })
  const { data } = await answer.json()
  const page = new URL(form.elements.page.value)
  page.hash = new URLSearchParams({ tgWebAppData: data, tgWebAppVersion: '8.0', tgWebAppPlatform: 'weba' }).toString()
  const next = document.createElement('iframe')
  next.title = 'Mini app'
  next.src = page.href
  document.querySelector('iframe').replaceWith(next)
})
`

const policy = (script: string, more: string) =>
  [
    "default-src 'none'",
    `style-src ${cspHash(style)}`,
    `script-src ${cspHash(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    more,
  ].join('; ')

const page = (title: string, name: string, body: string, script: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body class="${name}"><main>${body}</main><script type="module">${script}</script></body></html>`

export const authPage = page(
  'Telegram',
  'auth',
  `<h1>Log in with Telegram</h1>
<p><b id="site"></b> wants to know who you are. This is the demo's stand-in for Telegram: any name will do.</p>
<form><label>Name <input name="name" value="Ann Lee" required maxlength="64" autocomplete="off"></label>
<p class="actions"><button value="decline" formnovalidate>Decline</button> <button value="accept">Accept</button></p></form>`,
  authScript,
)
export const authPolicy = policy(authScript, "frame-ancestors 'none'")

export const clientPage = page(
  'Telegram client',
  'client',
  `<div><h1>Telegram client</h1><p>Starts a page as a mini app, with data that the bot's token has signed.</p></div>
<form class="row"><label>Name <input name="name" value="Ann Lee" required maxlength="64" autocomplete="off"></label>
<label>Page <input name="page" type="url" required></label> <button>Open mini app</button></form>
<iframe title="Mini app"></iframe>`,
  clientScript,
)
export const clientPolicy = policy(
  clientScript,
  'frame-src http://localhost:* http://127.0.0.1:* http://*.localhost:*',
)
