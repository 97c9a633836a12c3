import { and, eq, gt, lte } from 'drizzle-orm'
import { seal, unseal } from '../secrets/sealing.ts'
import { keyedHash, type Secrets } from '../secrets/secrets.ts'
import type { Queries } from './database.ts'
import { oneTime } from './tables.ts'

export interface OneTimeKey {
  /** What the value is for: the same value of another kind is another value. */
  kind: string
  appId: string
  value: string
}
/** Values that are good for one use: states, codes, nonces, challenges, tokens that were seen. */
export interface OneTime {
  /**
   * Keeps a value. `false`: it is there already and still good, and nothing was changed.
   * @param entry.data JSON that comes back when the value is used; sealed at rest
   * @param entry.life milliseconds
   */
  put(db: Queries, entry: OneTimeKey & { data?: unknown; life: number }): Promise<boolean>
  /**
   * Uses a value up: of any number who try, exactly one gets its data (`null` where none was kept). Everybody else,
   * and any later one, gets `undefined`. Inside a transaction the use counts once that is committed.
   */
  take(db: Queries, key: OneTimeKey): Promise<unknown>
  /** The data of a value that nobody has used yet, without using it. */
  peek(db: Queries, key: OneTimeKey): Promise<unknown>
}

/** The name under which the data of a value are sealed. */
export const oneTimeName = (hash: string) => `one-time ${hash}`

/** Keeps values by a keyed hash, so that the table alone gives none of them away. */
export function createOneTime(deps: { secrets: Secrets; clock: () => number }): OneTime {
  const { secrets, clock } = deps
  const hashOf = ({ kind, appId, value }: OneTimeKey) =>
    keyedHash(secrets, 'one-time', kind, appId, value).toString('base64url')
  const open = (hash: string, sealed: string | undefined): unknown =>
    sealed === undefined ? undefined : JSON.parse(unseal(secrets, oneTimeName(hash), sealed))

  return {
    async put(db, { data = null, life, ...key }) {
      const hash = hashOf(key)
      const now = clock()
      const row = {
        kind: key.kind,
        appId: key.appId,
        sealedData: seal(secrets, oneTimeName(hash), JSON.stringify(data)),
        expiresAt: now + life,
      }
      const stored = await db
        .insert(oneTime)
        .values({ hash, ...row })
        .onConflictDoUpdate({ target: oneTime.hash, set: row, setWhere: lte(oneTime.expiresAt, now) })
        .returning({ hash: oneTime.hash })
      return stored.length > 0
    },
    async take(db, key) {
      const hash = hashOf(key)
      const [row] = await db
        .delete(oneTime)
        .where(and(eq(oneTime.hash, hash), gt(oneTime.expiresAt, clock())))
        .returning({ sealed: oneTime.sealedData })
      return open(hash, row?.sealed)
    },
    async peek(db, key) {
      const hash = hashOf(key)
      const [row] = await db
        .select({ sealed: oneTime.sealedData })
        .from(oneTime)
        .where(and(eq(oneTime.hash, hash), gt(oneTime.expiresAt, clock())))
      return open(hash, row?.sealed)
    },
  }
}
