import { eq } from 'drizzle-orm'
import type { Codes } from '../../codes/codes.ts'
import type { SmsGateway } from '../../codes/sms-gateway.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { MfaPurpose, ShownFactor } from '../../sessions/second-factor.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { hintOf } from '../../users/addresses.ts'
import { createNotices } from '../../users/notices.ts'
import { users } from '../../users/tables.ts'
import { type DeviceSession, type KeySession, lockUser, type UserSession } from '../../wallets/context.ts'
import { requireAnyPresent } from '../../wallets/recovery/present.ts'
import { admit, dismiss, unfreeze } from './admit.ts'
import { createCodeProof } from './code-proof.ts'
import { createDeviceRequests, hasOtherDevice } from './device-requests.ts'
import { createLoginProof, isLoginEnough } from './login-proof.ts'
import type { Attempt, Caller, ProofKind } from './proof-kind.ts'
import { type ProviderFactor, providerFactors } from './provider-factors.ts'
import { createRecoveryProof, type RecoveryFactor } from './recovery-proof.ts'
import { countedFactors, createSecondFactorProof, factorsAlone } from './second-factor-proof.ts'
import { type Standing, standingOf } from './standing.ts'
import { countedPasskeys, createVaultPasskeys } from './vault-passkeys.ts'
import { createWalletProof, type ExternalWallet, externalWallets } from './wallet-proof.ts'

/** A proof that a user has for a new device. */
export type Factor =
  /** Another device is enrolled and can approve this one. */
  | { type: 'device' }
  /** A passkey of the vault's own. */
  | { type: 'passkey' }
  /** Enough alone; any second factor is needed along with the others by those who have one. */
  | { type: 'mfa'; methods: ShownFactor[] }
  | ({ type: 'wallet' } & Omit<ExternalWallet, 'chainId'>)
  | ({ type: 'provider' } & ProviderFactor)
  | { type: 'email' | 'sms'; id: string; hint: string }
  | ({ type: 'recovery' } & RecoveryFactor)

export type EnrolmentServices = SessionServices & {
  /** Kinds of proof that other features add. */
  proofKinds: readonly ProofKind[]
}

export interface Enrolment {
  /** The body of an enrolment, for every kind of proof. */
  kinds: readonly ProofKind[]
  /**
   * The second factor that a user needs for a further device: one of its own where it is all that is shown. Not in
   * compatible apps, whose devices are enrolled without a word and get nothing without a second factor afterwards.
   */
  mfaFor(session: KeySession, attempt: Attempt): Promise<MfaPurpose | undefined>
  /** The factors that the user can show, in the order in which they should be offered. @param deviceId the caller's own device, if enrolled */
  factors(user: Pick<UserSession, 'app' | 'userId'>, deviceId: string | undefined): Promise<Factor[]>
  /**
   * Makes the key one of the user's. Resolves with the id of the device.
   * @throws Refusal `enrolment_required`, `invalid_credentials`, `linked_account_not_found`, `too_many_requests`
   */
  enrol(
    session: KeySession,
    attempt: Attempt,
    from: { caller: Caller; secondFactor: ShownFactor | undefined },
  ): Promise<string>
  /** Ends a device of the user. @throws Refusal `linked_account_not_found`, `recovery_proof_required` */
  remove(session: DeviceSession, id: string): Promise<void>
  codes: ReturnType<typeof createCodeProof>
  wallets: ReturnType<typeof createWalletProof>
  passkeys: ReturnType<typeof createVaultPasskeys>
  requests: ReturnType<typeof createDeviceRequests>
}

