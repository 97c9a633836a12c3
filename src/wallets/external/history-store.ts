import type { Storage } from '../../lib/storage.ts'
import { sessionKey } from '../../session/keys.ts'
import type { ConnectionName } from './connected.ts'
import { type HistoryEntry, parseHistory, writeHistory } from './history.ts'

/** What survives a page of its connections: which there were, and which one is active. Survives logout. */
export function createHistoryStore(appId: string, storage: Storage) {
  const key = sessionKey(appId, 'connections')
  const activeKey = sessionKey(appId, 'active-wallet')
  return {
    read: (): readonly HistoryEntry[] => parseHistory(storage.get(key)),
    write: (entries: readonly HistoryEntry[]) =>
      entries.length > 0 ? storage.set(key, writeHistory(entries)) : storage.remove(key),
    /** Stored in the history's own form, and read as strictly. */
    active: (): ConnectionName | undefined => parseHistory(storage.get(activeKey))[0],
    setActive: (name: ConnectionName | undefined) =>
      name ? storage.set(activeKey, writeHistory([{ ...name, connectedAt: 0 }])) : storage.remove(activeKey),
  }
}
