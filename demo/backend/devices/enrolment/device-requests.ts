import { randomBytes, randomInt } from 'node:crypto'
import { and, asc, eq, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { Refusal } from '../../lib/refusal.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { sourceOf } from '../../sessions/sources.ts'
import type { Queries } from '../../store/database.ts'
import { countEvent } from '../../store/rate-limits.ts'
import type { DeviceSession, KeySession, UserSession } from '../../wallets/context.ts'
import { devicesOf } from '../devices.ts'
import { deviceRequests } from '../tables.ts'
import { type Caller, type ProofKind, proofKind } from './proof-kind.ts'
import { standingOf } from './standing.ts'

export type DeviceRequest = typeof deviceRequests.$inferSelect
export type RequestStatus = 'pending' | 'approved' | 'denied' | 'expired'

const hour = 3_600_000
/** Numbers of two digits, of which the new device shows one. */
const NUMBERS = 3

const noSuchRequest = () => new Refusal('linked_account_not_found', 'There is no such request.')
const notApproved = () => new Refusal('enrolment_required', 'This device has not been approved.')

/** Two digits each, all different, the right one somewhere among them. */
function drawNumbers(): { number: string; numbers: string[] } {
  const drawn = new Set<string>()
  while (drawn.size < NUMBERS) drawn.add(String(randomInt(10, 100)))
  const numbers = [...drawn]
  return { numbers, number: numbers[randomInt(NUMBERS)] ?? '' }
}

/** Whether a user has an enrolled device besides one. */
export const hasOtherDevice = async (
  db: Queries,
  { app, userId }: Pick<UserSession, 'app' | 'userId'>,
  id: string | undefined,
): Promise<boolean> => (await devicesOf(db, { appId: app.id, userId })).some((device) => device.id !== id)

/** New devices that an enrolled one approves: the user compares a number that stands on both. */
export function createDeviceRequests(deps: SessionServices) {
  const { database, sessions, limits, clock } = deps

  const ownedBy = ({ app, userId }: Pick<UserSession, 'app' | 'userId'>) =>
    and(eq(deviceRequests.appId, app.id), eq(deviceRequests.userId, userId))
  const pendingOf = (user: Pick<UserSession, 'app' | 'userId'>) =>
    and(ownedBy(user), eq(deviceRequests.status, 'pending'), gt(deviceRequests.expiresAt, clock()))
  /** The requests that a new device has made, in this session and with this key. */
  const madeBy = (session: KeySession, id: string) =>
    and(
      ownedBy(session),
      eq(deviceRequests.id, id),
      eq(deviceRequests.sessionId, session.sessionId),
      eq(deviceRequests.thumbprint, session.device.thumbprint),
    )

  /** @throws Refusal `linked_account_not_found`, `account_frozen` */
  async function pending(session: DeviceSession, id: string): Promise<DeviceRequest> {
    if ((await standingOf(database, session, limits)).frozenAt !== null)
      throw new Refusal('account_frozen', 'This account is frozen.')
    const [request] = await database
      .select()
      .from(deviceRequests)
      .where(and(pendingOf(session), eq(deviceRequests.id, id)))
    // A device does not speak for itself, whatever has enrolled it since.
    if (!request || request.thumbprint === session.device.thumbprint) throw noSuchRequest()
    return request
  }

  /** Ends a request that nobody has decided yet. Resolves with whether it was still pending. */
  async function decide(
    session: DeviceSession,
    id: string,
    decision: Partial<DeviceRequest> & Pick<DeviceRequest, 'status'>,
  ): Promise<boolean> {
    const decided = await database
      .update(deviceRequests)
      .set(decision)
      .where(and(pendingOf(session), eq(deviceRequests.id, id)))
      .returning({ id: deviceRequests.id })
    return decided.length > 0
  }

  const kind: ProofKind = proofKind({
    body: v.strictObject({ factor: v.literal('device'), id: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)) }),
    // The device that approves has it shown there.
    secondFactor: 'none',
    async prove(session, { id }, { standing }) {
      if (standing.frozenAt !== null) throw notApproved()
      return {
        enrolledBy: 'device',
        async use(tx) {
          const approved = and(
            madeBy(session, id),
            eq(deviceRequests.status, 'approved'),
            gt(deviceRequests.expiresAt, clock()),
          )
          const [request] = await tx.delete(deviceRequests).where(approved).returning()
          const owner = { appId: session.app.id, userId: session.userId }
          const enrolled = request ? await devicesOf(tx, owner) : []
          // A device that was removed since no longer speaks for others.
          if (!request || !enrolled.some((device) => device.id === request.approvedBy)) throw notApproved()
        },
      }
    },
  })

  return {
    kind,
    /**
     * Asks the user's enrolled devices to approve this key. An earlier request of the key is no longer good.
     * @throws Refusal `invalid_state` where there is no other device, `account_frozen`, `too_many_requests`
     */
    async request(session: KeySession, { name, place }: Caller): Promise<DeviceRequest> {
      const { app, userId, sessionId, device } = session
      if ((await standingOf(database, session, limits)).frozenAt !== null)
        throw new Refusal('account_frozen', 'This account is frozen.')
      if (!(await hasOtherDevice(database, session, device.id)))
        throw new Refusal('invalid_state', 'There is no other device that could approve this one.')
      const source = await sourceOf(sessions, { sessionId, deviceId: device.id })
      const now = clock()
      return database.transaction(async (tx) => {
        const count = (key: string, most: number) => countEvent(tx, key, now, hour, [{ most, span: hour }])
        await count(`device requests ${userId} ${source.name}`, limits.deviceRequestsPerSourceHour)
        await count(`device requests ${userId}`, limits.deviceRequestsPerHour)
        await tx
          .delete(deviceRequests)
          .where(and(ownedBy(session), eq(deviceRequests.thumbprint, device.thumbprint)))
        const [request] = await tx
          .insert(deviceRequests)
          .values({
            ...{ sessionId, userId, name, place },
            id: randomBytes(32).toString('base64url'),
            appId: app.id,
            thumbprint: device.thumbprint,
            ...drawNumbers(),
            status: 'pending',
            createdAt: now,
            expiresAt: now + limits.deviceRequestLife,
          })
          .returning()
        if (!request) throw new Error('A request of a device was not stored')
        return request
      })
    },
    /** The state of a request of this key. @throws Refusal `linked_account_not_found` */
    async status(session: KeySession, id: string): Promise<RequestStatus> {
      const [request] = await database.select().from(deviceRequests).where(madeBy(session, id))
      if (!request) throw noSuchRequest()
      return request.status !== 'denied' && request.expiresAt <= clock() ? 'expired' : request.status
    },
    /** The requests that wait for a device of the user, the oldest first. */
    list(session: DeviceSession): Promise<DeviceRequest[]> {
      return database
        .select()
        .from(deviceRequests)
        .where(pendingOf(session))
        .orderBy(asc(deviceRequests.createdAt), asc(deviceRequests.id))
    },
    count: (user: Pick<UserSession, 'app' | 'userId'>): Promise<number> =>
      database.$count(deviceRequests, pendingOf(user)),
    pending,
    /**
     * Approves a request by the number that its device shows. Another number denies it: somebody guesses, or looks at another device.
     * @throws Refusal `linked_account_not_found`, `invalid_credentials`, `account_frozen`
     */
    async approve(session: DeviceSession, id: string, number: string): Promise<void> {
      const request = await pending(session, id)
      const isRight = request.number === number
      const decision = isRight
        ? ({ status: 'approved', approvedBy: session.device.id } as const)
        : ({ status: 'denied' } as const)
      if (!(await decide(session, id, decision))) throw noSuchRequest()
      if (!isRight)
        throw new Refusal('invalid_credentials', 'This is not the number that the other device shows.')
    },
    /** Denies a request. @throws Refusal `linked_account_not_found` */
    async deny(session: DeviceSession, id: string): Promise<void> {
      if (!(await decide(session, id, { status: 'denied' }))) throw noSuchRequest()
    },
  }
}
