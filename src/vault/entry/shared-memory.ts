/** What the vault's frames in one page share if the browser stores nothing for them. */
import type { Clock } from '../../lib/clock.ts'
import { memoryStorage, type Storage } from '../../lib/storage.ts'
import { type KeyPair, newKeyPair } from '../device/key.ts'
import { type KeyStore, memoryKeys } from '../device/key-store.ts'
import { vaultLimits } from '../limits.ts'
import { type DeviceRecord, memoryStore, type RecordKey, type Store } from '../shares/store.ts'

/** On the window of the hidden frame, where frames of another origin can't read it. */
const NAME = 'latchkeyVault'

/**
 * What the hidden frame lends to the others. They are gone long before it is, so nothing that belongs to them may stay here: whatever
 * comes in or goes out is copied, and keys that can't be extracted stay so.
 */
interface Lent {
  readonly app: string
  keyPair(): Promise<KeyPair>
  list(user: string): Promise<readonly DeviceRecord[]>
  put(record: DeviceRecord): Promise<void>
  remove(key: RecordKey): Promise<void>
  /** What is kept for this visit, such as that the person was verified. */
  readonly tab: Storage
}
/** The part of a window that is needed. */
export interface FramedPage {
  readonly parent: { readonly length: number; readonly [frame: number]: unknown }
}

/** Lets the other frames of the vault in this page use the key of this one, and what is in its memory. */
export function lendMemory(
  page: object,
  app: string,
  { keys, store, tab }: { keys: KeyStore; store: Store; tab: Storage },
): void {
  const lent: Lent = {
    app,
    keyPair: async () => keys.keyOf(app, newKeyPair),
    list: async (user) => store.list(app, user),
    put: async (record) => store.put(structuredClone(record)),
    remove: async (key) => store.remove(structuredClone(key)),
    tab,
  }
  Object.defineProperty(page, NAME, { value: Object.freeze(lent) })
}

/**
 * The memory of the hidden frame in the same page, for a frame that comes and goes. Without one there it is a memory of this frame's
 * own; the key waits for it, because the page may have only begun to load it.
 */
export function borrowMemory(
  page: FramedPage,
  app: string,
  clock: Clock,
): { keys: KeyStore; store: Store; tab: Storage } {
  const own = memoryStore()
  const ownTab = memoryStorage()
  const tab = () => find(page, app)?.tab ?? ownTab
  const ownKeys = memoryKeys()
  return {
    keys: {
      async keyOf(name, make) {
        const lent = await untilFound(page, app, clock)
        return lent ? structuredClone(await lent.keyPair()) : ownKeys.keyOf(name, make)
      },
    },
    store: {
      async list(name, user) {
        const lent = find(page, app)
        return lent ? structuredClone(await lent.list(user)) : own.list(name, user)
      },
      put: async (record) => (find(page, app) ?? own).put(record),
      remove: async (key) => (find(page, app) ?? own).remove(key),
    },
    tab: {
      persistent: false,
      get: (key) => tab().get(key),
      set: (key, value) => tab().set(key, value),
      remove: (key) => tab().remove(key),
    },
  }
}

async function untilFound(page: FramedPage, app: string, clock: Clock): Promise<Lent | undefined> {
  const end = clock.now() + vaultLimits.storageWait
  for (;;) {
    const lent = find(page, app)
    if (lent || clock.now() >= end) return lent
    await clock.sleep(vaultLimits.sharedMemoryCheck)
  }
}

function find({ parent }: FramedPage, app: string): Lent | undefined {
  for (let each = 0; each < parent.length; each++) {
    const lent = readLent(parent[each])
    if (lent?.app === app) return lent
  }
  return undefined
}

/** The browser lets nobody but pages of the vault's own origin read this. */
function readLent(frame: unknown): Lent | undefined {
  try {
    return (frame as Record<string, Lent | undefined>)[NAME]
  } catch {
    return undefined
  }
}
