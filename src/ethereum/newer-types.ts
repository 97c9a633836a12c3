/** Transactions of types 3 and 4: read strictly, so that a refusal says what is refused. Type 4 is signed for contracts that an app allows. */

import { InvalidRequest } from '../lib/invalid-request.ts'
import { isPlainObject, type Plain } from '../lib/plain.ts'
import { parseEthereumAddress } from './address.ts'
import { isHexBytes } from './hex.ts'
import { parseInteger } from './integer.ts'

/** An entry of an authorization list (EIP-7702): lets the code of a contract act for an account. */
export interface Authorization {
  /** The contract; the zero address takes an earlier authorization back. */
  readonly address: `0x${string}`
  /** Zero: valid on every chain. */
  readonly chainId: bigint
  /** `undefined`: the one that follows the nonce of its transaction. */
  readonly nonce?: bigint | undefined
  /** `undefined` in an entry that is yet to be signed. */
  readonly signature?:
    | { readonly yParity: 0 | 1; readonly r: `0x${string}`; readonly s: `0x${string}` }
    | undefined
}

/** A well-formed transaction of a type that isn't signed here. */
export class UnsupportedTransaction extends InvalidRequest {
  override name = 'UnsupportedTransaction'
  constructor(
    message: string,
    readonly type: 3 | 4,
    /** Of type 4. */
    readonly authorizations: readonly Authorization[] = [],
  ) {
    super(message)
  }
}

const blobFields = ['blobs', 'blobVersionedHashes', 'maxFeePerBlobGas', 'sidecars', 'kzg']
const LIST = 'authorizationList'
const MOST_ENTRIES = 256
const UINT64 = 2n ** 64n - 1n
const EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Reads the authorizations of a transaction of type 4; `undefined` for the older types. Throws for blobs.
 * @param signsCode whether the caller signs authorizations at all
 */
export function readNewerType(
  fields: ReadonlyMap<string, Plain>,
  type: number | undefined,
  signsCode: boolean,
): readonly Authorization[] | undefined {
  const hasBlobs = blobFields.some((name) => fields.has(name))
  const list = fields.get(LIST)
  if (hasBlobs && list !== undefined)
    throw new InvalidRequest('The transaction has fields that its type does not have')
  if (type === 3 || hasBlobs) {
    if (type !== undefined && type !== 3)
      throw new InvalidRequest('The transaction has fields that its type does not have')
    throw new UnsupportedTransaction(
      'Blob transactions (EIP-4844) are not supported: only rollups send them',
      3,
    )
  }
  if (type !== 4 && list === undefined) return undefined
  if (type !== undefined && type !== 4)
    throw new InvalidRequest('The transaction has fields that its type does not have')
  const authorizations = parseAuthorizationList(list)
  if (!authorizations) throw new InvalidRequest(`The transaction's ${LIST} can't be read`)
  if (signsCode) return authorizations
  throw new UnsupportedTransaction(
    'Transactions that let a contract act for an account (EIP-7702) are not supported here',
    4,
    authorizations,
  )
}

/** Reads an authorization list; `undefined` if it is empty, or an entry could be read in two ways. */
export function parseAuthorizationList(value: Plain | undefined): readonly Authorization[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ENTRIES) return undefined
  const list = value.map(parseAuthorization)
  return list.every((entry) => entry !== undefined) ? list : undefined
}

function parseAuthorization(entry: Plain): Authorization | undefined {
  if (!isPlainObject(entry)) return undefined
  const { address, contractAddress = address, chainId, nonce, yParity, v, r, s, ...more } = entry
  const contract = parseEthereumAddress(contractAddress)
  const chain = parseInteger(chainId)
  const isOpen = nonce === undefined || nonce === null
  const number = isOpen ? 0n : parseInteger(nonce)
  const isSame = address === undefined || parseEthereumAddress(address) === contract
  if (!contract || !isSame || Object.keys(more).length > 0) return undefined
  if (chain === undefined || chain < 0n || chain > EXACT) return undefined
  if (number === undefined || number < 0n || number > UINT64) return undefined
  const signature = parseSignature({ yParity, v, r, s })
  if (signature === 'unreadable') return undefined
  // Another account's nonce is not known here.
  if (isOpen && signature) return undefined
  return {
    address: contract as `0x${string}`,
    chainId: chain,
    ...(!isOpen && { nonce: number }),
    signature,
  }
}

function parseSignature({
  yParity,
  v,
  r,
  s,
}: Record<'yParity' | 'v' | 'r' | 's', Plain | undefined>): Authorization['signature'] | 'unreadable' {
  if ([yParity, v, r, s].every((part) => part === undefined)) return undefined
  const byV = parityOf(v, 27n)
  const parity = yParity === undefined ? byV : parityOf(yParity, 0n)
  if (parity === undefined || (v !== undefined && byV !== parity)) return 'unreadable'
  if (!isScalar(r) || !isScalar(s)) return 'unreadable'
  return { yParity: parity, r, s }
}

function parityOf(value: Plain | undefined, base: bigint): 0 | 1 | undefined {
  const number = parseInteger(value)
  if (number === base) return 0
  return number === base + 1n ? 1 : undefined
}

const isScalar = (value: Plain | undefined): value is `0x${string}` =>
  isHexBytes(value) && value.length <= 66 && BigInt(value === '0x' ? 0 : value) > 0n
