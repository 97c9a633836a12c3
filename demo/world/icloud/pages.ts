import { cspHash, escapeHtml } from '../html.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, sans-serif }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: light-dark(#fff, #101013); color: light-dark(#1d1d1f, #f5f5f7) }
main { width: 100%; max-width: 22rem; text-align: center }
.mark { width: 3.5rem; height: 3.5rem; margin: 0 auto 1.25rem; border-radius: 1rem; display: grid; place-items: center;
  font-size: 1.5rem; font-weight: 600; color: #fff; background: #2866b8 }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 .5rem }
p { margin: 0; color: light-dark(#5d5d64, #a5a5ad); font-size: .9375rem }
strong { color: inherit; font-weight: 600; overflow-wrap: anywhere }
form { margin-top: 1.5rem; text-align: start }
label { display: block; font-size: .875rem; font-weight: 600; margin-bottom: .375rem }
input { width: 100%; font: inherit; padding: .75rem .875rem; border-radius: .75rem; background: transparent;
  border: 1px solid light-dark(#86868b, #6e6e73); color: inherit }
.error { margin-top: .375rem; color: light-dark(#b3261e, #ff9a92); font-size: .875rem }
.actions { display: grid; gap: .625rem; margin-top: 1.25rem }
button { font: inherit; font-weight: 600; padding: .75rem 1rem; border-radius: .75rem; cursor: pointer;
  border: 1px solid light-dark(#d2d2d7, #424245); background: none; color: inherit }
button.main { border-color: transparent; background: #2866b8; color: #fff }
:is(button, input):focus-visible { outline: 2px solid light-dark(#2866b8, #7fb2f5); outline-offset: 2px }
.foot { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid light-dark(#e8e8ed, #2c2c2e); font-size: .8125rem }
`
/**
 * Notifies the opener of the window, and closes. The original doesn't know that page either: who may hear it is left to
 * the browser's one opener.
 */
const script = `
const answer = JSON.parse(document.querySelector('#answer').textContent)
opener?.postMessage(answer, '*')
close()
`

/** The window must stay its opener's, and is shown in no frame. */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${cspHash(style)}`,
    `script-src ${cspHash(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'form-action http: https:',
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><div class="mark" aria-hidden="true">iC</div>${body}</main></body></html>`

/** Asks who the person is. @param shown.failed what was typed and is no account name */
export function signInPage({
  action,
  container,
  failed,
}: {
  action: string
  container: string
  failed?: string
}): string {
  const error =
    failed === undefined
      ? ''
      : '<p class="error" id="error" role="alert">Use letters, digits and . _ + - or an e-mail address.</p>'
  return page(
    'Sign in to iCloud',
    `<h1>Sign in with your Apple Account</h1><p><strong>${escapeHtml(container)}</strong> would like to use iCloud.</p>
<form method="post" action="${escapeHtml(action)}">
<label for="login">Email or phone number</label>
<input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" autofocus
  value="${escapeHtml(failed ?? '')}"${error && ' aria-invalid="true" aria-describedby="error"'}>${error}
<div class="actions"><button class="main" name="answer" value="allow">Sign in</button>
<button name="answer" value="deny">Cancel</button></div>
</form>
<p class="foot">This stands in for Apple. Any name is an account, and there is no password.</p>`,
  )
}

/** Hands the answer over. Without an opener, the page says what to do. */
export function answerPage(answer: object): string {
  const json = JSON.stringify(answer).replaceAll('<', '\\u003c')
  return page(
    'iCloud',
    `<h1>You can close this window</h1><p>Go back to the app to continue.</p>
<script type="application/json" id="answer">${json}</script><script type="module">${script}</script>`,
  )
}

export const problemPage = (text: string) =>
  page('iCloud: something is wrong', `<h1>Authentication Error</h1><p>${escapeHtml(text)}</p>`)
