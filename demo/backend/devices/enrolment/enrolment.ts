import { and, asc, eq, isNull } from 'drizzle-orm'
import { type CodeAddress, type Codes, sendCaps } from '../../codes/codes.ts'
import { boundHost, type SmsGateway } from '../../codes/sms-gateway.ts'
import { mailboxOf } from '../../lib/email-address.ts'
import { Refusal } from '../../lib/refusal.ts'
import { methodsOf } from '../../mfa/methods.ts'
import type { MfaMethod, MfaPurpose, ShownFactor } from '../../sessions/second-factor.ts'
import type { SessionServices } from '../../sessions/services.ts'
import type { RecoveryMethod } from '../../settings/names.ts'
import type { Transaction } from '../../store/database.ts'
import { countEvent } from '../../store/rate-limits.ts'
import { hintOf } from '../../users/addresses.ts'
import { createNotices } from '../../users/notices.ts'
import {
  type DeviceSession,
  hasWallets,
  type KeySession,
  noSuchWallet,
  ownRoot,
  signerOf,
  type UserSession,
} from '../../wallets/context.ts'
import { requireProof, statements } from '../../wallets/proofs.ts'
import { canBeShown, notePresent, requireAnyPresent } from '../../wallets/recovery/present.ts'
import { openRecord } from '../../wallets/recovery/record.ts'
import { createRecovery, type Shown } from '../../wallets/recovery/recovery.ts'
import { rootOwner } from '../../wallets/sealed-names.ts'
import { walletRoots, walletSets } from '../../wallets/tables.ts'
import type { Appearance } from '../describe.ts'
import type { EnrolledBy } from '../tables.ts'
import { admit, dismiss } from './admit.ts'
import { enrolmentMail, enrolmentSms } from './messages.ts'
import { standingOf } from './new-accounts.ts'

/** What a person can show so that a browser becomes theirs. */
export type Factor =
  | { type: 'email' | 'sms'; id: string; hint: string }
  /** Alone enough; and needed with any other, by those who have it. */
  | { type: 'mfa'; methods: MfaMethod[] }
  | {
      type: 'recovery'
      method: RecoveryMethod
      rootAddress: string
      chainType: 'ethereum' | 'solana'
      salt?: string | undefined
      rounds?: number | undefined
      fileId?: string | undefined
      recordName?: string | undefined
    }
/** What a person shows. */
export type Showing =
  | { factor: 'login' }
  /** A second factor, of which the guard has seen the proof. */
  | { factor: 'mfa' }
  | { factor: 'code'; code: string }
  | { factor: 'recovery'; root: string; shown: Shown }
  | { factor: 'share'; root: string; setId: string; proof: string }

export interface Enrolment {
  /**
   * The second factor that somebody needs for a further browser: one of its own where it is all that is shown. Not in
   * compatible apps, whose browsers are enrolled without a word and get nothing without a second factor afterwards.
   */
  mfaFor(session: KeySession, showing: Showing): Promise<MfaPurpose | undefined>
  /** What the person can show, and when they can show more: accounts that they have just linked do not count yet. */
  factors(session: KeySession): Promise<{ factors: Factor[]; moreFrom: number | undefined }>
  /**
   * Sends a code that is good for this key alone. Resolves with the address, so far as its owner recognises it.
   * @throws Refusal `linked_account_not_found`, `too_many_requests`; Unavailable when it could not leave
   */
  sendCode(
    session: KeySession,
    id: string,
    from: Appearance & { ip: string | undefined; origin: string | undefined },
  ): Promise<string>
  /**
   * Makes the key one of the person's. Resolves with the id of the device.
   * @throws Refusal `enrolment_required`, `invalid_credentials`, `linked_account_not_found`, `too_many_requests`
   */
  enrol(
    session: KeySession,
    showing: Showing,
    from: Appearance & { ip: string | undefined; shown: ShownFactor | undefined },
  ): Promise<string>
  /** Ends a device of the person. @throws Refusal `linked_account_not_found`, `recovery_proof_required` */
  remove(session: DeviceSession, id: string): Promise<void>
}

