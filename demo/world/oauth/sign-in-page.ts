import { cspHash, escapeHtml } from '../html.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: light-dark(#f2f3f6, #121216); color: light-dark(#1b1c22, #ececf1) }
main { width: 100%; max-width: 23rem; padding: 2rem; border-radius: 1.25rem; background: light-dark(#fff, #1c1c22);
  border: 1px solid light-dark(#e3e4eb, #2d2d36); box-shadow: 0 1.5rem 3rem -1.5rem rgb(20 20 45 / 25%) }
.mark { width: 3rem; height: 3rem; border-radius: .875rem; display: grid; place-items: center; margin-bottom: 1.25rem;
  font-size: 1.375rem; font-weight: 700; color: #fff; background: #3b3b46 }
h1 { font-size: 1.375rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .375rem }
p { margin: 0; color: light-dark(#5d5e6c, #a3a3b1); font-size: .9375rem }
strong { color: light-dark(#1b1c22, #ececf1); font-weight: 600; overflow-wrap: anywhere }
label { display: block; font-size: .875rem; font-weight: 600; margin: 1.5rem 0 .375rem }
input { width: 100%; font: inherit; padding: .6875rem .875rem; border-radius: .625rem; background: transparent;
  border: 1px solid light-dark(#8b8c99, #6c6c7a); color: inherit }
.permissions { margin-top: 1rem } ul { margin: .25rem 0 0; padding-left: 1.25rem; font-size: .9375rem }
.error { margin-top: .375rem; color: light-dark(#b3261e, #ff9a92); font-size: .875rem }
.actions { display: grid; gap: .625rem; margin-top: 1.25rem }
button { font: inherit; font-weight: 600; padding: .6875rem 1rem; border-radius: .625rem; cursor: pointer;
  border: 1px solid light-dark(#d3d4dd, #3c3c47); background: none; color: inherit }
button.main { border-color: transparent; background: light-dark(#26262e, #ececf1); color: light-dark(#fff, #17171c) }
button:hover { filter: brightness(.95) }
:is(button, input):focus-visible { outline: 2px solid light-dark(#4f46c8, #a5a0ff); outline-offset: 2px }
.foot { margin-top: 1.25rem; padding-top: 1rem; border-top: 1px solid light-dark(#e9eaf0, #2d2d36); font-size: .8125rem }
.google .mark { background: #1a66d6 } .discord .mark { background: #5865f2 } .github .mark { background: #24292f }
.linkedin .mark { background: #0a66c2 } .twitter .mark { background: #0f1419 } .spotify .mark { background: #14793a }
.instagram .mark { background: #c1356f } .tiktok .mark { background: #17171f } .apple .mark { background: #55555c }
`

/** The page runs no script and loads nothing. After the form the person travels on to whichever site asked. */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${cspHash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'form-action http: https:',
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

interface Brand {
  id: string
  name: string
}

function page({ id, name }: Brand, title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main class="${id}"><div class="mark" aria-hidden="true">${escapeHtml(name.slice(0, 1))}</div>${body}</main></body></html>`
}

/**
 * A provider's sign-in page.
 * @param shown.action where its form goes; the button says which of the two was pressed
 * @param shown.failed what was typed and is no account name
 * @param shown.permissions what the asking app may do from then on
 */
export function signInPage(
  brand: Brand,
  {
    action,
    forWhom,
    failed,
    permissions = [],
  }: { action: string; forWhom: string; failed?: string; permissions?: readonly string[] },
): string {
  const list = permissions.map((permission) => `<li>${escapeHtml(permission)}</li>`).join('')
  const error =
    failed === undefined
      ? ''
      : '<p class="error" id="error" role="alert">Use letters, digits and . _ + - or an e-mail address.</p>'
  return page(
    brand,
    `Sign in to ${brand.name}`,
    `<h1>Sign in to ${escapeHtml(brand.name)}</h1><p>to continue to <strong>${escapeHtml(forWhom)}</strong></p>
${list && `<p class="permissions">${escapeHtml(forWhom)} wants to:</p><ul>${list}</ul>`}<form method="post" action="${escapeHtml(action)}">
<label for="login">Account name or email</label>
<input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" autofocus
  value="${escapeHtml(failed ?? '')}"${error && ' aria-invalid="true" aria-describedby="error"'}>${error}
<div class="actions"><button class="main" name="answer" value="allow">Sign in</button>
<button name="answer" value="deny">Deny</button></div>
</form>
<p class="foot">This stands in for ${escapeHtml(brand.name)}. Any name is an account, and there is no password.</p>`,
  )
}

/** What a person sees when the provider can't go on. */
export function problemPage(brand: Brand, text: string): string {
  return page(
    brand,
    `${brand.name}: something is wrong`,
    `<h1>This didn’t work</h1><p>${escapeHtml(text)}</p>`,
  )
}

const submit = 'document.forms[0].submit()'
/** The page may send its own form, and nothing else. */
export const formPostHeaders = {
  ...pageHeaders,
  'content-security-policy': `default-src 'none'; script-src ${cspHash(submit)}; base-uri 'none'; frame-ancestors 'none'; form-action http: https:`,
}

/** Carries an answer to the client by POST (OAuth 2.0 Form Post Response Mode). */
export function formPostPage(address: string, fields: Record<string, string>): string {
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Going back</title></head>
<body><form method="post" action="${escapeHtml(address)}">${inputs}<noscript><button>Continue</button></noscript></form>
<script>${submit}</script></body></html>`
}
