import type { Storage } from '../../../lib/storage.ts'
import { fieldOf } from '../claims.ts'

/**
 * What the library stores: its keys and sessions. In the kit's storage, so that two apps on a page never
 * share any.
 */
export interface SdkStorage {
  getKeys(): Promise<string[]>
  getEntries<T>(): Promise<[string, T][]>
  getItem<T>(key: string): Promise<T | undefined>
  setItem<T>(key: string, value: T): Promise<void>
  removeItem(key: string): Promise<void>
}

/** `clear` forgets all of it. */
export function sdkStorage(storage: Storage, appId: string): SdkStorage & { clear(): void } {
  const place = (key: string) => `lk:${appId}:wc:${key}`
  const index = `lk:${appId}:wc`
  const keys = (): string[] => {
    const stored = parsed(storage.get(index))
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : []
  }
  const write = (next: readonly string[]) => storage.set(index, JSON.stringify(next))
  const read = (key: string) => parsed(storage.get(place(key)))
  return {
    getKeys: async () => keys(),
    getEntries: async <T>() => keys().map((key): [string, T] => [key, read(key) as T]),
    getItem: async <T>(key: string) => read(key) as T | undefined,
    async setItem(key, value) {
      storage.set(
        place(key),
        JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)),
      )
      const known = keys()
      if (!known.includes(key)) write([...known, key])
    },
    async removeItem(key) {
      storage.remove(place(key))
      write(keys().filter((known) => known !== key))
    },
    clear() {
      for (const key of keys()) storage.remove(place(key))
      storage.remove(index)
    },
  }
}

/** Whose each session is: the client type under which it was stored, and the chain that it was last on. */
export interface SessionNote {
  readonly wallet: string
  readonly chain: number
}

/** What the kit remembers of sessions in addition to the library. */
export function sessionNotes(storage: Storage, appId: string) {
  const key = `lk:${appId}:wallet-connect`
  const all = (): Map<string, SessionNote> => {
    const stored = parsed(storage.get(key))
    return new Map(
      (Array.isArray(stored) ? stored : []).flatMap((each) => {
        const [topic, wallet, chain] = ['topic', 'wallet', 'chain'].map((name) => fieldOf(each, name))
        const isNote = typeof topic === 'string' && typeof wallet === 'string' && Number.isSafeInteger(chain)
        return isNote ? [[topic, { wallet, chain: Number(chain) }]] : []
      }),
    )
  }
  const write = (notes: Map<string, SessionNote>) =>
    storage.set(key, JSON.stringify([...notes].map(([topic, note]) => ({ topic, ...note }))))
  return {
    get: (topic: string) => all().get(topic),
    set: (topic: string, note: SessionNote) => write(all().set(topic, note)),
    remove(topic: string) {
      const notes = all()
      if (notes.delete(topic)) write(notes)
    },
  }
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text, (_, each) =>
      typeof each === 'string' && /^\d{1,40}n$/.test(each) ? BigInt(each.slice(0, -1)) : each,
    )
  } catch {
    return undefined
  }
}
