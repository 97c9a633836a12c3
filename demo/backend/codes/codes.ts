import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { and, eq, getTableColumns, gt, inArray, or, sql } from 'drizzle-orm'
import { roundUp } from '../lib/time.ts'
import { keyedHash, type Secrets } from '../secrets/secrets.ts'
import { sessions } from '../sessions/tables.ts'
import type { App } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import { type Database, inserted, type Transaction } from '../store/database.ts'
import {
  allowedAt,
  countEvent,
  enforceWindows,
  eventInsert,
  eventRefusal,
  tallySharded,
  tooMany,
  uncountEvent,
  untally,
} from '../store/rate-limits.ts'
import { rates } from '../store/tables.ts'
import { accounts } from '../users/tables.ts'
import { codeAddresses } from './tables.ts'

type AddressRow = typeof codeAddresses.$inferSelect

const hour = 3_600_000
const day = 24 * hour
const month = 30 * day
/** Stands for every app where sendings to a mailbox are counted; no app has an empty id. */
const ALL_APPS = ''

/** Where a code goes to. */
export interface CodeAddress {
  appId: string
  channel: 'email' | 'sms'
  address: string
  /** Where several addresses end, and what is sent is counted; without it, the address. A guess may leave it out. */
  mailbox?: string | undefined
  /** The key without which the code is good for nothing: the thumbprint of the browser that asked for it. */
  boundTo?: string | undefined
  /** Milliseconds that its codes live, where that is not as long as those of a login. */
  life?: number | undefined
}
/** How many codes may be sent in one hour. */
export interface SendCaps {
  app: number
  all: number
}
/** The caps of an app over a channel. */
export const sendCaps = (app: App, limits: Limits, channel: CodeAddress['channel']): SendCaps =>
  channel === 'email'
    ? { app: app.sendsPerHour.email ?? limits.mailsPerAppHour, all: limits.mailsPerHour }
    : { app: app.sendsPerHour.sms ?? limits.smsPerAppHour, all: limits.smsPerHour }
export interface IssuedCode {
  code: string
  /** Takes the sending back, limits included, because the message could not leave. */
  undo(): Promise<void>
}
/**
 * A guess that failed, for whatever reason, is answered in the same way. `lockedUntil` (ms): this one was one too many, and the owner
 * should know.
 */
export type CodeCheck =
  | { right: true }
  | { right: false; reason: WrongCodeReason; lockedUntil?: number | undefined }
/** Why a code did not let anybody in, for the log. */
export type WrongCodeReason = 'no-code' | 'code-expired' | 'guesses-paused' | 'wrong-code' | 'last-wrong-code'

export interface Codes {
  /**
   * Makes the code that replaces all earlier ones of the address.
   * @param ip who asks, as a key for limits; `undefined` when there is no telling (a call from inside)
   * @param allowance how many times the usual number of sendings that `ip` has
   * @param caps what may be sent in one hour over this channel
   * @throws Refusal `too_many_requests`
   */
  issue(to: CodeAddress, ip: string | undefined, caps: SendCaps, allowance?: number): Promise<IssuedCode>
  /** Judges a guess; a right code is used up with the transaction. @throws Refusal `too_many_requests` */
  check(tx: Transaction, to: CodeAddress, guess: string, ip: string | undefined): Promise<CodeCheck>
}

