/** The pages of this server through which a request of another app begins and ends. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../outside/mail.ts'
import type { RequestMessage } from './requests.ts'

/** The page to which an app opens a window, and the one that hands the result to it. */
export const REQUEST_PATH = '/oauth/transact'
export const ANSWER_PATH = '/oauth/transact/answer'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Only a page of that very origin gets the message, whatever the window's opener shows by now. */
const script = `const { origin, message } = document.body.dataset
if (window.opener) window.opener.postMessage(JSON.parse(message), origin)
window.close()`
const style =
  "body{margin:0;padding:32px 16px;background:#f4f4f7;color:#1d1d24;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}main{max-width:440px;margin:0 auto;padding:32px;background:#fff;border-radius:12px}h1{margin:0 0 16px;font-size:20px}p{margin:0}"

const policyOf = (sources: string) =>
  `default-src 'none'; ${sources}style-src ${hashOf(style)}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/** Headers of a page that keeps the opener of its window: it reports to that. */
const keepsOpener = { 'cross-origin-opener-policy': 'unsafe-none' }

/** Hands a message to the page that has opened the window, and closes that. */
export const answerPage = ({ origin, message }: RequestMessage) => ({
  html: page(
    message.type === 'PRIVY_CROSS_APP_ACTION_RESPONSE' ? 'Done' : 'This request has ended',
    'You can close this window, and go back to the app.',
    ` data-origin="${escapeHtml(origin)}" data-message="${escapeHtml(JSON.stringify(message))}"`,
    `<script>${script}</script>`,
  ),
  headers: { ...keepsOpener, 'content-security-policy': policyOf(`script-src ${hashOf(script)}; `) },
})

/** Nobody is told anything: not even the app that asks is certain. */
export const refusedPage = {
  html: page(
    "This request can't be answered",
    'It is not from an app that may ask here, or it was answered before. Close this window, go back to the app and try again.',
  ),
  headers: { ...keepsOpener, 'content-security-policy': policyOf('') },
}

export const redirectHeaders = keepsOpener

function page(title: string, content: string, data = '', code = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body${data}><main><h1>${title}</h1>
<p>${content}</p></main>${code}</body></html>`
}
