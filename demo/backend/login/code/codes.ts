import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { keyedHash, type Secrets } from '../../secrets/secrets.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { allowedAt, countEvent, enforceWindows, tooMany, uncountEvent } from '../../store/rate-limits.ts'
import { rates } from '../../store/tables.ts'
import { codeAddresses } from './tables.ts'

const hour = 3_600_000
const day = 24 * hour
const month = 30 * day

/** Where a code goes to. */
export interface CodeAddress {
  appId: string
  channel: 'email' | 'sms'
  address: string
}
export interface IssuedCode {
  code: string
  /** Takes the sending back, limits included, because the message could not leave. */
  undo(): Promise<void>
}
/** Says nothing about why a guess failed. `lockedUntil` (ms): this one was one too many, and the owner should know. */
export type CodeCheck = { right: true } | { right: false; lockedUntil?: number | undefined }

export interface Codes {
  /**
   * Makes the code that replaces all earlier ones of the address.
   * @param ip who asks, as a key for limits; `undefined` when there is no telling (a call from inside)
   * @param allowance how many times the usual number of sendings that `ip` has
   * @throws Refusal `too_many_requests`
   */
  issue(to: CodeAddress, ip: string | undefined, allowance?: number): Promise<IssuedCode>
  /** Judges a guess; a right code is used up with the transaction. @throws Refusal `too_many_requests` */
  check(tx: Transaction, to: CodeAddress, guess: string, ip: string | undefined): Promise<CodeCheck>
}

/** One-time codes that are sent to an address; few enough guesses that nobody hits one by chance. */
export function createCodes(deps: {
  database: Database
  secrets: Secrets
  limits: Limits
  clock: () => number
}): Codes {
  const { database, secrets, limits, clock } = deps
  const hash = (to: CodeAddress, salt: string, code: string) =>
    keyedHash(secrets, 'code', salt, to.appId, to.channel, to.address, code)

  const row = ({ appId, channel, address }: CodeAddress) =>
    and(
      eq(codeAddresses.appId, appId),
      eq(codeAddresses.channel, channel),
      eq(codeAddresses.address, address),
    )

  /** The address's row, made if need be, and locked until the transaction ends. */
  async function lock(tx: Transaction, to: CodeAddress, now: number) {
    const [found] = await tx
      .insert(codeAddresses)
      .values({ ...to, touchedAt: now })
      .onConflictDoUpdate({
        target: [codeAddresses.appId, codeAddresses.channel, codeAddresses.address],
        set: { touchedAt: now },
      })
      .returning()
    if (!found) throw new Error('The row of a code address was neither found nor created')
    return found
  }

  const sendsByIp = (allowance: number) => [
    { most: limits.sendsPerIpMinute * allowance, span: 60_000 },
    { most: limits.sendsPerIpHour * allowance, span: hour },
  ]
  const guessesByIp = [{ most: limits.guessesPerIpHour, span: hour }]

  async function issue(to: CodeAddress, ip: string | undefined, allowance = 1): Promise<IssuedCode> {
    const now = clock()
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const codeId = randomUUID()
    await database.transaction(async (tx) => {
      const known = await lock(tx, to, now)
      if (known.lockedUntil !== null && known.lockedUntil > now) throw tooMany(known.lockedUntil - now)
      const sent = known.sent.filter((at) => at > now - day)
      enforceWindows(sent, now, [
        { most: 1, span: limits.resendLock },
        { most: limits.sendsPerAddressHour, span: hour },
        { most: limits.sendsPerAddressDay, span: day },
      ])
      if (ip !== undefined) await countEvent(tx, `send ${ip}`, now, hour, sendsByIp(allowance))
      const salt = randomBytes(16).toString('base64url')
      await tx
        .update(codeAddresses)
        .set({
          codeId,
          salt,
          hash: hash(to, salt, code).toString('base64url'),
          expiresAt: now + limits.codeLife,
          tries: 0,
          sent: [...sent, now],
        })
        .where(row(to))
    })
    return { code, undo: () => undo(to, ip, codeId, now) }
  }

  function undo(to: CodeAddress, ip: string | undefined, codeId: string, at: number) {
    return database.transaction(async (tx) => {
      const known = await lock(tx, to, clock())
      const sent = known.sent.filter((time) => time !== at)
      await tx
        .update(codeAddresses)
        .set(known.codeId === codeId ? { ...noCode, sent } : { sent })
        .where(row(to))
      if (ip !== undefined) await uncountEvent(tx, `send ${ip}`, at)
    })
  }

  async function check(
    tx: Transaction,
    to: CodeAddress,
    guess: string,
    ip: string | undefined,
  ): Promise<CodeCheck> {
    const now = clock()
    const known = await lock(tx, to, now)
    const { salt } = known
    const locked = known.lockedUntil !== null && known.lockedUntil > now
    const dead = known.expiresAt === null || known.expiresAt <= now
    if (locked || dead || known.hash === null || salt === null) return { right: false }
    if (ip !== undefined) {
      const [seen] = await tx
        .select()
        .from(rates)
        .where(eq(rates.key, `guess ${ip}`))
      enforceWindows(seen?.hits ?? [], now, guessesByIp)
    }
    if (timingSafeEqual(hash(to, salt, guess), Buffer.from(known.hash, 'base64url'))) {
      // The newest sending is the one that brought this code: it was answered, so it neither counts nor blocks.
      await tx
        .update(codeAddresses)
        .set({ ...noCode, sent: known.sent.slice(0, -1) })
        .where(row(to))
      return { right: true }
    }
    if (ip !== undefined) await countEvent(tx, `guess ${ip}`, now, hour)
    const failed = [...known.failed.filter((at) => at > now - month), now]
    const tries = known.tries + 1
    const lockedUntil = lockAfter(failed, now)
    await tx
      .update(codeAddresses)
      .set({ failed, tries, ...(lockedUntil && { lockedUntil }), ...(tries >= limits.codeTries && noCode) })
      .where(row(to))
    return { right: false, lockedUntil }
  }

  /** Until when nothing is judged, after this many failures; `undefined` while there is room for more. */
  function lockAfter(failed: readonly number[], now: number): number | undefined {
    const free = [
      allowedAt(failed, now, { most: limits.guessesPerAddressHour, span: hour }),
      allowedAt(failed, now, { most: limits.guessesPerAddressMonth, span: month }),
    ].filter((at) => at !== undefined)
    return free.length > 0 ? Math.max(now + limits.guessCooldown, ...free) : undefined
  }

  return { issue, check }
}

const noCode = { codeId: null, salt: null, hash: null, expiresAt: null, tries: 0 }
