/** Asks with how much the wallet is funded. */
import type { FlowContext } from '../../app/flow-context.ts'
import { isFresh, PRICE_AGE, type Price } from '../../lib/price.ts'
import type { FundingTarget } from '../target.ts'
import { readAmountText, writeAmountText } from './amount-text.ts'
import { editAmount } from './edit-amount.tsx'

export interface AmountOptions {
  /** Its `amount` is proposed. */
  readonly target: Pick<FundingTarget, 'address' | 'chain' | 'network' | 'symbol' | 'decimals' | 'amount'>
  /** Reads the price of one whole unit, again whenever the last one is too old to be shown. Never rejects. */
  readonly price?: (() => Promise<Price | undefined>) | undefined
  /** A reason why the proposed amount can't be used. */
  readonly error?: string | undefined
}

/**
 * Shows the amount until the user confirms one above zero.
 * @returns the amount in smallest units
 * @throws Closed when the user closes the dialog
 */
export async function askAmount(
  { stage, clock, page }: Pick<FlowContext, 'stage' | 'clock' | 'page'>,
  { target, price: readPrice, error }: AmountOptions,
): Promise<bigint | 'back'> {
  const { amount, decimals } = target
  const filled = { text: amount === undefined ? '' : writeAmountText(amount, decimals) }
  let price: Price | undefined
  let isAsked = false
  for (;;) {
    const asked = await stage.askDuring(
      editAmount,
      { target, filled, price, error, now: clock.now(), locale: page.language },
      async (signal): Promise<Price | undefined> => {
        // A server without a price is asked once.
        if (readPrice && (!isAsked || price)) {
          if (price) await clock.sleep(Math.max(0, price.at + PRICE_AGE + 1 - clock.now()), signal)
          isAsked = true
          const found = await readPrice()
          return found && isFresh(found, clock.now()) ? found : undefined
        }
        return new Promise(() => {})
      },
    )
    if ('done' in asked) {
      price = asked.done
      continue
    }
    if (asked.answer === 'back') return 'back'
    const read = readAmountText(asked.answer.amount, decimals)
    if (read.problem === undefined) return read.amount
  }
}
