/** Receiving: address and QR code are shown until the balance rises. */
import { within } from '../../lib/clock.ts'
import { formatBase58 } from '../../solana/base58.ts'
import { fundingLimits } from '../limits.ts'
import { type FundingMethod, leftMethod } from '../method.ts'
import { type ReadBalance, watchBalance } from '../watch-balance.ts'
import { paymentLink } from './payment-link.ts'
import { type ReceiveFundsAnswer, receiveFunds } from './receive-funds.tsx'

export interface ReceivingOptions {
  readonly readBalance: ReadBalance
  /** Looks for the transaction that names this key, on Solana. */
  findPayment?(reference: string, signal: AbortSignal): Promise<string | undefined>
}

/** Makes the method of receiving from elsewhere. */
export const receiving =
  ({ readBalance, findPayment }: ReceivingOptions): FundingMethod =>
  async (cx, target) => {
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
      if (asked.answer === 'back') return leftMethod()
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