/** How a browser's key becomes one of a user's. */
export function createEnrolment(deps: EnrolmentServices & { codes: Codes; sms: SmsGateway }): Enrolment {
  const { database, sessions, limits, clock } = deps
  const notices = createNotices(deps)
  const requests = createDeviceRequests(deps)
  const passkeys = createVaultPasskeys(deps)
  const wallets = createWalletProof(deps)
  const codes = createCodeProof(deps)
  const recovery = createRecoveryProof(deps)
  const kinds: readonly ProofKind[] = [
    createLoginProof(deps),
    requests.kind,
    passkeys.kind,
    createSecondFactorProof(),
    wallets.kind,
    codes.kind,
    recovery.kind,
    ...deps.proofKinds,
  ]

  const standing = (user: Pick<UserSession, 'app' | 'userId'>) => standingOf(database, user, limits)

  async function factors(user: Pick<UserSession, 'app' | 'userId'>, deviceId: string | undefined) {
    const now = await standing(user)
    const canApprove = now.frozenAt === null && (await hasOtherDevice(database, user, deviceId))
    const second = await factorsAlone(database, user.userId, now)
    const found: Factor[] = [
      ...(canApprove ? [{ type: 'device' as const }] : []),
      ...((await countedPasskeys(database, user, now)).length > 0 ? [{ type: 'passkey' as const }] : []),
      ...(second.length > 0 ? [{ type: 'mfa' as const, methods: second }] : []),
      ...externalWallets(now).map(({ id, chainType, address }) => ({
        type: 'wallet' as const,
        ...{ id, chainType, address },
      })),
      ...providerFactors(user.app, now).map((each) => ({ type: 'provider' as const, ...each })),
      ...now.addresses.map(({ id, channel, address }) => ({
        type: channel,
        id,
        hint: hintOf(channel, address),
      })),
      ...(await recovery.list(user, now)).map((each) => ({ type: 'recovery' as const, ...each })),
    ]
    return found
  }

  /** A frozen account takes no second factor that a thief may have added before the freeze. */
  async function requireCounted(
    { userId }: KeySession,
    shown: ShownFactor | undefined,
    now: Standing,
  ): Promise<void> {
    if (shown === undefined || now.frozenAt === null) return
    if (!(await countedFactors(database, userId, now)).includes(shown))
      throw new Refusal('enrolment_required', 'This second factor is too new for a frozen account.')
  }

  return {
    kinds,
    codes,
    wallets,
    passkeys,
    requests,
    factors,

    async mfaFor(session, attempt) {
      const { app, userId, device } = session
      if (attempt.secondFactor === 'itself') return 'device'
      if (attempt.secondFactor === 'none') return undefined
      const now = await standing(session)
      if (now.frozenAt !== null)
        return (await countedFactors(database, userId, now)).length > 0 ? 'use' : undefined
      if (device.id !== undefined || app.vault === 'compatible') return undefined
      // A login that is refused does not ask first: the next proof may be that very factor, and a code of it is good once.
      if (attempt.factor === 'login' && !(await isLoginEnough(deps, session, now))) return undefined
      return now.hasWallet ? 'use' : undefined
    },

    async enrol(session, attempt, { caller, secondFactor }) {
      const { thumbprint, id } = session.device
      const now = await standing(session)
      // Who is in already need not show that they came in.
      if (id !== undefined && attempt.factor === 'login' && now.frozenAt === null) return id
      await requireCounted(session, secondFactor, now)
      const { enrolledBy, use } = await attempt.prove(session, { standing: now, caller, secondFactor })
      const at = clock()
      const { name, place } = caller
      const { device, isNew, isFirst } = await database.transaction(async (tx) => {
        await lockUser(tx, session)
        const [user] = await tx
          .select({ frozenAt: users.frozenAt })
          .from(users)
          .where(eq(users.id, session.userId))
        // Frozen or freed since it was proved: what counts is another now.
        if ((user?.frozenAt ?? null) !== now.frozenAt)
          throw new Refusal('account_frozen', 'This account has just been frozen or freed.')
        const given = { thumbprint, name, place, enrolledBy, isVerified: secondFactor !== undefined }
        const admitted = await admit(tx, session, given, { now: at, limits })
        await use?.(tx, admitted.device.id)
        await sessions.noteDevice(tx, session.sessionId, admitted.device.id)
        if (now.frozenAt !== null)
          await unfreeze(tx, session, { sessions, deviceId: admitted.device.id, now: at })
        return admitted
      })
      if (isNew && !isFirst) notices.tell(session, { what: 'device-enrolled', name, place })
      return device.id
    },

    async remove(session, id) {
      const removed = await database.transaction(async (tx) => {
        await requireAnyPresent(deps, tx, session.userId, session.device.id)
        return dismiss(tx, session, id, clock())
      })
      if (!removed) throw new Refusal('linked_account_not_found', 'There is no such device.')
      const { name, place } = removed
      notices.tell(session, { what: 'device-removed', name, place })
    },
  }
}
