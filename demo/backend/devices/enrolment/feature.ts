import type { Hono } from 'hono'
import * as v from 'valibot'
import { createCodes } from '../../codes/codes.ts'
import { createSmsGateway } from '../../codes/sms-gateway.ts'
import type { Feature } from '../../http/definition.ts'
import type { ServerEnv } from '../../http/services.ts'
import { toSeconds } from '../../lib/time.ts'
import { requireBearer } from '../../sessions/bearer.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { deviceSessionOf } from '../../wallets/calls.ts'
import { statementFor } from '../../wallets/context.ts'
import { statements } from '../../wallets/proofs.ts'
import { devicesOf } from '../devices.ts'
import { deviceRequests, devices, usedProofs, vaultPasskeys } from '../tables.ts'
import { callers } from './callers.ts'
import { createEnrolment, type Enrolment, type EnrolmentServices } from './enrolment.ts'
import { enrolmentRoutes } from './enrolment-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { requestRoutes } from './request-routes.ts'

/** The browsers of a user: how they are enrolled, seen and removed. */
export const deviceFeature: Feature<EnrolmentServices> = {
  tables: [devices, deviceRequests, vaultPasskeys, usedProofs],
  async sweep(database, _, now) {
    await deleteInBatches(database, usedProofs.expiresAt, now)
    await deleteInBatches(database, deviceRequests.expiresAt, now)
  },
  start: (services) => ({
    // By the time that routes are registered every feature has added its kinds of proof.
    routes(api) {
      const { outside, limits, log } = services
      const enrolment = createEnrolment({
        ...services,
        codes: createCodes(services),
        sms: createSmsGateway(outside.sms, limits, log),
      })
      deviceRoutes(api, services, enrolment)
      enrolmentRoutes(api, services, enrolment, callers(services))
      requestRoutes(api, services, enrolment)
      passkeyRoutes(api, services, enrolment)
    },
  }),
}

function deviceRoutes(api: Hono<ServerEnv>, services: EnrolmentServices, enrolment: Enrolment): void {
  const { database, sessions } = services

  api.get('/api/v1/devices', async (c) => {
    const { userId, sessionId } = await requireBearer(c, services)
    const current = (await sessions.describe(sessionId))?.deviceId
    const found = await devicesOf(database, { appId: c.get('app').id, userId })
    return c.json({
      devices: found.map(({ id, name, place, createdAt, lastUsedAt }) => ({
        id,
        name,
        place,
        created_at: toSeconds(createdAt),
        last_used_at: toSeconds(lastUsedAt),
        current: id === current,
      })),
    })
  })

  api.post(
    '/api/v1/devices/:id/remove',
    postAsUser(services, {
      fromVault: true,
      mfa: 'device',
      statement: (call) =>
        statementFor(database, call, (signer) =>
          statements.deviceRemoval(signer, { deviceId: call.c.req.param('id') ?? '' }),
        ),
      body: v.strictObject({}),
      async handle(call) {
        await enrolment.remove(deviceSessionOf(call), call.c.req.param('id') ?? '')
        return { body: {} }
      },
    }),
  )
}
