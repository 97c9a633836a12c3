import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { Refusal, Unavailable } from '../lib/refusal.ts'
import { seal, unseal } from '../secrets/sealing.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Limits } from '../settings/limits.ts'
import type { Database, Transaction } from '../store/database.ts'
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
  /**
   * Does the part of a request's work that may happen once, in a transaction of its own, which keeps the result beside the request: where
   * the process dies, or the database goes, before the answer is kept, a repetition goes on from the result and does nothing again.
   * Without an idempotency key it is a transaction like any other. Of one request the first such part alone is kept.
   * @param toKeep what is kept of a result, as JSON; `undefined`: nothing, and a repetition does it again. All of it by default
   */
  commit<T>(work: (tx: Transaction) => Promise<T>, toKeep?: (result: T) => T | undefined): Promise<T>
  /** Whether the request that is worked on has that result from an earlier attempt, so that nothing has to be prepared for it. */
  hasOutcome(): boolean
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

/** The same for the result of what may happen once. */
export const outcomeName = ({ appId, path, keyHash }: Record<'appId' | 'path' | 'keyHash', string>) =>
  `idempotency-outcome ${appId} ${path} ${keyHash}`

/** A request that is being worked on. */
interface Working {
  /** The result that an earlier attempt has left, sealed. */
  readonly outcome: string | null
  readonly name: string
  readonly row: SQL | undefined
  hasCommitted: boolean
}

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
  const working = new AsyncLocalStorage<Working>()

  return {
    hasOutcome: () => (working.getStore()?.outcome ?? null) !== null,

    async commit<T>(work: (tx: Transaction) => Promise<T>, toKeep = (result: T): T | undefined => result) {
      const request = working.getStore()
      if (!request || request.hasCommitted) return database.transaction(work)
      const { outcome, name, row } = request
      if (outcome !== null) {
        request.hasCommitted = true
        return JSON.parse(unseal(secrets, name, outcome)).result as T
      }
      const { result, isKept } = await database.transaction(async (tx) => {
        const result = await work(tx)
        const kept = toKeep(result)
        if (kept === undefined) return { result, isKept: false }
        const sealedOutcome = seal(secrets, name, JSON.stringify({ result: kept }))
        const [own] = await tx
          .update(idempotency)
          .set({ sealedOutcome })
          .where(row)
          .returning({ owner: idempotency.owner })
        // Another process has taken the request over, and does it instead.
        if (!own) throw new Unavailable('Another process works on this request')
        return { result, isKept: true }
      })
      request.hasCommitted = isKept
      return result
    },

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
      async function claim(): Promise<Working | undefined> {
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
        const isOld = sql`${table.expiresAt} < ${clock()}`
        const [claimed] = await database
          .insert(idempotency)
          .values({ appId, path, keyHash, ...fresh })
          .onConflictDoUpdate({
            target: [idempotency.appId, idempotency.path, idempotency.keyHash],
            set: {
              ...fresh,
              sealedOutcome: sql`case when ${isOld} then null else ${table.sealedOutcome} end`,
            },
            setWhere: sql`${isOld} or (${abandoned})`,
          })
          .returning({ outcome: idempotency.sealedOutcome })
        return (
          claimed && {
            outcome: claimed.outcome,
            name: outcomeName({ appId, path, keyHash }),
            row: mine,
            hasCommitted: false,
          }
        )
      }

      async function perform(request: Working): Promise<StoredReply> {
        const renewal = setInterval(() => {
          database.update(idempotency).set({ leaseUntil: leaseFromNow }).where(mine).catch(logFailure)
        }, RENEW)
        try {
          const { answer, keep } = await working.run(request, work)
          if (keep || request.hasCommitted) {
            const sealedReply = seal(secrets, name, JSON.stringify(answer))
            await database.update(idempotency).set({ sealedReply }).where(mine)
          } else await database.delete(idempotency).where(mine)
          return answer
        } catch (cause) {
          // The next attempt finds the result, and need not wait for the lease to end.
          const left = request.hasCommitted
            ? database.update(idempotency).set({ leaseUntil: 0 }).where(mine)
            : database.delete(idempotency).where(mine)
          await Promise.resolve(left).catch(logFailure)
          throw cause
        } finally {
          clearInterval(renewal)
        }
      }

      for (const giveUp = Date.now() + WAIT; Date.now() < giveUp; await sleep(POLL)) {
        await underWay.get(name)
        const claimed = await claim()
        if (claimed) {
          const performed = perform(claimed)
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
