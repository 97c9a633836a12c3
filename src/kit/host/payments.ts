/** Requests that are paid (x402); loaded with the first of them. The kit is ready. */
import { KitError } from '../../errors/kit-error.ts'
import { chainOf } from '../../ethereum/chains.ts'
import type { Fetch } from '../../lib/retrying-fetch.ts'
import { readCap } from '../../x402/caps.ts'
import { fetchWithPayment } from '../../x402/pay.ts'
import { createPresses, type Presses } from '../../x402/presses.ts'
import { reviewPayment } from '../../x402/review.ts'
import type { FetchWithPaymentOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { inTurn, walletFor } from './requests.ts'
import { runSigning, typedDataEvents } from './signing.ts'

/** Fetches for {@link Kit.fetchWithPayment}. */
export async function fetchForHost(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  init: RequestInit | undefined,
  { perPayment, address, surface }: FetchWithPaymentOptions = {},
): Promise<Response> {
  const config = cx.app.known()
  const { x402 } = config.host
  if (!x402)
    throw new KitError('payment_not_enabled', 'Payments are off. They need config.x402 with its caps.')
  const caps = [
    { perPayment: readCap(x402.perPayment, 'x402.perPayment'), perDay: readCap(x402.perDay, 'x402.perDay') },
    { perPayment: readCap(perPayment, 'perPayment') },
  ]
  const wallet = await walletFor(cx, 'ethereum', address)
  const canSkipReview = config.vault !== 'strict' && x402.skipsReviews === true
  const signal = init?.signal ?? undefined
  const { session } = await cx.services()
  return fetchWithPayment(
    {
      fetch: cx.fetch as Fetch,
      clock: cx.clock,
      now: session.serverNow,
      prices: sending.prices,
      wallet: wallet.address,
      caps,
      canSkipReview,
      payments: await sending.payments(),
      presses: pressesOf(cx),
      hasChain: (chainId) => chainOf(config, chainId) !== undefined,
      nodeOf: sending.nodeOf,
      sign: (payment, request) =>
        inTurn(sending, signal, (turn) =>
          runSigning(
            cx,
            { surface, signal, turn, isHidden: !request.isReviewed, events: typedDataEvents },
            (now) =>
              reviewPayment(now, {
                ...request,
                wallet,
                payment,
                canSkipReview,
                node: sending.nodeOf(payment.payable.chainId),
              }),
          ),
        ),
    },
    input,
    init,
  )
}

/** Those of a kit, so that two apps on one page don't stop each other. */
const presses = new WeakMap<object, Presses>()
function pressesOf({ events }: KitContext): Presses {
  const own = presses.get(events) ?? createPresses()
  presses.set(events, own)
  return own
}
