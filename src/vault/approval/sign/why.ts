import type { WindowReason } from '../window/about.ts'
import type { Reading } from './reading-of.ts'

const purposes = {
  'sign-message': 'message',
  'sign-typed-data': 'typed-data',
  'approve-transaction': 'transaction',
} as const

/** The reason for a window that signs a request: a transaction has its amount at stake, anything else the wallet. */
export function whyOf({ screen, props }: Pick<Reading, 'screen' | 'props'>): WindowReason {
  const purpose = Object.hasOwn(purposes, screen.id)
    ? purposes[screen.id as keyof typeof purposes]
    : purposes['sign-typed-data']
  const { value, address } = props as { readonly value?: unknown; readonly address?: unknown }
  const stake = purpose === 'transaction' ? value : address
  return { purpose, ...(typeof stake === 'string' && stake && { stake }) }
}
