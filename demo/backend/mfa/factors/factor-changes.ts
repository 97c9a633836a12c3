import * as v from 'valibot'
import { loadUser, type User } from '../../accounts/user.ts'
import { userView } from '../../accounts/user-view.ts'
import { noteOwn } from '../../audit/audit.ts'
import type { AuditAction } from '../../audit/tables.ts'
import type { Reply } from '../../http/post.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AuthorisedCall, KeyCall } from '../../sessions/post-as-user.ts'
import {
  type MfaMethod,
  type MfaPurpose,
  mfaPurposes,
  type ShownFactor,
} from '../../sessions/second-factor.ts'
import type { SessionServices } from '../../sessions/services.ts'
import type { App } from '../../settings/app.ts'
import type { Transaction } from '../../store/database.ts'
import { createNotices, type Notice } from '../../users/notices.ts'
import { statementFor } from '../../wallets/context.ts'
import { statements } from '../../wallets/proofs.ts'
import { issueMfaToken } from '../guard.ts'
import { methodsOf } from '../methods.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { createVerification, type Judge, type Trying } from './verification.ts'

/** Who has a factor shows one before anything about factors changes. */
export const change = { fromVault: true, mfa: 'factors' } as const
/** The same where nothing is taken away. */
export const addition = { fromVault: true, mfa: 'adding' } as const
/**
 * Verified on any key of the vault: what enrols a browser is shown before it is the person's. Also in a frozen account, which
 * ends with such a proof.
 */
export const anyKey = { fromVault: true, device: 'any', whileFrozen: true } as const

/** A body that says nothing. */
export const nothing = v.strictObject({})
/** The six digits that a factor asks for. */
export const code = v.pipe(v.string(), v.regex(/^\d{6}$/))
/** What a verification is for, in the body that asks for it. */
export const purpose = v.nullish(v.picklist(mfaPurposes))

/** @throws Refusal `feature_not_enabled` */
export function requireOffered({ mfaMethods }: App, method: MfaMethod): void {
  if (!mfaMethods.includes(method))
    throw new Refusal('feature_not_enabled', 'This second factor is not enabled for this app.')
}

export type FactorChanges = ReturnType<typeof createFactorChanges>

/** What the routes of all factors have in common: a factor comes, goes or is verified, is noted, and people are told. */
export function createFactorChanges(services: SessionServices) {
  const { database, clock } = services
  const notices = createNotices(services)
  const verification = createVerification({ ...services, notices })
  const recoveryCodes = createRecoveryCodes(services)

  async function load(app: App, userId: string): Promise<User> {
    const user = await loadUser(database, app.id, userId)
    if (!user) throw new Refusal('missing_or_invalid_token', 'This user no longer exists.')
    return user
  }
  const userReply = async ({ app, bearer }: AuthorisedCall<unknown>) => ({
    body: userView(await load(app, bearer.userId)),
  })
  const tryingOf = ({ app, bearer, device }: KeyCall<unknown>): Trying => ({
    appId: app.id,
    ...bearer,
    thumbprint: device.thumbprint,
    deviceId: device.id,
  })
  const note = (
    tx: Transaction,
    { app, bearer, place }: AuthorisedCall<unknown>,
    action: AuditAction,
    details: Record<string, unknown> = {},
  ) => noteOwn(tx, { app, userId: bearer.userId, place }, action, clock(), details)
  const tell = ({ app, bearer }: AuthorisedCall<unknown>, notice: Notice) =>
    notices.tell({ app, userId: bearer.userId }, notice)

  /** Whoever has just set a factor up need not show it again for what they add next. */
  const proofOfEnrolment = (tx: Transaction, call: KeyCall<unknown>, factor: MfaMethod) =>
    issueMfaToken(tx, tryingOf(call), { factor, purpose: 'enrolment' }, clock())

  /** A verified code makes a factor. */
  async function enrol(
    call: KeyCall<unknown>,
    factor: MfaMethod,
    judge: Judge,
    add: (tx: Transaction) => Promise<void> = async () => {},
  ): Promise<Reply> {
    const token = await verification.tried(call.app, tryingOf(call), judge, async (tx) => {
      await add(tx)
      await note(tx, call, 'factor-added', { factor })
      return proofOfEnrolment(tx, call, factor)
    })
    tell(call, { what: 'factor-added', factor })
    return { body: { ...(await userReply(call)).body, token } }
  }
  /** What stands in for factors goes with the last of them. */
  async function removed(tx: Transaction, call: AuthorisedCall<unknown>, factor: MfaMethod): Promise<void> {
    await note(tx, call, 'factor-removed', { factor })
    if ((await methodsOf(tx, call.bearer.userId)).length === 0)
      await recoveryCodes.remove(tx, call.bearer.userId)
  }
  async function unenrol(
    call: AuthorisedCall<unknown>,
    factor: MfaMethod,
    remove: (tx: Transaction) => Promise<boolean>,
  ): Promise<Reply> {
    const was = await database.transaction(async (tx) => {
      const isGone = await remove(tx)
      if (isGone) await removed(tx, call, factor)
      return isGone
    })
    if (was) tell(call, { what: 'factor-removed', factor })
    return { body: { success: true } }
  }
  async function verified(
    call: KeyCall<{ purpose?: MfaPurpose | null | undefined }>,
    factor: ShownFactor,
    judge: Judge,
  ): Promise<Reply> {
    const purpose = call.body.purpose ?? 'use'
    const token = await verification.token(call.app, tryingOf(call), { factor, purpose }, judge)
    return { body: { token } }
  }

  /** The text that the window must have shown before a factor of somebody with a wallet changes. */
  const statement = (call: AuthorisedCall<unknown>, change: Parameters<typeof statements.factorChange>[1]) =>
    statementFor(database, call, (signer) => statements.factorChange(signer, change))

  return { load, userReply, note, tell, statement, proofOfEnrolment, enrol, removed, unenrol, verified }
}
