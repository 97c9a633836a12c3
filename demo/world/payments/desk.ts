import { randomUUID } from 'node:crypto'
import { type Treasury, unitsOf } from './treasury.ts'

/** What the buyer does on the page. */
export const plays = ['approve', 'slow', 'decline', 'three-d-secure', 'bank-transfer'] as const
export type Play = (typeof plays)[number]
export type PaymentState = 'waiting-payment' | 'authorizing' | 'pending' | 'completed' | 'failed'

export interface PaymentOrder {
  /** The seller's account. */
  account: string
  /** The partner's name of it. */
  reference: string
  /** CAIP-2. */
  chain: string
  symbol: string
  address: string
  /** Whole units, as digits. */
  amount: string
  currency: string
  total: string
  fee: string
  method: string
}
export interface Payment extends PaymentOrder {
  id: string
  state: PaymentState
  failure: string | undefined
  hash: string | undefined
  createdAt: number
  updatedAt: number
}
export interface Desk {
  pay(order: PaymentOrder, play: Play, id?: string): Payment
  /** The bank's question is answered. */
  authorize(id: string, allowed: boolean): Payment | undefined
  /** Ends what is slow. Resolves when the coins are there. */
  settle(id: string): Promise<Payment | undefined>
  get(id: string): Payment | undefined
  /** The newest first. */
  of(account: string, reference: string): readonly Payment[]
  /** Resolves when nothing is on its way any more but what is slow. */
  idle(): Promise<void>
  close(): void
}

/**
 * Takes payments of any card, and sends coins for them. All that a seller does behind its page.
 * @param options.slowness milliseconds that something slow takes by itself
 * @param options.onChange told of every step, in order
 */
export function createDesk({
  treasury,
  slowness = 15_000,
  now = Date.now,
  onChange,
}: {
  treasury: Treasury
  slowness?: number
  now?: () => number
  onChange: (payment: Payment) => Promise<void>
}): Desk {
  const payments = new Map<string, Payment>()
  const running = new Set<Promise<unknown>>()
  const timers = new Map<string, NodeJS.Timeout>()
  let told: Promise<void> = Promise.resolve()

  function run<T>(work: Promise<T>): Promise<T> {
    running.add(work)
    const forget = () => void running.delete(work)
    work.then(forget, forget)
    return work
  }
  function step(payment: Payment, change: Partial<Payment>): void {
    // Never the same time twice, so that what comes later is later.
    Object.assign(payment, change, { updatedAt: Math.max(now(), payment.updatedAt + 1) })
    const seen = { ...payment }
    told = told.then(() => onChange(seen)).catch(() => {})
    run(told)
  }
  async function deliver(payment: Payment): Promise<void> {
    const { chain, symbol, address, amount } = payment
    try {
      const hash = await treasury.deliver({ chain, symbol, address, amount: unitsOf(chain, symbol, amount) })
      step(payment, { state: 'completed', hash })
    } catch {
      step(payment, { state: 'failed', failure: 'transaction_failed' })
    }
  }
  function later(payment: Payment): void {
    const timer = setTimeout(() => void settle(payment.id), slowness)
    timer.unref()
    timers.set(payment.id, timer)
  }
  async function settle(id: string): Promise<Payment | undefined> {
    const payment = payments.get(id)
    clearTimeout(timers.get(id))
    const wasWaiting = timers.delete(id)
    if (!payment || !wasWaiting) return payment
    if (payment.state === 'waiting-payment') step(payment, { state: 'pending' })
    await run(deliver(payment))
    return payment
  }

  return {
    pay(order, play, id = randomUUID()) {
      const known = payments.get(id)
      if (known && known.state !== 'failed') return known
      const at = now()
      const payment: Payment = {
        ...order,
        id,
        state: play === 'bank-transfer' ? 'waiting-payment' : 'pending',
        failure: undefined,
        hash: undefined,
        createdAt: at,
        updatedAt: at,
      }
      payments.set(id, payment)
      if (play === 'three-d-secure') step(payment, { state: 'authorizing' })
      else step(payment, {})
      if (play === 'approve') void run(deliver(payment))
      if (play === 'decline') step(payment, { state: 'failed', failure: 'card_declined' })
      if (play === 'slow' || play === 'bank-transfer') later(payment)
      return payment
    },
    authorize(id, allowed) {
      const payment = payments.get(id)
      if (payment?.state !== 'authorizing') return payment
      if (allowed) {
        step(payment, { state: 'pending' })
        void run(deliver(payment))
      } else step(payment, { state: 'failed', failure: '3ds_authentication_failed' })
      return payment
    },
    settle,
    get: (id) => payments.get(id),
    of: (account, reference) =>
      [...payments.values()]
        .filter((each) => each.account === account && each.reference === reference)
        .reverse(),
    async idle() {
      while (running.size > 0) await Promise.allSettled([...running])
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}

/** Dollars for one unit, by symbol: what everybody here sells and bridges at. */
export const usdPrices: Readonly<Record<string, number>> = {
  ETH: 3_000,
  SOL: 150,
  POL: 0.5,
  AVAX: 30,
  CELO: 0.5,
  USDC: 1,
}

/** What somebody asks for an amount: 2% and a fixed part for the network. */
export function priceOf(
  symbol: string,
  amount: string,
): { subtotal: number; service: number; network: number; total: number } {
  const cents = (value: number) => Math.round(value * 100) / 100
  const subtotal = cents(Number(amount) * (usdPrices[symbol] ?? 1))
  const service = cents(subtotal * 0.02)
  const network = 0.3
  return { subtotal, service, network, total: cents(subtotal + service + network) }
}
