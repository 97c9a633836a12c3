import { cspHash } from '../html.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif }
body { margin: 0; background: light-dark(#f6f6f9, #131316); color: light-dark(#1d1d24, #ececf1) }
main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1rem }
header { display: flex; align-items: baseline; gap: 1rem; margin-bottom: 1.5rem }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0; flex: 1 }
button { font: inherit; font-size: .875rem; padding: .375rem .875rem; border: 1px solid light-dark(#d5d5de, #3a3a43);
  border-radius: .5rem; background: none; color: inherit; cursor: pointer }
button:hover { background: light-dark(#ececf2, #222228) }
button:focus-visible { outline: 2px solid light-dark(#4f46c8, #a5a0ff); outline-offset: 2px }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem }
li { padding: 1rem 1.25rem; border-radius: .75rem; background: light-dark(#fff, #1d1d22);
  border: 1px solid light-dark(#e4e4ec, #2c2c34) }
.meta { display: flex; gap: 1rem; justify-content: space-between; font-size: .875rem;
  color: light-dark(#5d5d6b, #a2a2b0) }
.to { overflow-wrap: anywhere }
time { white-space: nowrap }
.subject { margin: .25rem 0 0; font-weight: 600; overflow-wrap: anywhere }
.code { margin: .5rem 0; font: 600 1.75rem/1.2 ui-monospace, Menlo, Consolas, monospace; letter-spacing: .12em }
.body { margin: .5rem 0 0; font-size: .875rem; white-space: pre-wrap; overflow-wrap: anywhere;
  color: light-dark(#5d5d6b, #a2a2b0) }
.empty { padding: 3rem 1rem; text-align: center; color: light-dark(#5d5d6b, #a2a2b0) }
`

const script = `
const list = document.querySelector('ul'), empty = document.querySelector('.empty')
let shown = ''
function add(parent, tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  element.textContent = text
  parent.append(element)
  return element
}
async function refresh() {
  const text = await fetch('messages.json', { cache: 'no-store' }).then((r) => r.text(), () => shown)
  if (text === shown || !text.startsWith('[')) return
  shown = text
  const messages = JSON.parse(text)
  empty.hidden = messages.length > 0
  list.replaceChildren(...messages.map((message) => {
    const item = document.createElement('li')
    const meta = add(item, 'div', 'meta', '')
    add(meta, 'span', 'to', message.to)
    add(meta, 'time', '', new Date(message.at).toLocaleTimeString()).dateTime = message.at
    if (message.subject) add(item, 'p', 'subject', message.subject)
    if (message.code) add(item, 'div', 'code', message.code)
    add(item, 'p', 'body', message.body)
    return item
  }))
}
document.querySelector('button').addEventListener('click', () => fetch('messages.json', { method: 'DELETE' }).then(refresh))
refresh()
setInterval(refresh, 1000)
`

/** What the page may do: its own style and script, and asking for the messages. */
export const inboxPolicy = [
  "default-src 'none'",
  `style-src ${cspHash(style)}`,
  `script-src ${cspHash(script)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The inbox for people. It asks for new messages each second; texts get in as text only. */
export const inboxPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Inbox</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><header><h1>Inbox</h1><button type="button">Empty</button></header>
<p class="empty">No messages yet. Codes that the demo sends appear here.</p><ul aria-live="polite"></ul></main>
<script type="module">${script}</script></body></html>`
