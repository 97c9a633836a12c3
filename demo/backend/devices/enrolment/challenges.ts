import type { SessionServices } from '../../sessions/services.ts'
import { sourceOf } from '../../sessions/sources.ts'
import { countEvent } from '../../store/rate-limits.ts'
import type { KeySession } from '../../wallets/context.ts'

const hour = 3_600_000

/** Counts a challenge that is given out for a proof. @throws Refusal `too_many_requests` */
export async function countChallenge(
  { database, sessions, limits, clock }: Pick<SessionServices, 'database' | 'sessions' | 'limits' | 'clock'>,
  { userId, sessionId, device }: KeySession,
): Promise<void> {
  const { name } = await sourceOf(sessions, { sessionId, deviceId: device.id })
  const window = { most: limits.enrolmentChallengesPerSourceHour, span: hour }
  await countEvent(database, `enrolment challenges ${userId} ${name}`, clock(), hour, [window])
}
