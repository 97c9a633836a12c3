import type { AdapterPayload } from 'oidc-provider'

interface Kept {
  payload: AdapterPayload
  until: number
}

/** Where one provider keeps its sessions, codes and tokens: in memory, each for its time. */
export function createMemory() {
  const kept = new Map<string, Kept>()

  function read(key: string): AdapterPayload | undefined {
    const found = kept.get(key)
    if (found && found.until > Date.now()) return found.payload
    kept.delete(key)
    return undefined
  }

  return (kind: string) => {
    const keyOf = (id: string) => `${kind} ${id}`
    return {
      async upsert(id: string, payload: AdapterPayload, expiresIn?: number) {
        for (const [key, { until }] of kept) if (until <= Date.now()) kept.delete(key)
        kept.set(keyOf(id), { payload, until: Date.now() + (expiresIn ?? 86_400) * 1_000 })
      },
      find: async (id: string) => read(keyOf(id)),
      async findByUid(uid: string) {
        for (const [key, { payload }] of kept)
          if (key.startsWith(`${kind} `) && payload.uid === uid) return read(key)
        return undefined
      },
      findByUserCode: async () => undefined,
      async consume(id: string) {
        const payload = read(keyOf(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1_000)
      },
      async destroy(id: string) {
        kept.delete(keyOf(id))
      },
      async revokeByGrantId(grantId: string) {
        for (const [key, { payload }] of kept)
          if (key.startsWith(`${kind} `) && payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
