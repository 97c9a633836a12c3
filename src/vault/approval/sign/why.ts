import { formatAmount, outflowsOf, type TransactionPreview } from '../../../signing/preview.ts'
import type { WindowReason } from '../window/about.ts'
import type { SignReview } from './review.ts'

const purposes = {
  'sign-message': 'message',
  'sign-typed-data': 'typed-data',
  'approve-transaction': 'transaction',
  'approve-calls': 'transaction',
  'sign-authorization': 'typed-data',
} as const

/** The reason for a window that signs a request: a transaction has its amount at stake, anything else the wallet. */
export function whyOf({ screen, props }: Pick<SignReview, 'screen' | 'props'>): WindowReason {
  const purpose = Object.hasOwn(purposes, screen.id)
    ? purposes[screen.id as keyof typeof purposes]
    : purposes['sign-typed-data']
  const { preview, address } = props as {
    readonly preview?: TransactionPreview
    readonly address?: unknown
  }
  const [first] = preview ? outflowsOf(preview) : []
  if (preview) return { purpose, ...(first && { stake: formatAmount(first.amount, first.asset) }) }
  return { purpose, ...(typeof address === 'string' && { stake: address }) }
}
