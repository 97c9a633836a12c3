import type { Hono } from 'hono'
import * as v from 'valibot'
import { type Call, post } from '../../http/post.ts'
import type { ServerEnv } from '../../http/services.ts'
import { normaliseEmail } from '../../lib/email-address.ts'
import { Refusal } from '../../lib/refusal.ts'
import { linkRoute, loginRoute, mode, transferRoute, unlinkRoute, updateRoute } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { beforeStart } from '../start.ts'
import type { CodeDevice } from './code-login.ts'
import { createLoginDevices } from './devices.ts'
import type { EmailLogin } from './email-login.ts'

const initBody = v.object({ email: v.string(), token: v.nullish(v.string()) })
const proof = { email: v.string(), code: v.string() }

/** Login with a code by e-mail. */
export function emailRoutes(api: Hono<ServerEnv>, services: LoginServices, emailLogin: EmailLogin): void {
  const { clientIp } = services
  const devices = createLoginDevices(services)
  const address = (text: string, otherwise: Refusal) => {
    const email = normaliseEmail(text)
    if (email === undefined) throw otherwise
    return email
  }
  const unreadable = () => new Refusal('invalid_data', 'Invalid or missing: email')
  const proveAddress = ({ c, app }: Call<unknown>, text: string, code: string, device?: CodeDevice) => {
    const email = address(text, new Refusal('invalid_credentials', 'This code is not valid.'))
    return emailLogin.prove(app, { to: email, code, device }, clientIp(c))
  }
  const prove = async (call: Call<{ email: string; code: string }>) =>
    proveAddress(call, call.body.email, call.body.code)

  api.post(
    '/api/v1/passwordless/init',
    post(services, {
      body: initBody,
      identify: devices.identify,
      async handle(call) {
        const { c, app, body } = call
        const email = address(body.email, unreadable())
        await beforeStart(services, call, 'email', body.token)
        await emailLogin.sendCode(app, email, { ip: clientIp(c), device: devices.sender(c) })
        return { body: { success: true } }
      },
    }),
  )
  api.post(
    '/api/v1/passwordless/authenticate',
    loginRoute(services, {
      body: v.object({ ...proof, mode }),
      method: 'email',
      identify: devices.identify,
      opened: devices.tell,
      prove: async (call) => proveAddress(call, call.body.email, call.body.code, devices.enrolling(call)),
    }),
  )
  api.post(
    '/api/v1/passwordless/link',
    linkRoute(services, { body: v.object(proof), method: 'email', prove }),
  )
  api.post(
    '/api/v1/passwordless/update',
    updateRoute(services, {
      body: v.object({ oldAddress: v.string(), newAddress: v.string(), code: v.string() }),
      method: 'email',
      account: async ({ body }) => ({ type: 'email', subject: address(body.oldAddress, unreadable()) }),
      prove: async (call) => proveAddress(call, call.body.newAddress, call.body.code),
    }),
  )
  api.post(
    '/api/v1/passwordless/transfer',
    transferRoute(services, {
      body: v.object({ nonce: v.string(), email: v.string() }),
      account: async ({ body }) => ({ type: 'email', subject: address(body.email, unreadable()) }),
    }),
  )
  api.post(
    '/api/v1/passwordless/unlink',
    unlinkRoute(services, {
      body: v.object({ address: v.string() }),
      account: async ({ body }) => ({ type: 'email', subject: address(body.address, unreadable()) }),
    }),
  )
}
