import { cspHash, escapeHtml } from '../html.ts'
import type { Person } from './people.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif }
body { margin: 0; background: light-dark(#f6f6f9, #131316); color: light-dark(#1d1d24, #ececf1) }
main { max-width: 22rem; margin: 0 auto; padding: 3rem 1rem; text-align: center }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .5rem; overflow-wrap: anywhere }
p { margin: 0 0 1.5rem; color: light-dark(#5d5d6b, #a2a2b0); overflow-wrap: anywhere }
form { display: grid; gap: .5rem; margin: 0 }
button, input { font: inherit; min-height: 3rem; padding: 0 1rem; border-radius: .75rem; color: inherit;
  border: 1px solid light-dark(#d5d5de, #3a3a43); background: light-dark(#fff, #1d1d22) }
button { cursor: pointer }
button:hover { background: light-dark(#ececf2, #26262d) }
button:focus-visible, input:focus-visible { outline: 2px solid light-dark(#4f46c8, #a5a0ff); outline-offset: 2px }
.other { grid-template-columns: 1fr auto; margin-top: .5rem }
.decline { margin-top: 1.5rem }
small { color: light-dark(#5d5d6b, #a2a2b0) }
`

/** What these pages may do: their own style, and sending their own forms. */
export const phonePolicy = [
  "default-src 'none'",
  `style-src ${cspHash(style)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Asks whether the person wants to log in where `domain` is. */
export function askPage(
  asked: { channelToken: string; domain: string; uri: string },
  people: Person[],
): string {
  const channel = `<input type="hidden" name="channelToken" value="${escapeHtml(asked.channelToken)}">`
  const rows = people.map(
    ({ fid, displayName }) =>
      `<button name="fid" value="${fid}">Approve as ${escapeHtml(displayName)} <small>fid ${fid}</small></button>`,
  )
  return page(
    `Sign in to ${asked.domain}`,
    `<h1>Sign in to ${escapeHtml(asked.domain)}?</h1>
<p>${escapeHtml(asked.uri)} asks who you are. It can’t post for you.</p>
<form method="post" action="phone/approve">${channel}${rows.join('\n')}</form>
<form method="post" action="phone/approve" class="other">${channel}
<input name="fid" type="number" min="1" step="1" required aria-label="Another fid" placeholder="Another fid">
<button>Approve</button></form>
<form method="post" action="phone/decline" class="decline">${channel}<button>Decline</button></form>`,
  )
}

/** Asks whether an app may post for the person. */
export function askSignerPage(asked: { token: string; app: string; key: string }, people: Person[]): string {
  const token = `<input type="hidden" name="token" value="${escapeHtml(asked.token)}">`
  const rows = people.map(
    ({ fid, displayName }) =>
      `<button name="fid" value="${fid}">Approve as ${escapeHtml(displayName)} <small>fid ${fid}</small></button>`,
  )
  return page(
    `Connect ${asked.app}`,
    `<h1>May ${escapeHtml(asked.app)} post for you?</h1>
<p>Its key ${escapeHtml(asked.key)} could write in your name until you take that back.</p>
<form method="post" action="signer/approve">${token}${rows.join('\n')}</form>
<form method="post" action="signer/approve" class="other">${token}
<input name="fid" type="number" min="1" step="1" required aria-label="Another fid" placeholder="Another fid">
<button>Approve</button></form>
<form method="post" action="signer/decline" class="decline">${token}<button>Decline</button></form>`,
  )
}

/** The end of it, whichever it was. */
export const endPage = (title: string, text: string): string =>
  page(title, `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>`)

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} – Farcaster</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main>${body}</main></body></html>`
