import type { ReactNode } from 'react'
import { Amount } from '../../ui/wallet/amount.tsx'
import { formatAmount, outflowsOf, type TransactionPreview } from '../preview.ts'
import { worthOf } from './cost.tsx'

/** What leaves, in large figures: the sum of all actions, asset by asset. */
export function Headline({ preview }: { preview: TransactionPreview }): ReactNode {
  const { actions, coin, prices, wallet } = preview
  const outflows = outflowsOf(preview)
  const [only] = actions
  if (outflows.length === 0)
    // Nothing to oneself only takes a nonce.
    return actions.length === 1 && only?.kind === 'transfer' && only.to !== wallet ? (
      <Amount>{formatAmount(only.amount, coin)}</Amount>
    ) : null
  return (
    <>
      {outflows.map(({ token, asset, amount }) => {
        const price =
          token === undefined
            ? prices?.coin
            : prices && Object.hasOwn(prices.tokens, token)
              ? prices.tokens[token]
              : undefined
        return (
          <Amount key={token ?? ''} worth={worthOf(amount, asset, price)}>
            {formatAmount(amount, asset)}
          </Amount>
        )
      })}
    </>
  )
}
