import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { Refusal, Unavailable } from '../lib/refusal.ts'
import { seal, unseal } from '../secrets/sealing.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Limits } from '../settings/limits.ts'
import type { Database } from '../store/database.ts'
import { innermost, isUnavailable } from '../store/failures.ts'
import { idempotency } from './tables.ts'

/** An answer in the form in which it is stored, to be given again. */
export interface StoredReply {
  status: number
  body: unknown
  setCookie?: string | readonly string[]
}
export interface KeyedRequest {
  appId: string
  path: string
  key: string
  /** Everything that must be the same in a repetition: body, caller, way of holding the session. */
  content: string
}
export interface Idempotency {
  /**
   * Does the work once for all requests with the same key, and gives each of them the same answer for 24 h.
   * An answer with `keep: false`, and a thrown error, leave no trace: the next request does the work again.
   * @throws Refusal `invalid_request` when the key was used for something else
   * @throws Unavailable when another process works on it for too long
   */
  once(
    request: KeyedRequest,
    work: () => Promise<{ answer: StoredReply; keep: boolean }>,
  ): Promise<StoredReply>
}

/** A process that died gives its work up after this; short enough for the grace of a refresh token (30 s). */
const LEASE = 6_000
const RENEW = 2_000
const POLL = 40
/** Less than the 20 s after which a client stops waiting. */
const WAIT = 18_000

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
/** The database's clock: the only one that several processes share. */
const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
const leaseFromNow: SQL<number> = sql`${databaseNow} + ${LEASE}`

/** The name under which the answer of a request is sealed. */
export const replyName = ({ appId, path, keyHash }: Record<'appId' | 'path' | 'keyHash', string>) =>
  `idempotency ${appId} ${path} ${keyHash}`

/** Idempotent requests, also over several processes on one database. */
export function createIdempotency(deps: {
  database: Database
  secrets: Secrets
  limits: Limits
  clock: () => number
  log: (line: string) => void
}): Idempotency {
  const { database, secrets, limits, clock, log } = deps
  const logFailure = (cause: unknown) => {
    // An outage has a line of its own already.
    if (!isUnavailable(cause)) log(`The work on a kept answer could not be noted: ${innermost(cause)}`)
  }
  /** What this process itself works on: its end need not be looked for in the database. */
  const underWay = new Map<string, Promise<void>>()

  return {
    async once({ appId, path, key, content }, work) {
      const keyHash = sha256(key)
      const fingerprint = sha256(content)
      const name = replyName({ appId, path, keyHash })
      const owner = randomUUID()
      const row = and(
        eq(idempotency.appId, appId),
        eq(idempotency.path, path),
        eq(idempotency.keyHash, keyHash),
      )
      const mine = and(row, eq(idempotency.owner, owner))
      const forget = () => void underWay.delete(name)

      /** Becomes the one who works: the key is new, too old, or its owner has died. */
      async function claim(): Promise<boolean> {
        const fresh = {
          fingerprint,
          owner,
          leaseUntil: leaseFromNow,
          sealedReply: null,
          expiresAt: clock() + limits.idempotencyLife,
        }
        const table = idempotency
        const abandoned = sql`${table.sealedReply} is null and ${table.fingerprint} = ${fingerprint}
          and ${table.leaseUntil} < ${databaseNow}`
        const claimed = await database
          .insert(idempotency)
          .values({ appId, path, keyHash, ...fresh })
          .onConflictDoUpdate({
            target: [idempotency.appId, idempotency.path, idempotency.keyHash],
            set: fresh,
            setWhere: sql`${table.expiresAt} < ${clock()} or (${abandoned})`,
          })
          .returning({ owner: idempotency.owner })
        return claimed.length > 0
      }

      async function perform(): Promise<StoredReply> {
        const renewal = setInterval(() => {
          database.update(idempotency).set({ leaseUntil: leaseFromNow }).where(mine).catch(logFailure)
        }, RENEW)
        try {
          const { answer, keep } = await work()
          if (keep) {
            const sealedReply = seal(secrets, name, JSON.stringify(answer))
            await database.update(idempotency).set({ sealedReply }).where(mine)
          } else await database.delete(idempotency).where(mine)
          return answer
        } catch (cause) {
          await database.delete(idempotency).where(mine).catch(logFailure)
          throw cause
        } finally {
          clearInterval(renewal)
        }
      }

      for (const giveUp = Date.now() + WAIT; Date.now() < giveUp; await sleep(POLL)) {
        await underWay.get(name)
        if (await claim()) {
          const performed = perform()
          underWay.set(name, performed.then(forget, forget))
          return performed
        }
        const [found] = await database.select().from(idempotency).where(row)
        if (!found) continue
        if (found.fingerprint !== fingerprint)
          throw new Refusal('invalid_request', 'This idempotency key was used for another request.')
        if (found.sealedReply) return JSON.parse(unseal(secrets, name, found.sealedReply)) as StoredReply
      }
      throw new Unavailable('The first request with this key is still in progress')
    },
  }
}
