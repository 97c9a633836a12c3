import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import { noteTool } from '../audit/audit.ts'
import { seal, unseal } from '../secrets/sealing.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { App } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import type { Database, Transaction } from '../store/database.ts'
import { appKeys } from './tables.ts'

/** A key that signs, or has signed, the tokens of an app. */
export interface AppKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  /** Tokens that say that they are from after this were not signed by us; `undefined` for the key that signs now. */
  until?: number | undefined
}
export interface AppKeys {
  /** The keys whose tokens may still live; the first one signs. It is made at an app's first use. */
  of(app: App): Promise<readonly [AppKey, ...AppKey[]]>
  /** The key that a token names, also where another process has made it just now. */
  find(app: App, kid: string): Promise<AppKey | undefined>
  /**
   * From now on a new key signs; what the ones before it have signed stays good until it expires. Resolves with its id.
   * @param tool of the operator's, for the audit log
   */
  renew(appId: string, tool: string): Promise<string>
}

/** Another process may sign with the key before for so long, until it has read the table again. */
const HANDOVER = 60_000

/** Tokens with keys that nobody knows make no more than this many milliseconds' worth of looking. */
const AGAIN = 1_000

/** The name under which an app's key is sealed. */
export const appKeyName = (kid: string) => `app key ${kid}`

/**
 * A key pair for each app, sealed in the database: what one app's key has signed says nothing to whoever checks
 * another's. The keys of `secrets.signingKeys`, which once signed for all apps, count for what they signed before.
 */
export function createAppKeys(deps: {
  database: Database
  secrets: Secrets
  limits: Limits
  clock: () => number
}): AppKeys {
  const { database, secrets, limits, clock } = deps
  const shared = secrets.signingKeys.map(readKey)
  const kept = new Map<string, { at: number; keys: Promise<readonly [AppKey, ...AppKey[]]> }>()

  const rowsOf = (appId: string) =>
    database.select().from(appKeys).where(eq(appKeys.appId, appId)).orderBy(asc(appKeys.createdAt))

  /** @param needed whether a key is, where there are so many; of several processes that come at once, one makes it */
  async function make(
    appId: string,
    needed: (count: number) => boolean,
    work: (tx: Transaction, kid: string) => Promise<void> = async () => {},
  ): Promise<string> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const { kid } = readKey(pem)
    await database.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`app key ${appId}`}, 0))`)
      if (!needed(await tx.$count(appKeys, eq(appKeys.appId, appId)))) return
      const sealedKey = seal(secrets, appKeyName(kid), pem)
      await tx.insert(appKeys).values({ kid, appId, sealedKey, createdAt: clock() })
      await work(tx, kid)
    })
    return kid
  }

  async function load(app: App): Promise<readonly [AppKey, ...AppKey[]]> {
    let rows = await rowsOf(app.id)
    if (rows.length === 0) {
      await make(app.id, (count) => count === 0)
      rows = await rowsOf(app.id)
    }
    const own = rows.map(({ kid, sealedKey }) => readKey(unseal(secrets, appKeyName(kid), sealedKey)))
    const past = rows[0] ? shared.map((key) => ({ key, until: rows[0]?.createdAt })) : []
    const all = [...past, ...own.map((key, at) => ({ key, until: rows[at + 1]?.createdAt }))]
    const living = all
      .map(({ key, until }): AppKey => ({ ...key, ...(until !== undefined && { until: until + HANDOVER }) }))
      .filter(({ until }) => until === undefined || until + app.accessTokenLife * 1_000 > clock())
      .reverse()
    const [current, ...others] = living
    if (!current) throw new Error(`App ${app.id} has no signing key`)
    return [current, ...others]
  }

  async function of(app: App) {
    const known = kept.get(app.id)
    if (known && Math.abs(clock() - known.at) < limits.secretsReload) return known.keys
    const keys = load(app)
    kept.set(app.id, { at: clock(), keys })
    // A failure is told to whoever asked, and is not kept.
    keys.catch(() => kept.delete(app.id))
    return keys
  }

  return {
    of,
    async find(app, kid) {
      const found = (await of(app)).find((key) => key.kid === kid)
      if (found || clock() - (kept.get(app.id)?.at ?? 0) < AGAIN) return found
      kept.delete(app.id)
      return (await of(app)).find((key) => key.kid === kid)
    },
    async renew(appId, tool) {
      const kid = await make(
        appId,
        () => true,
        (tx, id) =>
          noteTool(tx, tool, { at: clock(), appId, action: 'signing-key-renewed', details: { key: id } }),
      )
      kept.delete(appId)
      return kid
    },
  }
}

function readKey(pem: string) {
  const privateKey = createPrivateKey(pem)
  const publicKey = createPublicKey(privateKey)
  return { kid: thumbprint(publicKey), privateKey, publicKey }
}

/** RFC 7638. */
function thumbprint(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
