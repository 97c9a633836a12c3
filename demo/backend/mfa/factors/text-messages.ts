import { and, eq, isNotNull } from 'drizzle-orm'
import { type CodeAddress, type Codes, sendCaps } from '../../codes/codes.ts'
import { mfaSms, type SmsGateway } from '../../codes/sms-gateway.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database, Queries, Transaction } from '../../store/database.ts'
import { accounts } from '../../users/tables.ts'
import { mfaFactors } from '../tables.ts'
import type { Judge } from './verification.ts'

/** Who asks for a code. */
interface Asking {
  ip: string | undefined
  /** Of the page that the code is typed into. */
  origin: string | undefined
}

const own = (userId: string) => and(eq(mfaFactors.userId, userId), eq(mfaFactors.type, 'sms'))

/** The number to which somebody has the codes of their second factor sent, if they do. */
export async function phoneFactorOf(db: Queries, userId: string): Promise<string | undefined> {
  const [factor] = await db
    .select({ phone: mfaFactors.phone })
    .from(mfaFactors)
    .where(and(own(userId), isNotNull(mfaFactors.verifiedAt)))
  return factor?.phone ?? undefined
}

/** Codes by text message as a second factor: never where such a code is the first one. */
export function createTextMessages(deps: {
  database: Database
  codes: Codes
  sms: SmsGateway
  limits: Limits
  clock: () => number
}) {
  const { database, codes, sms, limits, clock } = deps
  /** No number has a space: what is sent for a login is never good here, nor the other way round. */
  const addressOf = (app: App, userId: string, phone: string, why: 'enrol' | 'verify'): CodeAddress => ({
    appId: app.id,
    channel: 'sms',
    address: `mfa ${why} ${userId} ${phone}`,
    mailbox: phone,
    life: limits.mfaCodeLife,
  })

  async function send(to: CodeAddress, app: App, phone: string, { ip, origin }: Asking): Promise<void> {
    const issued = await codes.issue(to, ip, sendCaps(app, limits, 'sms'))
    try {
      await sms.send({ to: phone, text: mfaSms(app.name, issued.code, limits.mfaCodeLife, origin) })
    } catch (cause) {
      await issued.undo()
      throw cause
    }
  }
  const check = async (tx: Transaction, to: CodeAddress, code: string, ip: string | undefined) =>
    (await codes.check(tx, to, code, ip)).right

  /** @throws Refusal `mfa_method_not_allowed`, `invalid_state` */
  async function requireAllowed(db: Queries, app: App, userId: string): Promise<void> {
    const byPhone = and(eq(accounts.userId, userId), eq(accounts.type, 'phone'))
    if (app.methods.includes('sms') && (await db.$count(accounts, byPhone)) > 0)
      throw new Refusal('mfa_method_not_allowed', 'Whoever logs in with SMS needs another second factor.')
    if ((await phoneFactorOf(db, userId)) !== undefined)
      throw new Refusal('invalid_state', 'There is a number already. Remove it first.')
  }

  return {
    /** Sends a code to a number that is to be a factor. @throws Refusal, Unavailable */
    async begin(app: App, userId: string, phone: string, asking: Asking): Promise<void> {
      await requireAllowed(database, app, userId)
      await send(addressOf(app, userId, phone, 'enrol'), app, phone, asking)
    },
    /** Whether a code is the one that was sent to a number. */
    confirm:
      (app: App, userId: string, phone: string, code: string, ip: string | undefined): Judge =>
      (tx) =>
        check(tx, addressOf(app, userId, phone, 'enrol'), code, ip),
    /** Makes a number a factor. @throws Refusal `mfa_method_not_allowed`, `invalid_state` */
    async add(tx: Transaction, app: App, userId: string, phone: string): Promise<void> {
      await requireAllowed(tx, app, userId)
      const now = clock()
      await tx
        .insert(mfaFactors)
        .values({ userId, type: 'sms', phone, createdAt: now, verifiedAt: now })
        .onConflictDoNothing()
    },
    /** Sends a code to the person's number. @throws Refusal `missing_mfa_enrollment`, Unavailable */
    async send(app: App, userId: string, asking: Asking): Promise<void> {
      const phone = await phoneFactorOf(database, userId)
      if (phone === undefined)
        throw new Refusal('missing_mfa_enrollment', 'Text messages are not a second factor of this person.')
      await send(addressOf(app, userId, phone, 'verify'), app, phone, asking)
    },
    /** Whether a code is the one that was sent to the person's number. */
    judge:
      (app: App, userId: string, code: string, ip: string | undefined): Judge =>
      async (tx) => {
        const phone = await phoneFactorOf(tx, userId)
        return phone !== undefined && check(tx, addressOf(app, userId, phone, 'verify'), code, ip)
      },
    /** @returns whether there was one */
    async remove(tx: Transaction, userId: string): Promise<boolean> {
      return (await tx.delete(mfaFactors).where(own(userId)).returning()).length > 0
    },
  }
}
