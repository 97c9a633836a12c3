import type { Hono } from 'hono'
import * as v from 'valibot'
import { notKept } from '../../http/post.ts'
import type { ServerEnv } from '../../http/services.ts'
import { toSeconds } from '../../lib/time.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import { deviceSessionOf, sessionOf } from '../../wallets/calls.ts'
import { isGuarded, signerOf } from '../../wallets/context.ts'
import { statements } from '../../wallets/proofs.ts'
import type { Enrolment, EnrolmentServices } from './enrolment.ts'

const nothing = v.strictObject({})
const number = v.pipe(v.string(), v.regex(/^\d{2}$/))

/** Requests of new devices, as an enrolled device sees and decides them. */
export function requestRoutes(
  api: Hono<ServerEnv>,
  services: EnrolmentServices,
  { requests }: Enrolment,
): void {
  api.post(
    '/api/v1/devices/requests/count',
    postAsUser(services, {
      actor: notKept,
      body: nothing,
      async handle(call) {
        return { body: { count: await requests.count(sessionOf(call)) } }
      },
    }),
  )

  api.post(
    '/api/v1/devices/requests',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: nothing,
      async handle(call) {
        const found = await requests.list(deviceSessionOf(call))
        return {
          body: {
            requests: found.map(({ id, name, place, thumbprint, numbers, createdAt, expiresAt }) => ({
              ...{ id, name, place, thumbprint, numbers },
              created_at: toSeconds(createdAt),
              expires_at: toSeconds(expiresAt),
            })),
          },
        }
      },
    }),
  )

  api.post(
    '/api/v1/devices/requests/:id/approve',
    postAsUser(services, {
      fromVault: true,
      mfa: 'device',
      body: v.strictObject({ number }),
      async statement(call) {
        const session = deviceSessionOf(call)
        const { id, thumbprint } = await requests.pending(session, call.c.req.param('id') ?? '')
        if (!(await isGuarded(services.database, session.app, session.userId))) return undefined
        return statements.deviceApproval(signerOf(session), {
          requestId: id,
          thumbprint,
          number: call.body.number,
        })
      },
      async handle(call) {
        await requests.approve(deviceSessionOf(call), call.c.req.param('id') ?? '', call.body.number)
        return { body: {} }
      },
    }),
  )

  api.post(
    '/api/v1/devices/requests/:id/deny',
    postAsUser(services, {
      fromVault: true,
      body: nothing,
      async handle(call) {
        await requests.deny(deviceSessionOf(call), call.c.req.param('id') ?? '')
        return { body: {} }
      },
    }),
  )
}
