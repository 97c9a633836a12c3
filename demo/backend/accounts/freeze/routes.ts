import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { escapeHtml } from '../../outside/mail.ts'
import type { AccountServices } from '../services.ts'
import { createFreezing } from './freeze.ts'

const LINK = /^[\w-]{22}$/
const PATH = '/freeze/:link'

/**
 * The page of the link in a notice. It knows no app: the link says whose account it is. Only the press of its button freezes
 * anything, because mail scanners open every link.
 */
export function freezeRoutes(api: Hono<ServerEnv>, services: AccountServices): void {
  const freezing = createFreezing(services)
  const linkOf = (c: ServerContext) => {
    const text = c.req.param('link') ?? ''
    return LINK.test(text) ? text : undefined
  }
  const send = (c: ServerContext, status: 200 | 400, title: string, content: string) =>
    c.html(page(title, content), status, { 'content-security-policy': policy })
  const over = (c: ServerContext) =>
    send(
      c,
      400,
      'This link is no longer good',
      '<p>It was used before, or it is too old. If the account is frozen already, there is nothing left to do here.</p>',
    )

  api.get(PATH, async (c) => {
    const link = linkOf(c)
    const app = link && (await freezing.appOf(link))
    if (app === undefined) return over(c)
    const name = escapeHtml(app)
    return send(
      c,
      200,
      'Freeze your account?',
      `<p>Your account at ${name} will be logged out everywhere. Until you show that it is yours, its wallets can't be used, and nothing about it can be changed.</p>
<form method="post"><button>Freeze account</button></form>
<p>To use it again, log in at ${name} and show in the window of your wallet that it is yours.</p>`,
    )
  })
  api.post(PATH, async (c) => {
    const link = linkOf(c)
    const app = link && (await freeze(link, services.placeOf(c)))
    if (app === undefined) return over(c)
    const name = escapeHtml(app)
    return send(
      c,
      200,
      'Your account is frozen',
      `<p>It is logged out everywhere. To use it again, log in at ${name} and show in the window of your wallet that it is yours.</p>`,
    )
  })

  /** A user who was removed meanwhile has nothing left to freeze. */
  async function freeze(link: string, place: string): Promise<string | undefined> {
    try {
      return await freezing.freeze(link, place)
    } catch (cause) {
      if (cause instanceof Refusal) return undefined
      throw cause
    }
  }
}

const style =
  "body{margin:0;padding:32px 16px;background:#f4f4f7;color:#1d1d24;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}main{max-width:440px;margin:0 auto;padding:32px;background:#fff;border-radius:12px}h1{margin:0 0 16px;font-size:20px}p{margin:0 0 16px}button{margin:0 0 16px;padding:12px 20px;border:0;border-radius:8px;background:#b3261e;color:#fff;font:inherit;font-weight:600;cursor:pointer}"
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const page = (title: string, content: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>
${content}</main></body></html>`
