/** The parameters with which a provider's page sends a buyer back, and the messages about it between pages of one origin. */
import * as v from 'valibot'
import { parseOptional } from './schema.ts'

/** A purchase, by its id. Only a claim by the link's author: the server says whose it is. */
export interface PurchaseReturn {
  readonly kind: 'purchase'
  readonly id: string
}

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/))

/** The provider adds fields of its own, which nobody can rely on. */
export const purchaseReturn = v.pipe(
  v.object({ lk_purchase: id }),
  v.transform((raw): PurchaseReturn => ({ kind: 'purchase', id: raw.lk_purchase })),
)

export const purchaseChannel = 'lk-purchase'
const types = { returned: 'lk-purchase-returned', followed: 'lk-purchase-followed' } as const

/** A window has come back with the purchase. */
export const purchaseReturned = (purchase: string) => ({ type: types.returned, purchase })
/** A page follows the purchase, so that the window may close. */
export const purchaseFollowed = (purchase: string) => ({ type: types.followed, purchase })

const readerOf = (type: string) => {
  const message = v.object({ type: v.literal(type), purchase: id })
  return (data: unknown, purchase: string): boolean => parseOptional(message, data)?.purchase === purchase
}
export const isPurchaseReturned = readerOf(types.returned)
export const isPurchaseFollowed = readerOf(types.followed)
