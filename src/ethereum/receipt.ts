/** Receipts: what became of a transaction, as far as a node's word can be checked. */

import { address, bytes, quantity, readFields, unusable } from './answers.ts'
import { type LogEntry, readLogs } from './asset-changes.ts'

type Hex = `0x${string}`

export interface TransactionReceipt {
  readonly transactionHash: Hex
  readonly status: 'success' | 'reverted'
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly from: Hex
  /** `undefined`: a contract was created. */
  readonly to?: Hex | undefined
  readonly contractAddress?: Hex | undefined
  readonly gasUsed: bigint
  /** `undefined` from nodes that don't say. */
  readonly effectiveGasPrice?: bigint | undefined
  readonly logs: readonly LogEntry[]
  /** `false`: there are more logs than are read. */
  readonly hasAllLogs: boolean
}

export interface ExpectedReceipt {
  /** The transactions of ours that it may be of. */
  readonly hashes: readonly string[]
  readonly from: string
  readonly to?: string | undefined
  readonly gasLimit?: bigint | undefined
  /** The most that a unit of gas may have cost. */
  readonly maxFeePerGas?: bigint | undefined
}

const EXACT = BigInt(Number.MAX_SAFE_INTEGER)
const MOST_GAS = 2n ** 64n - 1n
const WHAT = 'a receipt'

/** Reads a receipt of a transaction of ours. Throws a `NodeError` for one that can't be it. */
export function parseReceipt(answer: unknown, expected: ExpectedReceipt): TransactionReceipt {
  const fields = readFields(answer, WHAT)
  const optional = <T>(name: string, read: (value: unknown) => T): T | undefined =>
    (fields.get(name) ?? undefined) === undefined ? undefined : read(fields.get(name))
  const { logs, isComplete } = readLogs(fields.get('logs'))
  const receipt: TransactionReceipt = {
    transactionHash: bytes(WHAT, 32)(fields.get('transactionHash')),
    status: readStatus(fields.get('status')),
    blockNumber: quantity(WHAT, EXACT)(fields.get('blockNumber')),
    blockHash: bytes(WHAT, 32)(fields.get('blockHash')),
    from: address(WHAT)(fields.get('from')),
    to: optional('to', address(WHAT)),
    contractAddress: optional('contractAddress', address(WHAT)),
    gasUsed: quantity(WHAT, MOST_GAS)(fields.get('gasUsed')),
    effectiveGasPrice: optional('effectiveGasPrice', quantity(WHAT)),
    logs,
    hasAllLogs: isComplete,
  }
  if (!isExpected(receipt, expected)) throw unusable('a receipt of this transaction')
  return receipt
}

/** Without a status nobody knows whether it succeeded. */
function readStatus(status: unknown): TransactionReceipt['status'] {
  if (status === '0x1') return 'success'
  if (status === '0x0') return 'reverted'
  throw unusable('the status of a receipt')
}

function isExpected(receipt: TransactionReceipt, expected: ExpectedReceipt): boolean {
  const { hashes, from, to, gasLimit, maxFeePerGas } = expected
  const { transactionHash, status, gasUsed, effectiveGasPrice, logs } = receipt
  if (!hashes.some((hash) => hash.toLowerCase() === transactionHash) || receipt.from !== from) return false
  if ('to' in expected && receipt.to !== to) return false
  if (gasUsed === 0n || (gasLimit !== undefined && gasUsed > gasLimit)) return false
  if (maxFeePerGas !== undefined && effectiveGasPrice !== undefined && effectiveGasPrice > maxFeePerGas)
    return false
  // A transaction that was reverted has no logs: such a receipt contradicts itself.
  return status === 'success' || logs.length === 0
}
