/** Compares what a wallet has signed with what was approved, before anybody gets it: a frame that was taken over signs what it likes. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { parseTransaction } from 'viem/utils'
import type { Authorization } from './newer-types.ts'
import { recoverAddress } from './recover.ts'
import type { SignedTransaction } from './replacement.ts'
import { authorizationDigest, deserialize, serialize } from './serialize.ts'

/** `encoding`: it can't be read, or not in one way alone. */
export type SignedDifference =
  | 'encoding'
  | 'type'
  | 'chainId'
  | 'nonce'
  | 'to'
  | 'value'
  | 'data'
  | 'gasLimit'
  | 'fee'
  | 'accessList'
  | 'authorizationList'
  | 'signer'

/**
 * Finds the first difference between a signed transaction and the approved one; `undefined` where the wallet has signed exactly that one.
 * @param raw 0x-hex, as the network takes it
 */
export function findSignedDifference(raw: string, approved: SignedTransaction): SignedDifference | undefined {
  const signed = readSigned(raw, approved.from)
  if (!signed) return 'encoding'
  const { transaction, signature, authorizations } = signed
  const field = findField(transaction, approved)
  if (field) return field
  const { authorizationList = [], ...rest } = approved
  // Only the signatures are the frame's own.
  const list = authorizationList.map((each, at) => ({ ...each, signature: authorizations[at] }))
  const own = list.length > 0 ? { ...rest, authorizationList: list } : rest
  if (serialize(own, { ...signature, v: BigInt(27 + signature.yParity) }) !== raw.toLowerCase())
    return 'encoding'
  const isAuthorized = list.every(
    ({ address, chainId, nonce = approved.nonce + 1n, signature: made }) =>
      made && isBy(approved.from, authorizationDigest({ address, chainId: Number(chainId), nonce }), made),
  )
  if (!isAuthorized) return 'authorizationList'
  const digest: `0x${string}` = `0x${bytesToHex(keccak_256(hexToBytes(serialize(own).slice(2))))}`
  return isBy(approved.from, digest, signature) ? undefined : 'signer'
}

type Signature = NonNullable<Authorization['signature']>
interface Signed {
  readonly transaction: SignedTransaction
  readonly signature: Signature
  readonly authorizations: readonly Signature[]
}

/** `undefined` for what is no signed transaction. */
function readSigned(raw: string, from: string): Signed | undefined {
  try {
    const { authorizationList = [], ...read } = parseTransaction(raw as `0x${string}`)
    return {
      transaction: deserialize(raw, from),
      signature: readSignature(read as Partial<Signature>),
      authorizations: authorizationList.map((each) => readSignature(each as Partial<Signature>)),
    }
  } catch {
    return undefined
  }
}

function readSignature({ r, s, yParity }: Partial<Signature>): Signature {
  if (r === undefined || s === undefined || (yParity !== 0 && yParity !== 1))
    throw new RangeError('The transaction is not signed')
  return { r: toWord(r), s: toWord(s), yParity }
}

function findField(signed: SignedTransaction, approved: SignedTransaction): SignedDifference | undefined {
  const isSame: Readonly<Record<string, boolean>> = {
    type: signed.type === approved.type,
    chainId: signed.chainId === approved.chainId,
    nonce: signed.nonce === approved.nonce,
    to: signed.to === approved.to,
    value: signed.value === approved.value,
    data: signed.data === approved.data,
    gasLimit: signed.gasLimit === approved.gasLimit,
    fee: feeNames.every((name) => (signed[name] ?? 0n) === (approved[name] ?? 0n)),
    accessList: toText(signed.accessList ?? []) === toText(approved.accessList ?? []),
    authorizationList: authorizationsOf(signed) === authorizationsOf(approved),
  }
  return Object.keys(isSame).find((name) => !isSame[name]) as SignedDifference | undefined
}
const toText = (list: readonly object[]) => JSON.stringify(list).toLowerCase()
const authorizationsOf = ({ authorizationList = [], nonce: own }: SignedTransaction) =>
  toText(
    authorizationList.map(({ address, chainId, nonce = own + 1n }) => [address, `${chainId}`, `${nonce}`]),
  )
const feeNames = ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const

const isBy = (wallet: string, digest: `0x${string}`, { r, s, yParity }: Signature): boolean =>
  recoverAddress(
    hexToBytes(`0${yParity}${r.slice(2)}${s.slice(2)}`),
    hexToBytes(digest.slice(2)),
  )?.toLowerCase() === wallet.toLowerCase()

const toWord = (scalar: `0x${string}`): `0x${string}` => `0x${scalar.slice(2).padStart(64, '0')}`
