/** Payments from this browser: per user, and shared by its tabs, so that a day's cap holds for all of them. */
import * as v from 'valibot'
import type { Storage } from '../lib/storage.ts'
import type { Limit } from './caps.ts'
import { x402Limits } from './limits.ts'

const units = v.pipe(v.string(), v.regex(/^\d{1,78}$/))
const short = v.pipe(v.string(), v.maxLength(128))
const payment = v.object({
  id: short,
  /** Milliseconds since 1970. */
  at: v.pipe(v.number(), v.minValue(0)),
  /** `reserved`: under review. `signed`: the seller may take it. `settled`: the network has it. */
  state: v.picklist(['reserved', 'signed', 'settled']),
  /** CAIP-2. */
  chain: short,
  token: short,
  symbol: short,
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
  amount: units,
  /** In millionths of a US dollar, where it counts in dollars. */
  value: v.optional(units),
  wallet: short,
  payTo: short,
  /** The seller's. */
  origin: v.pipe(v.string(), v.maxLength(300)),
  nonce: v.optional(short),
  /** Seconds since 1970. */
  validBefore: v.optional(v.pipe(v.number(), v.minValue(0))),
  /** The block before which it can't have been settled. */
  fromBlock: v.optional(units),
  /** As the seller names it. */
  claimedHash: v.optional(short),
  /** The end of the consent that it was taken from, which gets it back if it isn't signed. */
  consent: v.optional(v.number()),
})
/** A user's choice to pay a seller without a review. */
const consent = v.object({
  origin: v.pipe(v.string(), v.maxLength(300)),
  wallet: short,
  chain: short,
  token: short,
  payTo: short,
  /** The greatest amount of one payment, as the user has seen it. */
  most: units,
  /** The greatest sum, of which each payment is taken. */
  left: units,
  /** Milliseconds since 1970. */
  until: v.number(),
})
const stored = v.object({ payments: v.array(v.unknown()), consents: v.array(v.unknown()) })

export type PaymentRecord = v.InferOutput<typeof payment>
/** A payment that the time of its reservation is still to be given to. */
export type NewPayment = Omit<PaymentRecord, 'at'>
export type PaymentConsent = v.InferOutput<typeof consent>

/** A payment that would be too much. */
export class OverCap extends Error {
  override name = 'OverCap'
  readonly limit: Limit
  /** The rest of the day's limit, in its unit. */
  readonly left: bigint
  constructor(limit: Limit, left: bigint) {
    super('The payment is above a cap')
    this.limit = limit
    this.left = left
  }
}

export interface Spending {
  /**
   * Reserves a payment where all limits let it. Resolves with what each limit of the day leaves afterwards.
   * @throws OverCap, or what keeps the server from saying its time: without that nobody knows which payments are of today
   */
  reserve(payment: NewPayment, limits: readonly Limit[]): Promise<readonly Left[]>
  /** Frees a payment that was not signed, and gives the consent back that it was taken from. */
  release(id: string): Promise<void>
  /**
   * Notes that a payment is signed. Resolves with `false` where its reservation is over: nothing counts it, so nobody may get the signature.
   * @param validBefore seconds since 1970
   */
  noteSigned(id: string, validBefore: number): Promise<boolean>
  update(id: string, change: Partial<PaymentRecord>): Promise<void>
  /** Signed payments that nobody has found on their network so far. */
  unsettled(): readonly PaymentRecord[]
  /** Takes a payment that is reserved from the user's consent. Resolves with whether there is one that covers it. */
  takeFromConsent(payment: NewPayment): Promise<boolean>
  consent(added: PaymentConsent): Promise<void>
}
export interface Left {
  readonly limit: Limit
  readonly left: bigint
}

