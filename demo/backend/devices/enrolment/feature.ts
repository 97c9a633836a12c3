import { lt } from 'drizzle-orm'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { createCodes } from '../../codes/codes.ts'
import { createSmsGateway } from '../../codes/sms-gateway.ts'
import type { Feature } from '../../http/definition.ts'
import { notKept } from '../../http/post.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { toSeconds } from '../../lib/time.ts'
import { requireBearer } from '../../sessions/bearer.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { address, bytes, passwordProof, proof, uuid } from '../../wallets/bodies.ts'
import { deviceSessionOf, keySessionOf } from '../../wallets/calls.ts'
import { statementFor } from '../../wallets/context.ts'
import { statements } from '../../wallets/proofs.ts'
import { appearanceOf } from '../describe.ts'
import { devicesOf } from '../devices.ts'
import { devices, usedProofs } from '../tables.ts'
import { createEnrolment, type Factor, type Showing } from './enrolment.ts'

const showing = v.pipe(
  v.union([
    v.strictObject({ factor: v.picklist(['login', 'mfa']) }),
    v.strictObject({ factor: v.literal('code'), code: v.pipe(v.string(), v.regex(/^\d{6}$/)) }),
    v.strictObject({ factor: v.literal('recovery'), root: address, proof: passwordProof }),
    v.strictObject({ factor: v.literal('recovery'), root: address, verifier: bytes(32) }),
    v.strictObject({ factor: v.literal('share'), root: address, set_id: uuid, proof }),
  ]),
  v.transform((given): Showing => {
    if (given.factor === 'share') {
      const { factor, root, set_id: setId } = given
      return { factor, root, setId, proof: given.proof }
    }
    if (given.factor !== 'recovery') return given
    const { factor, root } = given
    return { factor, root, shown: 'proof' in given ? { proof: given.proof } : { verifier: given.verifier } }
  }),
)

const factorView = (factor: Factor) => {
  if (factor.type !== 'recovery') return factor
  const { type, method, rootAddress, chainType, salt, rounds, fileId, recordName } = factor
  return {
    type,
    method,
    root_address: rootAddress,
    chain_type: chainType,
    salt,
    rounds,
    file_id: fileId,
    record_name: recordName,
  }
}

/** The browsers of a person: how they are enrolled, seen and removed. */
export const deviceFeature: Feature<SessionServices> = {
  tables: [devices, usedProofs],
  async sweep(database, _, now) {
    await database.delete(usedProofs).where(lt(usedProofs.expiresAt, now))
  },
  start: (services) => ({ routes: (api) => deviceRoutes(api, services) }),
}

function deviceRoutes(api: Hono<ServerEnv>, services: SessionServices): void {
  const { database, sessions, outside, limits, log, clientIp } = services
  const enrolment = createEnrolment({
    ...services,
    codes: createCodes(services),
    sms: createSmsGateway(outside.sms, limits, log),
  })
  const from = (c: ServerContext) => ({
    ...appearanceOf(c, services),
    ip: clientIp(c),
    origin: c.req.header('origin'),
  })

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
    '/api/v1/devices/enroll/options',
    postAsUser(services, {
      whileFrozen: true,
      fromVault: true,
      device: 'any',
      actor: notKept,
      body: v.strictObject({}),
      async handle(call) {
        const { factors, moreFrom } = await enrolment.factors(keySessionOf(call))
        const more = moreFrom !== undefined && { more_from: toSeconds(moreFrom) }
        return { body: { factors: factors.map(factorView), ...more } }
      },
    }),
  )

  api.post(
    '/api/v1/devices/enroll/code',
    postAsUser(services, {
      whileFrozen: true,
      fromVault: true,
      device: 'any',
      body: v.strictObject({ id: v.pipe(v.string(), v.regex(/^\d{1,15}$/)) }),
      async handle(call) {
        return { body: { hint: await enrolment.sendCode(keySessionOf(call), call.body.id, from(call.c)) } }
      },
    }),
  )

  api.post(
    '/api/v1/devices/enroll',
    postAsUser(services, {
      whileFrozen: true,
      fromVault: true,
      device: 'any',
      mfa: (call) => enrolment.mfaFor(keySessionOf(call), call.body),
      body: showing,
      async handle(call) {
        return {
          body: {
            device_id: await enrolment.enrol(keySessionOf(call), call.body, {
              ...from(call.c),
              shown: call.secondFactor,
            }),
          },
        }
      },
    }),
  )

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
