import type { Handler } from 'hono'
import { deviceOf, type EnrolledDevice, noteUse } from '../devices/devices.ts'
import { createProofs, type ProvedKey } from '../devices/proofs.ts'
import { parseBody, readBody } from '../http/body.ts'
import { requireVault } from '../http/origins.ts'
import { type Call, type PostOptions, performPost } from '../http/post.ts'
import type { ServerContext, ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { requireBearer, tokenOf } from './bearer.ts'
import type { SessionServices } from './services.ts'
import type { Bearer } from './tokens.ts'

/** What a handler of a POST gets that needs an access token. */
export type AuthorisedCall<Body> = Call<Body> & { bearer: Bearer }
/** The same from the vault, on a browser that has proved its key; `id` where that is one of the person's. */
export type KeyCall<Body> = AuthorisedCall<Body> & { device: ProvedKey & { id?: string | undefined } }
/** The same on a browser that is one of the person's. */
export type DeviceCall<Body> = AuthorisedCall<Body> & { device: EnrolledDevice }

type PageOptions<Body> = PostOptions<Body, AuthorisedCall<Body>> & { fromVault?: false }
/** `any`: also for a key that is not enrolled. */
type KeyOptions<Body> = PostOptions<Body, KeyCall<Body>> & { fromVault: true; device: 'any' }
type DeviceOptions<Body> = PostOptions<Body, DeviceCall<Body>> & { fromVault: true; device?: 'enrolled' }

/**
 * A POST that needs a valid access token of the app. With `fromVault` it needs a proof of the browser's key as well, and
 * that this key is one of the person's, unless `device` says otherwise.
 */
export function postAsUser<Body>(services: SessionServices, options: DeviceOptions<Body>): Handler<ServerEnv>
export function postAsUser<Body>(services: SessionServices, options: KeyOptions<Body>): Handler<ServerEnv>
export function postAsUser<Body>(services: SessionServices, options: PageOptions<Body>): Handler<ServerEnv>
export function postAsUser<Body>(
  services: SessionServices,
  options: DeviceOptions<Body> | KeyOptions<Body> | PageOptions<Body>,
): Handler<ServerEnv> {
  const proofs = createProofs(services)

  async function prove(c: ServerContext, bearer: Bearer, needed: 'enrolled' | 'any') {
    const { database, clock, sessions } = services
    const key = await proofs.check(c, tokenOf(c))
    const owner = { appId: c.get('app').id, userId: bearer.userId }
    const device = await deviceOf(database, owner, key.thumbprint)
    if (!device && needed === 'enrolled')
      throw new Refusal('device_not_enrolled', 'This browser may not use the wallets of this person yet.')
    if (!device) return key
    await noteUse(database, device, clock())
    await sessions.noteDevice(database, bearer.sessionId, device.id)
    return { ...key, id: device.id }
  }

  return async (c) => {
    if (options.fromVault) {
      requireVault(c, services)
      c.header('dpop-nonce', proofs.nonce())
    }
    // Before anything is kept: a token that ran out is renewed, and the very same request comes again.
    const bearer = await requireBearer(c, services)
    const device = options.fromVault ? await prove(c, bearer, options.device ?? 'enrolled') : undefined
    const bytes = await readBody(c)
    const call = { c, app: c.get('app'), body: parseBody(bytes, options.body), bearer, device }
    // An answer that is kept is for the browser that asked first: another one of the same person asks for itself.
    const actor = device ? `${bearer.userId} ${device.thumbprint}` : bearer.userId
    return performPost(services, options as PostOptions<Body, typeof call>, call, bytes, actor)
  }
}