interface SpendingContext {
  readonly storage: Storage
  readonly key: string
  /** The server's time as far as it is known, in milliseconds since 1970. */
  now(): number
  /** Asks the server for its time: that of the device may have been set to another day. */
  serverTime(): Promise<number>
  /** Runs one change at a time, in all tabs. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

export function createSpending({ storage, key, now, serverTime, exclusively }: SpendingContext): Spending {
  const read = () => parse(storage.get(key))
  const change = (next: (stored: ReturnType<typeof read>) => Partial<ReturnType<typeof read>>) =>
    exclusively(async () => {
      const known = read()
      storage.set(key, JSON.stringify({ ...known, ...next(known) }))
    })

  return {
    async reserve(given, limits) {
      const at = await serverTime()
      const added = { ...given, at }
      return exclusively(async () => {
        const stored = read()
        const over = stored.payments.filter((each) => !isOfToday(each, at))
        const payments = stored.payments.filter((each) => isOfToday(each, at))
        const consents = givenBack(stored.consents, over).filter(({ until }) => at < until)
        const left = leftAfter(added, payments, limits)
        // The oldest payments count as long as they are of today.
        if (payments.length >= x402Limits.entries) {
          const [limit] = limits.filter(({ per }) => per === 'day')
          if (limit) throw new OverCap(limit, 0n)
        }
        storage.set(key, JSON.stringify({ payments: [...payments, added], consents }))
        return left
      })
    },
    release: (id) =>
      change(({ payments, consents }) => {
        const isReleased = (each: PaymentRecord) => each.id === id && each.state === 'reserved'
        return {
          payments: payments.filter((each) => !isReleased(each)),
          consents: givenBack(consents, payments.filter(isReleased)),
        }
      }),
    noteSigned: (id, validBefore) =>
      exclusively(async () => {
        const stored = read()
        const isReserved = stored.payments.some((each) => each.id === id && each.state === 'reserved')
        if (!isReserved) return false
        const payments = stored.payments.map((each) =>
          each.id === id ? { ...each, state: 'signed', validBefore } : each,
        )
        storage.set(key, JSON.stringify({ ...stored, payments }))
        return true
      }),
    update: (id, changes) =>
      change(({ payments }) => ({
        payments: payments.map((each) => (each.id === id ? { ...each, ...changes } : each)),
      })),
    unsettled: () => read().payments.filter((each) => each.state === 'signed' && isOfToday(each, now())),
    takeFromConsent: (wanted) =>
      exclusively(async () => {
        const { payments, consents } = read()
        const amount = BigInt(wanted.amount)
        const given = consents.find((each) => now() < each.until && covers(each, wanted))
        if (!given || amount > BigInt(given.most) || amount > BigInt(given.left)) return false
        if (!payments.some(({ id }) => id === wanted.id)) return false
        const used = { ...given, left: String(BigInt(given.left) - amount) }
        storage.set(
          key,
          JSON.stringify({
            payments: payments.map((each) =>
              each.id === wanted.id ? { ...each, consent: given.until } : each,
            ),
            consents: consents.map((each) => (each === given ? used : each)),
          }),
        )
        return true
      }),
    consent: (added) =>
      change(({ consents }) => ({
        consents: [...consents.filter((each) => !covers(each, added)), added],
      })),
  }
}

/** Whether a payment counts for the day's caps at a time of the server. */
const isOfToday = ({ at, state }: PaymentRecord, now: number): boolean =>
  now - at < (state === 'reserved' ? x402Limits.reservation : x402Limits.day)

/** Whether a consent is for this wallet, asset, seller and recipient: a change of any of them is reviewed again. */
const covers = (
  given: PaymentConsent,
  wanted: Pick<PaymentRecord, 'origin' | 'wallet' | 'chain' | 'token' | 'payTo'>,
): boolean =>
  (['origin', 'wallet', 'chain', 'token', 'payTo'] as const).every((name) => given[name] === wanted[name])

/** Consents with what was taken from them for payments that were never signed. A consent that the user has given since is another one. */
const givenBack = (
  consents: readonly PaymentConsent[],
  payments: readonly PaymentRecord[],
): readonly PaymentConsent[] =>
  consents.map((each) => {
    const sum = payments
      .filter(
        (payment) => payment.state === 'reserved' && payment.consent === each.until && covers(each, payment),
      )
      .reduce((total, { amount }) => total + BigInt(amount), 0n)
    return { ...each, left: String(BigInt(each.left) + sum) }
  })

function leftAfter(
  added: NewPayment,
  payments: readonly PaymentRecord[],
  limits: readonly Limit[],
): readonly Left[] {
  return limits.flatMap((limit): readonly Left[] => {
    const amountOf = (each: NewPayment) =>
      limit.unit === 'usd'
        ? BigInt(each.value ?? 0)
        : each.chain === added.chain && each.token === added.token
          ? BigInt(each.amount)
          : 0n
    const wanted = amountOf(added)
    const spent = limit.per === 'day' ? payments.reduce((sum, each) => sum + amountOf(each), 0n) : 0n
    const left = limit.most - spent
    if (wanted > left) throw new OverCap(limit, left > 0n ? left : 0n)
    return limit.per === 'day' ? [{ limit, left: left - wanted }] : []
  })
}

/** Entries that can't be read are left out. */
function parse(text: string | undefined): {
  payments: readonly PaymentRecord[]
  consents: readonly PaymentConsent[]
} {
  const list = <T>(schema: v.GenericSchema<unknown, T>, items: readonly unknown[]): T[] =>
    items.flatMap((item) => {
      const read = v.safeParse(schema, item)
      return read.success ? [read.output] : []
    })
  try {
    const { payments, consents } = v.parse(stored, JSON.parse(text ?? '{}'))
    return {
      payments: list<PaymentRecord>(payment, payments),
      consents: list<PaymentConsent>(consent, consents),
    }
  } catch {
    return { payments: [], consents: [] }
  }
}
