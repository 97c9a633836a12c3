/** The stand-in of the captcha's vendor for browser tests, and pages of several policies on which it can be loaded. */
import { tsImport } from 'tsx/esm/api'

const prefix = '/__captcha__'
const common = "default-src 'none'; style-src 'self'; connect-src 'self'; frame-src 'self'"
const trusted = "require-trusted-types-for 'script'; trusted-types"
const policies = {
  strict: `${common}; script-src 'self'; ${trusted} latchkey`,
  untrusting: `${common}; script-src 'self'; ${trusted} 'none'`,
  scriptless: `${common}; script-src 'none'`,
}

export async function captchaStandIn() {
  const { createTurnstile } = await tsImport('../../demo/world/turnstile/turnstile.ts', import.meta.url)
  const { app } = createTurnstile({ base: prefix })
  return async (context, next) => {
    if (!context.path.startsWith(prefix)) return next()
    const policy = policies[context.path.slice(`${prefix}/page-`.length)]
    if (policy) {
      context.set('content-security-policy', policy)
      context.type = 'html'
      context.body = '<!doctype html><title>A page</title>'
      return undefined
    }
    const parts = []
    for await (const part of context.req) parts.push(part)
    const answer = await app.request(context.url.slice(prefix.length), {
      method: context.method,
      headers: { 'content-type': context.get('content-type') },
      ...(parts.length > 0 && { body: Buffer.concat(parts) }),
    })
    context.status = answer.status
    for (const [name, value] of answer.headers) context.set(name, value)
    context.body = await answer.text()
    return undefined
  }
}
