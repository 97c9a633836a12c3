import type { Hono } from 'hono'
import * as v from 'valibot'
import { notKept } from '../../http/post.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { toSeconds } from '../../lib/time.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import { keySessionOf, sessionOf } from '../../wallets/calls.ts'
import { originOfVault } from './callers.ts'
import type { Enrolment, EnrolmentServices, Factor } from './enrolment.ts'
import type { Attempt, Caller } from './proof-kind.ts'

const nothing = v.strictObject({})
const accountId = v.pipe(v.string(), v.regex(/^\d{1,15}$/))
const anyKey = { fromVault: true, device: 'any' } as const

function factorView(factor: Factor) {
  switch (factor.type) {
    case 'wallet': {
      const { type, id, chainType, address } = factor
      return { type, id, chain_type: chainType, address }
    }
    case 'recovery': {
      const { type, method, rootAddress, chainType, salt, rounds, fileId, recordName } = factor
      return {
        ...{ type, method, salt, rounds },
        root_address: rootAddress,
        chain_type: chainType,
        file_id: fileId,
        record_name: recordName,
      }
    }
    default:
      return factor
  }
}

/** How a new device is enrolled: all but the first of these are for a key of the vault that need not be enrolled yet. */
export function enrolmentRoutes(
  api: Hono<ServerEnv>,
  services: EnrolmentServices,
  enrolment: Enrolment,
  callerOf: (c: ServerContext) => Caller,
): void {
  const { sessions } = services
  const attempt: v.GenericSchema<unknown, Attempt> = v.union(enrolment.kinds.map(({ body }) => body))

  api.post(
    '/api/v1/devices/proofs',
    postAsUser(services, {
      actor: notKept,
      body: nothing,
      async handle(call) {
        const session = sessionOf(call)
        const current = (await sessions.describe(session.sessionId))?.deviceId ?? undefined
        const factors = await enrolment.factors(session, current)
        return { body: { kinds: [...new Set(factors.map(({ type }) => type))] } }
      },
    }),
  )

  api.post(
    '/api/v1/devices/enroll/options',
    postAsUser(services, {
      ...anyKey,
      actor: notKept,
      body: nothing,
      async handle(call) {
        const session = keySessionOf(call)
        const factors = await enrolment.factors(session, session.device.id)
        return { body: { factors: factors.map(factorView) } }
      },
    }),
  )

  api.post(
    '/api/v1/devices/enroll/code',
    postAsUser(services, {
      ...anyKey,
      body: v.strictObject({ id: accountId }),
      async handle(call) {
        return {
          body: { hint: await enrolment.codes.send(keySessionOf(call), call.body.id, callerOf(call.c)) },
        }
      },
    }),
  )

  api.post(
    '/api/v1/devices/enroll/wallet',
    postAsUser(services, {
      ...anyKey,
      actor: notKept,
      body: v.strictObject({ id: accountId }),
      async handle(call) {
        const session = keySessionOf(call)
        return { body: { message: await enrolment.wallets.compose(session, call.body.id, callerOf(call.c)) } }
      },
    }),
  )

  api.post(
    '/api/v1/devices/enroll/passkey',
    postAsUser(services, {
      ...anyKey,
      actor: notKept,
      body: nothing,
      async handle(call) {
        const begun = await enrolment.passkeys.beginAssertion(keySessionOf(call), originOfVault(call.c))
        return {
          body: {
            challenge: begun.challenge,
            rp_id: begun.rpId,
            allow_credentials: begun.known.map(({ id, transports }) => ({
              id,
              type: 'public-key',
              transports,
            })),
            timeout: services.limits.passkeyTimeout,
            user_verification: 'required',
          },
        }
      },
    }),
  )

  api.post(
    '/api/v1/devices/enroll/request',
    postAsUser(services, {
      ...anyKey,
      body: nothing,
      async handle(call) {
        const { id, number, expiresAt } = await enrolment.requests.request(
          keySessionOf(call),
          callerOf(call.c),
        )
        return { body: { id, number, expires_at: toSeconds(expiresAt) } }
      },
    }),
  )

  api.post(
    '/api/v1/devices/enroll/request/:id',
    postAsUser(services, {
      ...anyKey,
      actor: notKept,
      body: nothing,
      async handle(call) {
        return {
          body: { status: await enrolment.requests.status(keySessionOf(call), call.c.req.param('id') ?? '') },
        }
      },
    }),
  )

  api.post(
    '/api/v1/devices/enroll',
    postAsUser(services, {
      ...anyKey,
      mfa: (call) => enrolment.mfaFor(keySessionOf(call), call.body),
      body: attempt,
      async handle(call) {
        const from = { caller: callerOf(call.c), secondFactor: call.secondFactor }
        return { body: { device_id: await enrolment.enrol(keySessionOf(call), call.body, from) } }
      },
    }),
  )
}
