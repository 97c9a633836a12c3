import type { Settled } from '../../activity/tracker.ts'
import type { ActivityService } from '../../signing/transaction/outcome.ts'
import { serviceFeatures } from '../services/features.ts'

/** The outcome of a transaction that the user sped up is that of the one that was confirmed in its place. */
export async function withSpeedUps(
  activity: Pick<ActivityService, 'entries' | 'settled'>,
  settled: Settled,
): Promise<Settled> {
  const { entry } = settled
  const by = activity.entries
    .get()
    .find(({ chain, hash }) => chain === entry.chain && hash === entry.replacedBy)
  if (entry.operation || entry.status !== 'replaced' || entry.raw === undefined || by?.raw === undefined)
    return settled
  const { deserialize, replacementKind } = await serviceFeatures.ethereumTracking()
  const [sent, other] = [deserialize(entry.raw, entry.wallet), deserialize(by.raw, by.wallet)]
  return replacementKind(sent, other) === 'sped-up' ? activity.settled(by) : settled
}
