import { createHash } from 'node:crypto'
import type { Handler } from 'hono'
import { deviceOf, type EnrolledDevice, noteUse } from '../devices/devices.ts'
import { createProofs, type ProvedKey } from '../devices/proofs.ts'
import { parseBody, readBody } from '../http/body.ts'
import { requireVault } from '../http/origins.ts'
import { type Call, type PostOptions, performPost } from '../http/post.ts'
import type { ServerContext, ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { isMissingRow } from '../store/database.ts'
import { refuseFrozen } from '../users/frozen.ts'
import { requireBearer, tokenOf } from './bearer.ts'
import type { GuardedPurpose, ShownFactor } from './second-factor.ts'
import type { SessionServices } from './services.ts'
import type { Bearer } from './tokens.ts'

/** Carries the proof of a second factor from the vault. */
const MFA_HEADER = 'latchkey-mfa'

/** What a handler of a POST gets that needs an access token. */
export type AuthorisedCall<Body> = Call<Body> & {
  bearer: Bearer
  /** About where they are, for people to read. */
  place: string
}
/** The same from the vault, on a browser that has proved its key; `id` where that is one of the person's. */
export type KeyCall<Body> = AuthorisedCall<Body> & {
  device: ProvedKey & { id?: string | undefined }
} & Shown
/** The same on a browser that is one of the person's. */
export type DeviceCall<Body> = AuthorisedCall<Body> & { device: EnrolledDevice } & Shown
/** The second factor that the guard has seen a proof of, if the person has one; and for what it has asked for one. */
type Shown = { secondFactor: ShownFactor | undefined; guardedFor: GuardedPurpose | undefined }

/** The proof of a second factor that people need who have one; a function where it depends on the call. */
type MfaOption<C> = { mfa?: GuardedPurpose | ((call: C) => Promise<GuardedPurpose | undefined>) }
/**
 * The text that the vault's window must have shown and the device key signed with this very request (the claim `stm` of
 * its proof), or `undefined` where no approval is needed. docs/security.md, "A token reads".
 */
type StatementOption<C> = { statement?: (call: C) => Promise<string | undefined> }
/** `whileFrozen`: also for a user whose account is frozen, such as what shows that it is theirs. */
type FrozenOption = { whileFrozen?: true }
type PageOptions<Body> = PostOptions<Body, AuthorisedCall<Body>> & FrozenOption & { fromVault?: false }
/** `any`: also for a key that is not enrolled. */
type KeyOptions<Body> = PostOptions<Body, KeyCall<Body>> &
  MfaOption<KeyCall<Body>> &
  FrozenOption & { fromVault: true; device: 'any' }
type DeviceOptions<Body> = PostOptions<Body, DeviceCall<Body>> &
  MfaOption<DeviceCall<Body>> &
  StatementOption<DeviceCall<Body>> &
  FrozenOption & { fromVault: true; device?: 'enrolled' }

/**
 * A POST that needs a valid access token of the app. With `fromVault` it needs a proof of the browser's key as well, and
 * that this key is one of the person's, unless `device` says otherwise. Where `mfa` says so, somebody with a second
 * factor must have shown one. A user whose account is frozen is refused (`account_frozen`), unless `whileFrozen` says otherwise.
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

  async function showSecondFactor(
    options: DeviceOptions<Body> | KeyOptions<Body>,
    call: KeyCall<Body>,
  ): Promise<Shown> {
    const { mfa } = options
    // What asks for an enrolled device has found one.
    const purpose = typeof mfa === 'function' ? await mfa(call as DeviceCall<Body>) : mfa
    if (purpose === undefined) return unguarded
    const { c, app, bearer, device } = call
    const who = { appId: app.id, ...bearer, thumbprint: device.thumbprint }
    const secondFactor = await services.mfa.require(who, purpose, c.req.header(MFA_HEADER))
    return { secondFactor, guardedFor: purpose }
  }

  /** @throws Refusal `approval_required` unless the device key signed the statement with this request */
  async function requireStatement(options: DeviceOptions<Body>, call: DeviceCall<Body>): Promise<void> {
    const text = await options.statement?.(call)
    if (text === undefined) return
    const hash = createHash('sha256').update(text).digest('base64url')
    if (call.device.statementHash !== hash)
      throw new Refusal('approval_required', 'Approve this in the window of your wallet.')
  }

  return async (c) => {
    if (options.fromVault) {
      requireVault(c, services)
      c.header('dpop-nonce', proofs.nonce())
    }
    // Before anything is kept: a token that ran out is renewed, and the very same request comes again.
    const bearer = await requireBearer(c, services)
    if (!options.whileFrozen) await refuseFrozen(services.database, bearer.userId)
    const device = options.fromVault ? await prove(c, bearer, options.device ?? 'enrolled') : undefined
    const bytes = await readBody(c)
    const app = c.get('app')
    const body = parseBody(bytes, options.body)
    const call = { c, app, body, bearer, device, place: services.placeOf(c), ...unguarded }
    if (options.fromVault && options.device !== 'any')
      await requireStatement(options, call as DeviceCall<Body>)
    // Before anything is kept, too: the very same request comes again with the proof.
    const shown = options.fromVault && device && (await showSecondFactor(options, { ...call, device }))
    // An answer that is kept is for the browser that asked first: another one of the same person asks for itself.
    const actor = device ? `${bearer.userId} ${device.thumbprint}` : bearer.userId
    try {
      return await performPost(
        services,
        options as PostOptions<Body, object & Call<Body>>,
        { ...call, ...shown },
        bytes,
        actor,
      )
    } catch (cause) {
      // Nothing can be stored for somebody who was deleted meanwhile, and their sessions are gone with them.
      if (isMissingRow(cause)) await requireBearer(c, services)
      throw cause
    }
  }
}

const unguarded: Shown = { secondFactor: undefined, guardedFor: undefined }
