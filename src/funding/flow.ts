/** Funding: the user chooses how money comes into their wallet, and stays until it is there. */
import type { FlowContext } from '../app/flow-context.ts'
import { addWords } from '../copy/copy.ts'
import { funding as words } from '../copy/en/funding.ts'
import { within } from '../lib/clock.ts'
import { formatBase58 } from '../solana/base58.ts'
import { fundingLimits } from './limits.ts'
import { paymentLink } from './payment-link.ts'
import { type ReceiveFundsAnswer, receiveFunds } from './receive-funds.tsx'
import { selectMethod } from './select-method.tsx'
import type { FundingMethods, FundingTarget } from './target.ts'

addWords(words)

export interface FundingOptions {
  readonly target: FundingTarget
  readonly methods: FundingMethods
  /** The method that begins without being chosen. Going back from it leads to all of them. */
  readonly first?: 'manual' | undefined
  /** Asks the network for the wallet's balance of the asset. */
  readBalance(signal: AbortSignal): Promise<bigint>
  /** Looks for the transaction that names this key, on Solana. */
  findPayment?(reference: string, signal: AbortSignal): Promise<string | undefined>
}

export interface FundingOutcome {
  readonly method: 'manual'
  /** `confirmed`: the network says that the wallet has more. */
  readonly status: 'confirmed'
  /** In smallest units. */
  readonly received: bigint
  readonly transactionHash?: string | undefined
}

/**
 * Funds a wallet.
 * @throws Closed when the user closes the dialog before anything has come
 */
export async function fund(cx: FlowContext, options: FundingOptions): Promise<FundingOutcome> {
  let first = options.first
  for (;;) {
    if (first === undefined) await choose(cx, options)
    first = undefined
    const outcome = await receive(cx, options)
    if (outcome !== 'back') return outcome
  }
}

async function choose(cx: FlowContext, { target, methods, readBalance }: FundingOptions): Promise<'manual'> {
  const watch = watchBalance(cx, readBalance)
  let balance: bigint | undefined
  for (;;) {
    const asked = await cx.stage.askDuring(
      selectMethod,
      { target, methods, balance },
      async (signal): Promise<bigint> => {
        for (;;) {
          const found = await watch(signal)
          if (found !== undefined && found !== balance) return found
        }
      },
    )
    if ('answer' in asked) return asked.answer
    balance = asked.done
  }
}

async function receive(cx: FlowContext, options: FundingOptions): Promise<FundingOutcome | 'back'> {
  const { target, readBalance, findPayment } = options
  const { stage, clock } = cx
  const reference =
    target.chainType === 'solana' && findPayment
      ? formatBase58(crypto.getRandomValues(new Uint8Array(fundingLimits.referenceLength)))
      : undefined
  const link = paymentLink(target, reference)
  const watch = watchBalance(cx, readBalance)
  let lowest: bigint | undefined
  let balance: bigint | undefined
  let isUnreachable = false
  for (;;) {
    const received: bigint | undefined =
      balance !== undefined && lowest !== undefined && balance > lowest ? balance - lowest : undefined
    const asked: { answer: ReceiveFundsAnswer } | { done: { found: bigint | undefined } } =
      await stage.askDuring(
        receiveFunds,
        { target, link, balance, received, isUnreachable },
        async (signal): Promise<{ readonly found: bigint | undefined }> => {
          for (;;) {
            const found: bigint | undefined = await watch(signal)
            if (found === undefined ? !isUnreachable : isUnreachable || found !== balance) return { found }
          }
        },
      )
    if ('done' in asked) {
      const found: bigint | undefined = asked.done.found
      isUnreachable = found === undefined
      if (found === undefined) continue
      // Spending from the wallet meanwhile doesn't hide an arrival.
      if (lowest === undefined || found < lowest) lowest = found
      balance = found
      continue
    }
    if (asked.answer === 'back') return 'back'
    if (received === undefined) continue
    const transactionHash =
      reference === undefined || !findPayment
        ? undefined
        : await within(
            clock,
            fundingLimits.balanceTime,
            (signal) => findPayment(reference, signal),
            stage.signal,
          ).catch(() => undefined)
    return { method: 'manual', status: 'confirmed', received, ...(transactionHash && { transactionHash }) }
  }
}

/** Reads a balance at once, and then in intervals. Resolves with `undefined` for a reading that has failed. */
function watchBalance(
  { clock }: FlowContext,
  read: FundingOptions['readBalance'],
): (signal: AbortSignal) => Promise<bigint | undefined> {
  let due = clock.now()
  return async (signal) => {
    const wait = due - clock.now()
    if (wait > 0) await clock.sleep(wait, signal)
    try {
      return await within(clock, fundingLimits.balanceTime, read, signal)
    } catch {
      signal.throwIfAborted()
      return undefined
    } finally {
      due = clock.now() + fundingLimits.balanceInterval
    }
  }
}
