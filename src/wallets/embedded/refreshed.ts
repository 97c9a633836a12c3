import { reworded } from '../../errors/kit-error.ts'
import type { Session } from '../../session/session.ts'

/** Learns what the vault has just changed about the person. Throws the failure in the words that hosts know it by. */
export async function refreshed(session: Pick<Session, 'refreshUser'>): Promise<void> {
  await session.refreshUser().catch((cause: unknown) => {
    throw reworded(cause, 'Failed to refresh user.')
  })
}
