import { cspHash, escapeHtml } from '../html.ts'
import type { Payment } from './desk.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif }
* { box-sizing: border-box }
body { margin: 0; background: light-dark(#f4f5f9, #111318); color: light-dark(#171a21, #f0f2f6) }
body.dark { color-scheme: dark } body.light { color-scheme: light }
main { max-width: 25rem; margin: 0 auto; padding: 2rem 1.25rem }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .75rem }
p { margin: 0 0 1rem; color: light-dark(#555d6e, #a0a8b8) }
dl { margin: 0 0 1.25rem; display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem }
dt { color: light-dark(#555d6e, #a0a8b8) } dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-weight: 600 }
form { display: grid; gap: .625rem; margin: 0 }
button, a.button { font: inherit; font-weight: 600; text-align: center; padding: .6875rem 1rem; border-radius: .625rem; cursor: pointer;
  border: 1px solid light-dark(#c7ccd8, #333a48); background: none; color: inherit; text-decoration: none }
.main { background: light-dark(#20242e, #eef0f5); color: light-dark(#fff, #15171c); border-color: transparent }
:is(button, a):focus-visible { outline: 2px solid light-dark(#4f46c8, #a5a0ff); outline-offset: 2px }
`

/** Pages of sellers may be in a frame; they send their own forms, and lead back to wherever they came from. */
export const pageHeaders = (script?: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${cspHash(style)}`,
    ...(script ? [`script-src ${cspHash(script)}`] : []),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
})

function page(seller: string, title: string, body: string, { theme = '', script = '' } = {}): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} – ${escapeHtml(seller)}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body class="${escapeHtml(theme)}"><main><h1>${escapeHtml(title)}</h1>${body}
<p><small>This stands in for ${escapeHtml(seller)}. Nobody pays anything.</small></p></main>${script && `<script>${script}</script>`}</body></html>`
}

const table = (rows: Readonly<Record<string, string>>) =>
  `<dl>${Object.entries(rows)
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('')}</dl>`

const names = {
  approve: 'Pay',
  slow: 'Pay, and wait long',
  decline: 'Pay with a card that is declined',
  'three-d-secure': 'Pay with 3-D Secure',
  'bank-transfer': 'Pay by bank transfer',
  abandon: 'Leave without paying',
} as const
export type Choice = keyof typeof names

/** Where one plays the buyer. @param given.fields what comes back with the choice */
export function payPage(
  seller: string,
  given: {
    title: string
    rows: Readonly<Record<string, string>>
    action: string
    fields: Readonly<Record<string, string>>
    choices: readonly Choice[]
    theme?: string
    script?: string
  },
): string {
  const { title, rows, action, fields, choices, theme, script } = given
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const buttons = choices.map(
    (choice, at) =>
      `<button name="play" value="${choice}"${at === 0 ? ' class="main"' : ''}>${names[choice]}</button>`,
  )
  return page(
    seller,
    title,
    `${table(rows)}<form method="post" action="${escapeHtml(action)}">${hidden.join('')}${buttons.join('\n')}</form>`,
    { ...(theme && { theme }), ...(script && { script }) },
  )
}

/** What has become of it. @param back where the page leads afterwards */
export function paymentPage(
  seller: string,
  payment: Pick<Payment, 'id' | 'state'>,
  { action, back, script }: { action: string; back?: string | undefined; script?: string | undefined },
): string {
  const titles = {
    'waiting-payment': 'Waiting for your transfer',
    authorizing: 'Your bank asks',
    pending: 'Processing payment',
    completed: 'Payment complete',
    failed: 'Payment failed',
  } as const
  const question =
    payment.state === 'authorizing'
      ? `<p>Is it you who pays?</p><form method="post" action="${escapeHtml(action)}"><input type="hidden" name="id" value="${escapeHtml(payment.id)}">
<button class="main" name="answer" value="yes">Confirm</button><button name="answer" value="no">Reject</button></form>`
      : '<p>You can close this window.</p>'
  const link = back ? `<p><a class="button" href="${escapeHtml(back)}">Continue</a></p>` : ''
  return page(seller, titles[payment.state], question + link, script ? { script } : {})
}

/** The end, or what is wrong. */
export const notePage = (seller: string, title: string, text: string, back?: string) =>
  page(
    seller,
    title,
    `<p>${escapeHtml(text)}</p>${back ? `<p><a class="button" href="${escapeHtml(back)}">Continue</a></p>` : ''}`,
  )
