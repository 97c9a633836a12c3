import type { WindowReason } from '../window/about.ts'
import type { Reading } from './reading-of.ts'

const purposes = {
  'sign-message': 'message',
  'sign-typed-data': 'typed-data',
  'approve-transaction': 'transaction',
} as const

/** What a window is for in which a request is signed: of a transaction the amount that it moves is at stake, else the wallet. */
export function whyOf({ screen, props }: Pick<Reading, 'screen' | 'props'>): WindowReason {
  const purpose = Object.hasOwn(purposes, screen.id)
    ? purposes[screen.id as keyof typeof purposes]
    : purposes['sign-typed-data']
  const { value, address } = props as { readonly value?: unknown; readonly address?: unknown }
  const stake = purpose === 'transaction' ? value : address
  return { purpose, ...(typeof stake === 'string' && stake && { stake }) }
}
