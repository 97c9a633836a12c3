import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, bytesToHex, concatBytes } from '../../bytes.ts'
import { invalid } from '../invalid.ts'
import { type Rlp, rlp } from '../rlp.ts'
import { signDigest } from '../sign.ts'
import { type TransactionRequest, type TransactionType, typeOfTransaction } from './request.ts'

/** A transaction that lacks nothing but its signature. */
export interface Transaction {
  readonly type: TransactionType
  readonly chainId: bigint
  /** All that is signed, in the order of its type; a legacy one without what EIP-155 adds. */
  readonly fields: readonly Rlp[]
}

const NOBODY = new Uint8Array()

/** Throws a VaultError when something is missing that only the page can know, or does not belong together. */
export function completeTransaction(request: TransactionRequest): Transaction {
  const type = typeOfTransaction(request)
  const { chainId, nonce, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request
  const { to, value, data, accessList = [] } = request
  if (nonce === undefined || gasLimit === undefined)
    throw invalid('The transaction has no nonce or no gasLimit')

  const rest = [gasLimit, to ?? NOBODY, value, data]
  const access = accessList.map(({ address, storageKeys }) => [address, storageKeys])
  if (type === 2) {
    if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) throw noFee()
    if (maxPriorityFeePerGas > maxFeePerGas)
      throw invalid('The transaction’s maxPriorityFeePerGas is above its maxFeePerGas')
    return { type, chainId, fields: [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, ...rest, access] }
  }
  if (gasPrice === undefined) throw noFee()
  const fields = [nonce, gasPrice, ...rest]
  return { type, chainId, fields: type === 1 ? [chainId, ...fields, access] : fields }
}

/** Signs for the transaction's own chain and no other. Gives it as 0x-hex, ready to be broadcast. */
export function signTransaction({ type, chainId, fields }: Transaction, privateKey: Bytes): string {
  const serialised = (more: readonly Rlp[]) => {
    const content = rlp([...fields, ...more])
    return type === 0 ? content : concatBytes(Uint8Array.of(type), content)
  }
  const unsigned = serialised(type === 0 ? [chainId, 0n, 0n] : [])
  const { r, s, yParity } = signDigest(keccak_256(unsigned), privateKey)
  const parity = BigInt(yParity)
  const v = type === 0 ? chainId * 2n + 35n + parity : parity
  return `0x${bytesToHex(serialised([v, toNumber(r), toNumber(s)]))}`
}

const noFee = () => invalid('The transaction has no fee')
const toNumber = (bytes: Bytes) => BigInt(`0x${bytesToHex(bytes)}`)
