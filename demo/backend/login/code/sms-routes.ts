import type { Hono } from 'hono'
import * as v from 'valibot'
import { readPhoneNumber } from '../../codes/phone-number.ts'
import { type Call, post } from '../../http/post.ts'
import type { ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { linkRoute, loginRoute, mode, transferRoute, unlinkRoute, updateRoute } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { beforeStart } from '../start.ts'
import type { CodeDevice } from './code-login.ts'
import { createLoginDevices } from './devices.ts'
import type { SmsLogin } from './sms-login.ts'

const initBody = v.object({ phoneNumber: v.string(), token: v.nullish(v.string()) })
const proof = { phoneNumber: v.string(), code: v.string() }
const path = '/api/v1/passwordless_sms'

/** Login with a code by SMS. */
export function smsRoutes(api: Hono<ServerEnv>, services: LoginServices, smsLogin: SmsLogin): void {
  const { clientIp } = services
  const devices = createLoginDevices(services)
  const number = (text: string, otherwise: Refusal) => {
    const read = readPhoneNumber(text)
    if (read === undefined) throw otherwise
    return read
  }
  const unreadable = (status?: number) =>
    new Refusal('invalid_data', 'This is not a phone number.', status === undefined ? {} : { status })
  const wrongCode = () => new Refusal('invalid_credentials', 'This code is not valid.')
  const prove = ({ c, app }: Call<unknown>, phoneNumber: string, code: string, device?: CodeDevice) =>
    smsLogin.prove(app, { to: number(phoneNumber, wrongCode()), code, device }, clientIp(c))
  const account = (phoneNumber: string) => ({
    type: 'phone' as const,
    subject: number(phoneNumber, unreadable()).e164,
  })

  api.post(
    `${path}/init`,
    post(services, {
      body: initBody,
      identify: devices.identify,
      async handle(call) {
        const { c, app, body } = call
        const to = number(body.phoneNumber, unreadable(422))
        await beforeStart(services, call, 'sms', body.token)
        const from = { ip: clientIp(c), origin: c.req.header('origin'), device: devices.sender(c) }
        await smsLogin.sendCode(app, to, from)
        return { body: { success: true } }
      },
    }),
  )
  api.post(
    `${path}/authenticate`,
    loginRoute(services, {
      body: v.object({ ...proof, mode }),
      method: 'sms',
      identify: devices.identify,
      opened: devices.tell,
      prove: async (call) => prove(call, call.body.phoneNumber, call.body.code, devices.enrolling(call)),
    }),
  )
  api.post(
    `${path}/link`,
    linkRoute(services, {
      body: v.object(proof),
      method: 'sms',
      prove: async (call) => prove(call, call.body.phoneNumber, call.body.code),
    }),
  )
  api.post(
    `${path}/update`,
    updateRoute(services, {
      body: v.object({ old_phone_number: v.string(), new_phone_number: v.string(), code: v.string() }),
      method: 'sms',
      account: async ({ body }) => account(body.old_phone_number),
      prove: async (call) => prove(call, call.body.new_phone_number, call.body.code),
    }),
  )
  api.post(
    `${path}/transfer`,
    transferRoute(services, {
      body: v.object({ nonce: v.string(), phoneNumber: v.string() }),
      account: async ({ body }) => account(body.phoneNumber),
    }),
  )
  api.post(
    `${path}/unlink`,
    unlinkRoute(services, {
      body: v.object({ phoneNumber: v.string() }),
      account: async ({ body }) => account(body.phoneNumber),
    }),
  )
}