const hour = 3_600_000

/** Who can read somebody's messages can read the codes of their logins as well. */
const isEnough = (factor: ShownFactor) => factor !== 'sms'

/** What a factor does in the transaction that enrols the key: what it returns is refused there. */
type Use = (tx: Transaction, deviceId: string) => Promise<void>
interface Proved {
  enrolledBy: EnrolledBy
  use?: Use
}

/** How a browser's key becomes one of a person's. */
export function createEnrolment(deps: SessionServices & { codes: Codes; sms: SmsGateway }): Enrolment {
  const { database, secrets, sessions, limits, clock, mailer, codes, sms } = deps
  const recovery = createRecovery(deps)
  const notices = createNotices(deps)

  const addressOf = ({ app, userId, device }: KeySession, channel: CodeAddress['channel']): CodeAddress => ({
    // No address has a space: what is sent for a login is never good here.
    appId: app.id,
    channel,
    address: `device ${userId} ${device.thumbprint}`,
    boundTo: device.thumbprint,
  })
  const standing = (session: UserSession) => standingOf(database, session, { limits, now: clock() })

  async function recoveryFactors({ userId }: UserSession): Promise<Factor[]> {
    const roots = await database
      .select()
      .from(walletRoots)
      .where(eq(walletRoots.userId, userId))
      .orderBy(asc(walletRoots.createdAt))
    const found: Factor[] = []
    for (const root of roots) {
      if (!(await canBeShown(secrets, database, root))) continue
      const { method, salt, rounds, fileId, recordName } = openRecord(secrets, rootOwner(root.id), root)
      const { address: rootAddress, chainType } = root
      found.push({ type: 'recovery', method, rootAddress, chainType, salt, rounds, fileId, recordName })
    }
    return found
  }

  async function factors(session: UserSession) {
    const { addresses, newUntil } = await standing(session)
    const sent = addresses.map(({ accountId, channel, address }) => ({
      type: channel,
      id: String(accountId),
      hint: hintOf(channel, address),
    }))
    const methods = (await methodsOf(database, session.userId)).map(({ type }) => type)
    const second: Factor[] = methods.some(isEnough)
      ? [{ type: 'mfa', methods: methods.filter(isEnough) }]
      : []
    return { factors: [...second, ...sent, ...(await recoveryFactors(session))], moreFrom: newUntil }
  }

  async function isLoginEnough(session: UserSession): Promise<boolean> {
    const { app, sessionId } = session
    if (!(await hasWallets(database, session))) return true
    const opened = await sessions.describe(sessionId)
    const isRecent = opened !== undefined && clock() - opened.authenticatedAt < app.enrolWithin * 1_000
    if (!isRecent || app.vault === 'compatible') return isRecent
    const { factors: shown, moreFrom } = await factors(session)
    // Who linked an account a moment ago may have logged in with it.
    return shown.length === 0 && moreFrom === undefined
  }
  /** @throws Refusal `enrolment_required` unless a login is enough */
  async function requireLoginIsEnough(session: UserSession): Promise<void> {
    if (await isLoginEnough(session)) return
    throw new Refusal('enrolment_required', 'Show that this browser is yours before it can use your wallets.')
  }

  async function checkCode(session: KeySession, code: string, ip: string | undefined): Promise<void> {
    // On its own: a try counts however it ends.
    await database.transaction(async (tx) => {
      const window = { most: limits.enrolmentTriesPerHour, span: hour }
      await countEvent(tx, `enrolment tries ${session.userId}`, clock(), hour, [window])
    })
    const right = await database.transaction(async (tx) => {
      for (const channel of ['email', 'sms'] as const)
        if ((await codes.check(tx, addressOf(session, channel), code, ip)).right) return true
      return false
    })
    if (!right) throw new Refusal('invalid_credentials', 'This code is not valid.')
  }

  async function checkShare(
    session: KeySession,
    { root: address, setId, proof }: Extract<Showing, { factor: 'share' }>,
  ): Promise<Use> {
    const { deviceMigrationEnds } = deps
    if (deviceMigrationEnds !== undefined && clock() >= deviceMigrationEnds)
      throw new Refusal('enrolment_required', 'Browsers are no longer enrolled by what they have.')
    const { root, named } = await ownRoot(database, session, address)
    const walletId = root.id
    const { thumbprint } = session.device
    const text = statements.deviceKey(signerOf(session), { walletId, setId, thumbprint })
    await requireProof(named, text, proof)
    const nobodys = and(
      eq(walletSets.walletId, walletId),
      eq(walletSets.setId, setId),
      isNull(walletSets.deviceId),
    )
    return async (tx, deviceId) => {
      const own = await tx.update(walletSets).set({ deviceId }).where(nobodys).returning()
      if (own.length === 0) throw noSuchWallet()
    }
  }

  async function prove(
    session: KeySession,
    showing: Showing,
    { ip, shown }: { ip: string | undefined; shown: ShownFactor | undefined },
  ): Promise<Proved> {
    switch (showing.factor) {
      case 'login':
        await requireLoginIsEnough(session)
        return { enrolledBy: 'login' }
      case 'mfa': {
        // The guard lets pass who has no second factor: that is no proof.
        if (shown === undefined)
          throw new Refusal('missing_mfa_enrollment', 'There is no second factor to show.')
        if (!isEnough(shown))
          throw new Refusal(
            'enrolment_required',
            'A text message alone does not show that a browser is yours.',
          )
        return { enrolledBy: 'mfa' }
      }
      case 'code':
        await checkCode(session, showing.code, ip)
        return { enrolledBy: 'code' }
      case 'recovery': {
        const { walletId } = await recovery.check(session, showing.root, showing.shown)
        return {
          enrolledBy: 'recovery',
          use: (tx, deviceId) => notePresent(tx, { walletId, deviceId }, clock()),
        }
      }
      case 'share':
        return { enrolledBy: 'share', use: await checkShare(session, showing) }
    }
  }

  return {
    factors,

    async mfaFor(session, showing) {
      const { id } = session.device
      if (showing.factor === 'mfa') return 'device'
      if (id !== undefined || session.app.vault === 'compatible') return undefined
      // Whoever is refused is not asked first: what they show next may be that very factor, and a code of it is good once.
      if (showing.factor === 'login' && !(await isLoginEnough(session))) return undefined
      return (await hasWallets(database, session)) ? 'use' : undefined
    },

    async sendCode(session, id, { name, place, ip, origin }) {
      const { app } = session
      const to = (await standing(session)).addresses.find(({ accountId }) => String(accountId) === id)
      if (!to) throw new Refusal('linked_account_not_found', 'There is no such address.')
      const { channel, address } = to
      const mailbox = channel === 'email' ? mailboxOf(address) : address
      const at = { ...addressOf(session, channel), mailbox }
      const issued = await codes.issue(at, ip, sendCaps(app, limits, channel))
      const words = { appName: app.name, code: issued.code, life: limits.codeLife, name, place }
      try {
        if (channel === 'email') await mailer.send(enrolmentMail(address, words))
        else await sms.send({ to: address, text: enrolmentSms(words, boundHost(origin)) })
      } catch (cause) {
        await issued.undo()
        throw cause
      }
      return hintOf(channel, address)
    },

    async enrol(session, showing, { name, place, ...by }) {
      const { thumbprint, id } = session.device
      // Who is in already need not show that they came in.
      if (id !== undefined && showing.factor === 'login') return id
      const { enrolledBy, use } = await prove(session, showing, by)
      const now = clock()
      const { device, isNew, isFirst } = await database.transaction(async (tx) => {
        const given = { thumbprint, name, place, enrolledBy, isVerified: by.shown !== undefined }
        const admitted = await admit(tx, session, given, { now, limits })
        await use?.(tx, admitted.device.id)
        await sessions.noteDevice(tx, session.sessionId, admitted.device.id)
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
