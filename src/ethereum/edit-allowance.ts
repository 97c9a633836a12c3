/** Allowances that the user may lower before they are signed. */
import { decodeCall } from './call-decoder.ts'
import { UNLIMITED, UNLIMITED_160 } from './token-action.ts'

export interface CallAllowance {
  /** The token's contract. */
  readonly token: string
  readonly spender: string
  readonly amount: bigint
  readonly isUnlimited: boolean
}

/** By selector: the argument that is the amount, and the greatest amount of its type. */
const editable: Readonly<Record<string, { readonly argument: number; readonly largest: bigint }>> = {
  // approve(address,uint256)
  '0x095ea7b3': { argument: 1, largest: UNLIMITED },
  // increaseAllowance(address,uint256)
  '0x39509351': { argument: 1, largest: UNLIMITED },
  // increaseApproval(address,uint256)
  '0xd73dd623': { argument: 1, largest: UNLIMITED },
  // approve(address,address,uint160,uint48) of Permit2
  '0x87517c45': { argument: 2, largest: UNLIMITED_160 },
}
const find = (data: string) => {
  const selector = data.slice(0, 10).toLowerCase()
  return Object.hasOwn(editable, selector) ? editable[selector] : undefined
}

/** Reads the allowance that a call gives; `undefined` for any other call, and for one that takes an allowance back. */
export function readAllowance(data: string, to: string): CallAllowance | undefined {
  const call = find(data) && decodeCall(data, to)
  if (call?.action !== 'approve' || !call.contract) return undefined
  const amount = call.amount ?? call.amountOrToken ?? 0n
  if (amount === 0n) return undefined
  return { token: call.contract, spender: call.party, amount, isUnlimited: call.unlimited }
}

/**
 * The same call with another amount, and no other difference.
 * @throws RangeError if the data give no allowance, or the amount does not fit
 */
export function withAllowance(data: `0x${string}`, to: string, amount: bigint): `0x${string}` {
  const found = find(data)
  if (!found || !readAllowance(data, to)) throw new RangeError('The call gives no allowance')
  if (amount <= 0n || amount > found.largest) throw new RangeError('The amount is out of range')
  // The data are exactly encoded: a selector, and words of 32 bytes.
  const start = 10 + 64 * found.argument
  return `${data.slice(0, start)}${amount.toString(16).padStart(64, '0')}${data.slice(start + 64)}` as `0x${string}`
}
