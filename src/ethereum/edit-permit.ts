/** Permits that the user may lower before they are signed, where the requester takes what was signed. */

import { isPlainObject, type Plain, type PlainObject } from '../lib/plain.ts'
import type { AllowanceEdit, GivenAllowance } from './edit-allowance.ts'
import { decodePermit } from './permit-decoder.ts'
import { UNLIMITED, UNLIMITED_160 } from './token-action.ts'
import { parseTypedData, type TypedData } from './typed-data.ts'

/** An allowance of typed data, and the places of its values in the message. */
interface Place {
  readonly allowance: GivenAllowance
  readonly amount: readonly string[]
  readonly end?: readonly string[] | undefined
}

/**
 * Reads the allowances of a permit that has amounts: EIP-2612's, and Permit2's for one token or several. A permit that agrees to more
 * than its tokens (a witness), or that names no amount (DAI's), has none that can be changed.
 */
export const readPermits = (typed: TypedData): readonly GivenAllowance[] =>
  placesOf(typed).map(({ allowance }) => allowance)

/**
 * The same typed data with another amount or end of one allowance, and no other difference.
 * @throws RangeError if there is no such allowance, or a value does not fit
 */
export function withPermit(typed: TypedData, { at, amount, expires }: AllowanceEdit): TypedData {
  const place = placesOf(typed)[at]
  if (!place) throw new RangeError('The typed data gives no such allowance')
  let message: Plain | undefined = typed.data.message
  const set = (path: readonly string[] | undefined, value: bigint) => {
    if (!path || value <= 0n) throw new RangeError('The value is out of range')
    message = withValue(message, path, String(value))
  }
  if (amount !== undefined) set(place.amount, amount)
  if (expires !== undefined) set(place.end, expires)
  // Reading it anew checks the range of the type.
  return parseTypedData({ ...typed.data, message })
}

const details = 'token address,amount uint160,expiration uint48,nonce uint48'
const permitted = 'token address,amount uint256'

function placesOf(typed: TypedData): readonly Place[] {
  const { primaryType, data } = typed
  const message = isPlainObject(data.message) ? data.message : {}
  const one = decodePermit(typed)
  const paths = onePaths[primaryType]
  if (one && paths) {
    const { contract, party, amount, unlimited } = one
    if (!contract || amount === undefined || amount === 0n) return []
    const expires = paths.end && numberAt(message, paths.end)
    return [
      {
        ...paths,
        allowance: {
          token: contract,
          spender: party,
          amount,
          isUnlimited: unlimited,
          ...(expires !== undefined && { expires }),
        },
      },
    ]
  }
  const shape = typed.fields.map(({ name, type }) => `${name} ${type}`).join()
  const batch = Object.hasOwn(batches, primaryType) ? batches[primaryType] : undefined
  const list = batch && typed.fields.find(({ name }) => name === batch.list)?.value
  const spender = typed.fields.find(({ name }) => name === 'spender')?.value
  if (batch?.shape !== shape || typeof list !== 'object' || typeof spender !== 'string') return []
  return list.flatMap(({ value: item }, index): readonly Place[] => {
    if (typeof item !== 'object') return []
    if (item.map(({ name, type }) => `${name} ${type}`).join() !== batch.item) return []
    const text = (name: string) => {
      const value = item.find((field) => field.name === name)?.value
      return typeof value === 'string' ? value : ''
    }
    const amount = BigInt(text('amount') || 0)
    if (amount === 0n) return []
    const at = [batch.list, String(index)]
    return [
      {
        amount: [...at, 'amount'],
        ...(batch.end && { end: [...at, batch.end] }),
        allowance: {
          token: text('token'),
          spender,
          amount,
          isUnlimited: amount >= batch.largest,
          ...(batch.end && { expires: BigInt(text(batch.end) || 0) }),
        },
      },
    ]
  })
}

/** Of permits for one token, by primary type; `decodePermit` checks their shape. */
const onePaths: Readonly<Record<string, Pick<Place, 'amount' | 'end'>>> = {
  Permit: { amount: ['value'] },
  PermitSingle: { amount: ['details', 'amount'], end: ['details', 'expiration'] },
  PermitTransferFrom: { amount: ['permitted', 'amount'] },
}
const batches: Readonly<
  Record<
    string,
    {
      readonly shape: string
      readonly list: string
      readonly item: string
      readonly end?: string
      readonly largest: bigint
    }
  >
> = {
  PermitBatch: {
    shape: 'details PermitDetails[],spender address,sigDeadline uint256',
    list: 'details',
    item: details,
    end: 'expiration',
    largest: UNLIMITED_160,
  },
  PermitBatchTransferFrom: {
    shape: 'permitted TokenPermissions[],spender address,nonce uint256,deadline uint256',
    list: 'permitted',
    item: permitted,
    largest: UNLIMITED,
  },
}

function numberAt(value: Plain | undefined, path: readonly string[]): bigint | undefined {
  let now = value
  for (const name of path) now = isPlainObject(now) ? now[name] : undefined
  // The typed data have been read: it is a number in one of its forms.
  return typeof now === 'string' || typeof now === 'number' || typeof now === 'bigint'
    ? BigInt(now)
    : undefined
}

/** A copy with another value at one place. */
function withValue(from: Plain | undefined, path: readonly string[], value: string): Plain {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(from))
    return from.map((item: Plain, index) => (String(index) === name ? withValue(item, rest, value) : item))
  if (!isPlainObject(from)) throw new RangeError('The typed data has no such value')
  const copy: PlainObject = { ...from, [name]: withValue(from[name], rest, value) }
  return copy
}
