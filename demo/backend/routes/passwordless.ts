import type { Hono } from 'hono'
import * as v from 'valibot'
import { normaliseEmail } from '../domain/email-address.ts'
import { Refusal } from '../domain/refusal.ts'
import type { ServerEnv, Services } from './context.ts'
import { post } from './post.ts'
import { usesCookie } from './refresh-cookie.ts'
import { sessionReply } from './session-reply.ts'

const initBody = v.object({ email: v.string(), token: v.nullish(v.string()) })
const authenticateBody = v.object({
  email: v.string(),
  code: v.string(),
  mode: v.nullish(v.picklist(['no-signup', 'login-or-sign-up']), 'login-or-sign-up'),
})

/** Login with a code by e-mail, wire 2.2. Room for: link, update, unlink, transfer. */
export function passwordlessRoutes(api: Hono<ServerEnv>, services: Services): void {
  const { emailLogin, clientIp } = services

  api.post(
    '/api/v1/passwordless/init',
    post(services, {
      body: initBody,
      async handle({ c, app, body }) {
        const email = normaliseEmail(body.email)
        if (email === undefined) throw new Refusal('invalid_data', 'Invalid or missing: email')
        await emailLogin.sendCode(app, email, clientIp(c))
        return { body: { success: true } }
      },
    }),
  )

  api.post(
    '/api/v1/passwordless/authenticate',
    post(services, {
      body: authenticateBody,
      async handle({ c, app, body: { code, mode, ...body } }) {
        const inCookie = usesCookie(c)
        const email = normaliseEmail(body.email)
        if (email === undefined) throw new Refusal('invalid_credentials', 'This code is not valid.')
        const { isNewUser, ...opened } = await emailLogin.logIn(app, { email, code, mode }, clientIp(c))
        return sessionReply(services, c, app, opened, { inCookie, isNewUser })
      },
    }),
  )
}
