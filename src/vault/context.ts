import type { Clock } from '../core/clock.ts'
import type { Api } from './api.ts'
import type { Locks } from './locks.ts'
import type { Releases } from './releases.ts'
import type { VaultSettings } from './settings.ts'
import type { DeviceRecord, Store } from './store.ts'
import type { Token } from './token.ts'

/** What the vault's operations work with. */
export interface VaultContext {
  readonly settings: VaultSettings
  readonly api: Api
  readonly clock: Clock
  readonly store: Store
  readonly locks: Locks
  readonly releases: Releases
}

/** Does work that writes device shares of a person, one piece at a time in all tabs. */
export const exclusively = <T>(cx: VaultContext, token: Token, work: () => Promise<T>): Promise<T> =>
  cx.locks.run(JSON.stringify(['latchkey-vault', cx.settings.appId, token.user]), work)

/**
 * Notes that the server holds the other half of a record, and removes what that supersedes: records of creations
 * that came to nothing and, when `alone`, other sets of the same wallet. Safe beside another tab's work: the server
 * has the person's wallet by now, and a recovery that loses its record here writes it again at its end.
 */
export async function settle(
  cx: VaultContext,
  record: DeviceRecord,
  { alone = false }: { alone?: boolean } = {},
): Promise<void> {
  if (!record.committed) await cx.store.put({ ...record, committed: true })
  for (const other of await cx.store.list(record.app, record.user)) {
    if (other.setId === record.setId) continue
    if (!other.committed || (alone && other.walletId === record.walletId)) await cx.store.remove(other)
  }
}
