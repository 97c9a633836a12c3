/** Allowances that the user may lower before they are signed: of calls, alone or inside of batches. */

import { openCall } from './call-actions.ts'
import { decodeCall } from './call-decoder.ts'
import { MAX_CALL_DEPTH, MAX_CALLS } from './calls/limits.ts'
import { UNLIMITED, UNLIMITED_160 } from './token-action.ts'

export interface GivenAllowance {
  /** The token's contract. */
  readonly token: string
  readonly spender: string
  readonly amount: bigint
  readonly isUnlimited: boolean
  /** The contract whose tokens they are; `undefined`: the signer's own. */
  readonly owner?: string | undefined
  /** Seconds since 1970, for an allowance that ends by itself. */
  readonly expires?: bigint | undefined
}

/** A change of one allowance: the amount, the end, or both. */
export interface AllowanceEdit {
  /** The allowance's place among all of the request, counted from 0. */
  readonly at: number
  readonly amount?: bigint | undefined
  /** Seconds since 1970. */
  readonly expires?: bigint | undefined
}

/** By selector: the argument that is the amount, the greatest amount of its type, and the argument that is the end. */
const editable: Readonly<
  Record<string, { readonly amount: number; readonly largest: bigint; readonly end?: number }>
> = {
  // approve(address,uint256)
  '0x095ea7b3': { amount: 1, largest: UNLIMITED },
  // increaseAllowance(address,uint256)
  '0x39509351': { amount: 1, largest: UNLIMITED },
  // increaseApproval(address,uint256)
  '0xd73dd623': { amount: 1, largest: UNLIMITED },
  // approve(address,address,uint160,uint48) of Permit2
  '0x87517c45': { amount: 2, largest: UNLIMITED_160, end: 3 },
}
const find = (data: string) => {
  const selector = data.slice(0, 10).toLowerCase()
  return Object.hasOwn(editable, selector) ? editable[selector] : undefined
}

type Hex = `0x${string}`
interface Found {
  readonly allowance: GivenAllowance
  /** The data of the call itself. */
  readonly data: string
  /** The whole request with other data for this call. */
  replaced(data: Hex): Hex
}

/**
 * Reads all allowances that a call gives and that can be changed: `approve`, `increaseAllowance` and Permit2's `approve`, by
 * themselves or inside of batches. Those that are taken back are none, nor are those which signatures of others cover.
 */
export const readAllowances = (data: string, to: string): readonly GivenAllowance[] =>
  findAll(data, to).map(({ allowance }) => allowance)

/**
 * The same call with another amount or end of one allowance, and no other difference.
 * @throws RangeError if there is no such allowance, or a value does not fit
 */
export function withAllowance(data: Hex, to: string, { at, amount, expires }: AllowanceEdit): Hex {
  const found = findAll(data, to)[at]
  const places = found && find(found.data)
  if (!found || !places) throw new RangeError('The call gives no such allowance')
  let changed = found.data
  if (amount !== undefined) changed = withWord(changed, places.amount, amount, places.largest)
  if (expires !== undefined) {
    if (places.end === undefined) throw new RangeError('The allowance has no end')
    changed = withWord(changed, places.end, expires, MOST_SECONDS)
  }
  return found.replaced(changed as Hex)
}

const MOST_SECONDS = 2n ** 48n - 1n

/** The data are exactly encoded: a selector, and words of 32 bytes. */
function withWord(data: string, argument: number, value: bigint, largest: bigint): string {
  if (value <= 0n || value > largest) throw new RangeError('The value is out of range')
  const start = 10 + 64 * argument
  return `${data.slice(0, start)}${value.toString(16).padStart(64, '0')}${data.slice(start + 64)}`
}

/**
 * Whether an edit stays within what the requester asked for: an allowance is lowered or ends earlier, and never anything else.
 */
export function isWithin(asked: GivenAllowance | undefined, { amount, expires }: AllowanceEdit): boolean {
  if (!asked || (amount === undefined && expires === undefined)) return false
  const isLower = amount === undefined || (amount > 0n && amount <= asked.amount)
  const isEarlier =
    expires === undefined || (asked.expires !== undefined && expires > 0n && expires <= asked.expires)
  return isLower && isEarlier
}

function findAll(data: string, to: string): readonly Found[] {
  const found: Found[] = []
  let left = MAX_CALLS + 1
  const follow = (
    call: {
      readonly to?: string | undefined
      readonly data: string
      readonly by?: string | undefined
      readonly isForeign?: boolean | undefined
    },
    replaced: Found['replaced'],
    depth: number,
  ) => {
    const { to: callee } = call
    if (left-- <= 0 || callee === undefined || call.isForeign) return
    const allowance = readOne(call.data, callee)
    if (allowance) {
      found.push({
        allowance: { ...allowance, ...(call.by && { owner: call.by }) },
        data: call.data,
        replaced,
      })
      return
    }
    const opened = depth < MAX_CALL_DEPTH ? openCall({ ...call, to: callee }) : undefined
    const replace = opened?.replace
    if (!replace) return
    for (const [index, inner] of opened.calls.entries())
      follow(inner, (changed) => replaced(replace(index, changed)), depth + 1)
  }
  follow({ to, data }, (changed) => changed, 0)
  return found
}

function readOne(data: string, to: string): GivenAllowance | undefined {
  const call = find(data) && decodeCall(data, to)
  if (call?.action !== 'approve' || !call.contract) return undefined
  const amount = call.amount ?? call.amountOrToken ?? 0n
  if (amount === 0n) return undefined
  const { expires } = call
  return {
    token: call.contract,
    spender: call.party,
    amount,
    isUnlimited: call.unlimited,
    ...(expires !== undefined && { expires }),
  }
}