/** One-time codes that are sent to an address; few enough guesses that nobody hits one by chance. */
export function createCodes(deps: {
  log: (line: string) => void
  database: Database
  secrets: Secrets
  limits: Limits
  clock: () => number
}): Codes {
  const { database, secrets, limits, clock, log } = deps
  const hash = (to: CodeAddress, salt: string, code: string) =>
    keyedHash(
      secrets,
      'code',
      salt,
      to.appId,
      to.channel,
      to.address,
      code,
      ...(to.boundTo ? [to.boundTo] : []),
    )

  const row = ({ appId, channel, address }: CodeAddress) =>
    and(
      eq(codeAddresses.appId, appId),
      eq(codeAddresses.channel, channel),
      eq(codeAddresses.address, address),
    )
  /** The row in which sendings are counted, for all apps together: it is one person who reads them. */
  const mailboxOf = ({ channel, mailbox, address }: CodeAddress): CodeAddress => ({
    appId: ALL_APPS,
    channel,
    address: mailbox ?? address,
  })

  /** With the mailbox to which the code that is alive has gone: whoever brings a code need not say where it came. */
  async function asSent(tx: Transaction, to: CodeAddress): Promise<CodeAddress> {
    const [sent] = await tx.select({ mailbox: codeAddresses.mailbox }).from(codeAddresses).where(row(to))
    return { ...to, mailbox: sent?.mailbox ?? undefined }
  }

  /**
   * The row of the address, made if need be, with the sendings of its mailbox: both locked until the transaction ends, in one statement
   * and always in this order.
   * @param event what the same statement counts. `isCounted`: whether its windows let it in
   */
  async function lock(
    tx: Transaction,
    to: CodeAddress,
    now: number,
    event?: ReturnType<typeof eventInsert>,
  ): Promise<AddressRow & { isCounted: boolean }> {
    const touchedAt = roundUp(now, day)
    const mailbox = mailboxOf(to)
    const rows = await tx
      .with(...(event ? [inserted(tx, 'event', event)] : []))
      .insert(codeAddresses)
      .values([mailbox, to].map(({ appId, channel, address }) => ({ appId, channel, address, touchedAt })))
      .onConflictDoUpdate({
        target: [codeAddresses.appId, codeAddresses.channel, codeAddresses.address],
        set: { touchedAt },
      })
      .returning({
        ...getTableColumns(codeAddresses),
        isCounted: event ? sql<boolean>`exists (select from event)` : sql<boolean>`true`,
      })
      // Asked with every login: with named statements the database plans it once.
      .prepare(event ? 'lock_code_address_counted' : 'lock_code_address')
      .execute()
    const [counted, own] = [
      rows.find(({ appId }) => appId === ALL_APPS),
      rows.find(({ appId }) => appId !== ALL_APPS),
    ]
    if (!counted || !own) throw new Error('The rows of a code address were neither found nor created')
    return { ...own, sent: counted.sent }
  }

  /**
   * Keeps what has changed of the two, in one statement.
   * @param name of the statement, where the same columns change each time
   */
  async function keep(
    tx: Transaction,
    to: CodeAddress,
    { sent, ...own }: Partial<AddressRow>,
    name?: string,
  ): Promise<void> {
    const ofMailbox = sent && sentUpdate(tx, to, sent)
    if (Object.keys(own).length === 0) return void (await ofMailbox)
    const update = tx
      .with(...(ofMailbox ? [inserted(tx, 'of_mailbox', ofMailbox)] : []))
      .update(codeAddresses)
      .set(own)
      .where(row(to))
    await (name === undefined ? update : update.prepare(name).execute())
  }
  const sentUpdate = (tx: Transaction, to: CodeAddress, sent: number[]) =>
    tx
      .update(codeAddresses)
      .set({ sent })
      .where(row(mailboxOf(to)))

  /** Until when this caller's guesses are not judged, and no codes are sent. */
  async function refusedUntil(
    tx: Transaction,
    to: CodeAddress,
    known: AddressRow,
    ip: string | undefined,
    now: number,
  ): Promise<number | undefined> {
    return (await pausedUntil(tx, to, known, now)) ?? (await spentUntil(tx, to, known, ip, now))
  }

  /**
   * Until when nothing is judged. Whoever has come in another way since the pause began is the owner, and ends it:
   * while it lasts no code of this address opens a session.
   */
  async function pausedUntil(
    tx: Transaction,
    to: CodeAddress,
    known: AddressRow,
    now: number,
  ): Promise<number | undefined> {
    const { lockedUntil } = known
    if (lockedUntil === null || lockedUntil <= now) return undefined
    if (!(await cameInSince(tx, to, lockedUntil - limits.guessCooldown))) return lockedUntil
    known.lockedUntil = now
    await keep(tx, to, { lockedUntil: now })
    return undefined
  }

  /**
   * Until when the guesses of 30 days are used up. The last of them are kept for the owner: who asks from where a code
   * has let somebody in before, or while somebody has just come in another way.
   */
  async function spentUntil(
    tx: Transaction,
    to: CodeAddress,
    { failed, sources }: AddressRow,
    ip: string | undefined,
    now: number,
  ): Promise<number | undefined> {
    const { guessesOfStrangersMonth, guessesPerAddressMonth, guessCooldown } = limits
    const spent = allowedAt(failed, now, { most: guessesOfStrangersMonth, span: month })
    if (spent === undefined) return undefined
    const isKnown = ip !== undefined && sources.includes(sourceOf(to, ip))
    return isKnown || (await cameInSince(tx, to, now - guessCooldown))
      ? allowedAt(failed, now, { most: guessesPerAddressMonth, span: month })
      : spent
  }

  /** Whether the address's owner has been logged in since then, in whatever way. */
  async function cameInSince(tx: Transaction, to: CodeAddress, since: number): Promise<boolean> {
    const type = to.channel === 'email' ? 'email' : 'phone'
    const sessionsSince = await tx.$count(
      sessions,
      and(
        gt(sessions.createdAt, since),
        inArray(
          sessions.userId,
          tx
            .select({ id: accounts.userId })
            .from(accounts)
            .where(
              and(eq(accounts.appId, to.appId), eq(accounts.type, type), eq(accounts.subject, to.address)),
            ),
        ),
      ),
    )
    return sessionsSince > 0
  }

  /** A network address, so that nobody reads from the table where people are. */
  const sourceOf = ({ appId, channel, address }: CodeAddress, ip: string) =>
    keyedHash(secrets, 'code-source', appId, channel, address, ip).toString('base64url').slice(0, 22)
  /** With this one as the latest. */
  const knownSources = (to: CodeAddress, sources: readonly string[], ip: string | undefined) => {
    if (ip === undefined) return undefined
    const source = sourceOf(to, ip)
    return [...sources.filter((each) => each !== source), source].slice(-limits.knownSources)
  }

  const sendsByIp = (allowance: number) => [
    { most: limits.sendsPerIpMinute * allowance, span: 60_000 },
    { most: limits.sendsPerIpHour * allowance, span: hour },
  ]
  /** What one source may get wrong: in all, and at one address, so that it cannot pause that for others. */
  const guessesFrom = (ip: string, { appId, channel, address }: CodeAddress) => [
    { key: `guess ${ip}`, most: limits.guessesPerIpHour },
    { key: `guess ${ip} ${appId} ${channel} ${address}`, most: limits.guessesPerSourceHour },
  ]
  /** In this order, so that two who count both do not wait for each other. */
  const tallied = ({ appId, channel }: CodeAddress, caps: SendCaps) => [
    { key: `send ${channel} ${appId}`, most: caps.app },
    { key: `send ${channel}`, most: caps.all },
  ]

  async function issue(
    to: CodeAddress,
    ip: string | undefined,
    caps: SendCaps,
    allowance = 1,
  ): Promise<IssuedCode> {
    const now = clock()
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const codeId = randomUUID()
    const rows = await database.transaction(async (tx) => {
      const windows = sendsByIp(allowance)
      const event = ip === undefined ? undefined : eventInsert(tx, `send ${ip}`, now, hour, windows)
      const known = await lock(tx, to, now, event)
      const refused = await refusedUntil(tx, to, known, ip, now)
      if (refused !== undefined) throw tooMany(refused - now)
      const sent = known.sent.filter((at) => at > now - day)
      enforceWindows(sent, now, [
        { most: 1, span: limits.resendLock },
        { most: limits.sendsPerAddressHour, span: hour },
        { most: limits.sendsPerAddressDay, span: day },
      ])
      if (!known.isCounted) throw await eventRefusal(tx, `send ${ip}`, now, windows)
      const salt = randomBytes(16).toString('base64url')
      const own = tx.update(codeAddresses).set({
        codeId,
        salt,
        hash: hash(to, salt, code).toString('base64url'),
        expiresAt: now + (to.life ?? limits.codeLife),
        mailbox: to.mailbox ?? null,
        tries: 0,
      })
      // Last, since others wait for the rows until the transaction ends.
      const parts = [
        inserted(tx, 'of_mailbox', sentUpdate(tx, to, [...sent, now])),
        inserted(tx, 'own', own.where(row(to))),
      ]
      const counted = await tallySharded(tx, tallied(to, caps), now, { name: 'issue_code', parts })
      for (const { key, most, isLast } of counted)
        if (isLast) log(`No more codes are sent in this hour: ${key} has reached ${most}`)
      return counted.map(({ row }) => row)
    })
    return { code, undo: () => undo(to, ip, rows, codeId, now) }
  }

  /** @param rows in which the sending was counted */
  function undo(
    to: CodeAddress,
    ip: string | undefined,
    rows: readonly string[],
    codeId: string,
    at: number,
  ) {
    return database.transaction(async (tx) => {
      const known = await lock(tx, to, clock())
      const sent = without(known.sent, at)
      await keep(tx, to, known.codeId === codeId ? { ...noCode, sent } : { sent })
      if (ip !== undefined) await uncountEvent(tx, `send ${ip}`, at)
      for (const key of rows) await untally(tx, key, at)
    })
  }

  async function check(
    tx: Transaction,
    guessed: CodeAddress,
    guess: string,
    ip: string | undefined,
  ): Promise<CodeCheck> {
    const now = clock()
    const to = guessed.mailbox === undefined ? await asSent(tx, guessed) : guessed
    const known = await lock(tx, to, now)
    const { salt, expiresAt } = known
    if (expiresAt === null || known.hash === null || salt === null) return { right: false, reason: 'no-code' }
    if (expiresAt <= now) return { right: false, reason: 'code-expired' }
    if ((await refusedUntil(tx, to, known, ip, now)) !== undefined)
      return { right: false, reason: 'guesses-paused' }
    const counted = ip === undefined ? [] : guessesFrom(ip, to)
    if (counted.length > 0) {
      const keys = counted.map(({ key }) => key)
      const ofKeys = tx.select().from(rates).where(inArray(rates.key, keys))
      const seen = await ofKeys.prepare(`read_guesses_${keys.length}`).execute()
      for (const { key, most } of counted) {
        const hits = seen.find((each) => each.key === key)?.hits ?? []
        enforceWindows(hits, now, [{ most, span: hour }])
      }
    }
    if (timingSafeEqual(hash(to, salt, guess), Buffer.from(known.hash, 'base64url'))) {
      // The sending that brought this code was answered, so it neither counts nor blocks.
      const sources = knownSources(to, known.sources, ip)
      const sent = without(known.sent, expiresAt - (to.life ?? limits.codeLife))
      if (sources) await keep(tx, to, { ...noCode, sent, sources }, 'use_code_from')
      else await keep(tx, to, { ...noCode, sent }, 'use_code')
      return { right: true }
    }
    for (const { key } of counted) await countEvent(tx, key, now, hour)
    const failed = [...known.failed.filter((at) => at > now - month), now]
    const tries = known.tries + 1
    const sincePause = failed.filter((at) => at > (known.lockedUntil ?? 0))
    const hourly = { most: limits.guessesPerAddressHour, span: hour }
    const isTooMany = allowedAt(sincePause, now, hourly) !== undefined
    const lockedUntil = isTooMany ? now + limits.guessCooldown : undefined
    const spentUntil = allowedAt(failed, now, { most: limits.guessesOfStrangersMonth, span: month })
    const isSpent = spentUntil !== undefined && failed.length === limits.guessesOfStrangersMonth
    // Who goes on guessing, hour after hour, does not fill the owner's inbox too.
    const told = known.lockedUntil !== null && known.lockedUntil > now - day
    await keep(tx, to, {
      failed,
      tries,
      ...(lockedUntil && { lockedUntil }),
      ...(tries >= limits.codeTries && noCode),
    })
    const reason = tries >= limits.codeTries ? 'last-wrong-code' : 'wrong-code'
    if (isSpent) return { right: false, reason, lockedUntil: spentUntil }
    return { right: false, reason, lockedUntil: told ? undefined : lockedUntil }
  }

  return { issue, check }
}

/**
 * Forgets the guesses at an address and the sendings to it: its owner has told the operator that they are kept out. From then on it
 * takes as many guesses as at first. Resolves with whether there was anything to forget.
 */
export async function forgetGuesses(
  tx: Transaction,
  { appId, channel, address, mailbox = address }: CodeAddress,
): Promise<boolean> {
  const forgotten = await tx
    .update(codeAddresses)
    .set({ ...noCode, failed: [], sent: [], lockedUntil: null })
    .where(
      and(
        eq(codeAddresses.channel, channel),
        or(
          and(eq(codeAddresses.appId, appId), eq(codeAddresses.address, address)),
          and(eq(codeAddresses.appId, ALL_APPS), eq(codeAddresses.address, mailbox)),
        ),
      ),
    )
    .returning({ address: codeAddresses.address })
  return forgotten.length > 0
}

/** A list without one of its times. */
function without(times: readonly number[], at: number): number[] {
  const index = times.lastIndexOf(at)
  return index < 0 ? [...times] : times.toSpliced(index, 1)
}

const noCode = { codeId: null, salt: null, hash: null, mailbox: null, expiresAt: null, tries: 0 }
