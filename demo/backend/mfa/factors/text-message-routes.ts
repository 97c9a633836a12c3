import type { Hono } from 'hono'
import * as v from 'valibot'
import { createCodes } from '../../codes/codes.ts'
import { readPhoneNumber, requireSendable } from '../../codes/phone-number.ts'
import { createSmsGateway } from '../../codes/sms-gateway.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import type { SessionServices } from '../../sessions/services.ts'
import type { App } from '../../settings/app.ts'
import { refuseFrozen } from '../../users/frozen.ts'
import { notEnrolled } from '../../wallets/context.ts'
import {
  addition,
  anyKey,
  change,
  code,
  type FactorChanges,
  nothing,
  purpose,
  requireOffered,
} from './factor-changes.ts'
import { createTextMessages } from './text-messages.ts'

const phoneNumber = v.string()

/** Codes by text message: sent, added as a factor, verified, removed. */
export function textMessageRoutes(
  api: Hono<ServerEnv>,
  services: SessionServices,
  { statement, enrol, unenrol, verified }: FactorChanges,
): void {
  const { database, limits, outside, log, clock, clientIp, vaultOrigins } = services
  const messages = createTextMessages({
    database,
    limits,
    clock,
    codes: createCodes(services),
    sms: createSmsGateway(outside.sms, limits, log),
  })

  function number(app: App, text: string): string {
    const read = readPhoneNumber(text)
    if (!read) throw new Refusal('invalid_data', 'This is not a phone number.', { status: 422 })
    requireSendable(app, read)
    return read.e164
  }
  /** A code is typed where the app has it typed: in a strict one in the vault's own field, whoever had it sent. */
  const asking = (c: ServerContext, { vault }: App) => ({
    ip: clientIp(c),
    origin: vault === 'strict' ? vaultOrigins.at(-1) : c.req.header('origin'),
  })

  const sms = '/api/v1/mfa/passwordless_sms'
  const smsInit = v.variant('action', [
    v.strictObject({ action: v.literal('verify') }),
    v.strictObject({ action: v.literal('enroll'), phoneNumber }),
  ])
  const beginSms = postAsUser(services, {
    ...anyKey,
    mfa: async ({ body }) => (body.action === 'enroll' ? 'adding' : undefined),
    body: smsInit,
    async handle({ c, app, bearer, body, device }) {
      if (body.action === 'verify') await messages.send(app, bearer.userId, asking(c, app))
      else {
        requireOffered(app, 'sms')
        if (device.id === undefined) throw notEnrolled()
        await refuseFrozen(database, bearer.userId)
        await messages.begin(app, bearer.userId, number(app, body.phoneNumber), asking(c, app))
      }
      return { body: { success: true } }
    },
  })
  const verifySms = postAsUser(services, {
    whileFrozen: true,
    body: v.strictObject({ action: v.literal('verify') }),
    async handle({ c, app, bearer }) {
      await messages.send(app, bearer.userId, asking(c, app))
      return { body: { success: true } }
    },
  })
  api.post(`${sms}/init`, (c, next) => {
    // The page has a code sent that verifies; a number that is to be a factor comes from the vault.
    const isVault = c.req.header('dpop') !== undefined
    return (isVault ? beginSms : verifySms)(c, next)
  })
  api.post(
    `${sms}/enroll`,
    postAsUser(services, {
      ...addition,
      statement: (call) => statement(call, { action: 'add', factor: 'sms', subject: call.body.phoneNumber }),
      body: v.strictObject({ code, phoneNumber, action: v.nullish(v.literal('enroll')) }),
      async handle(call) {
        const { c, app, bearer, body } = call
        requireOffered(app, 'sms')
        const phone = number(app, body.phoneNumber)
        const judge = messages.confirm(app, bearer.userId, phone, body.code, clientIp(c))
        return enrol(call, 'sms', judge, (tx) => messages.add(tx, app, bearer.userId, phone))
      },
    }),
  )
  api.post(
    `${sms}/verify`,
    postAsUser(services, {
      ...anyKey,
      body: v.strictObject({ code, purpose }),
      async handle(call) {
        const { c, app, bearer, body } = call
        const judge = messages.judge(app, bearer.userId, body.code, clientIp(c))
        return verified(call, 'sms', judge)
      },
    }),
  )
  api.post(
    `${sms}/unenroll`,
    postAsUser(services, {
      ...change,
      statement: (call) => statement(call, { action: 'remove', factor: 'sms', subject: '' }),
      body: nothing,
      handle: (call) => unenrol(call, 'sms', (tx) => messages.remove(tx, call.bearer.userId)),
    }),
  )
}
