/** The outcome of a user operation, read from the receipt of the bundler's transaction. */
import { address, bytes, quantity, readFields, unusable } from './answers.ts'
import { type LogEntry, readLogs } from './asset-changes.ts'
import type { TransactionReceipt } from './receipt.ts'

/** `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)` and `BeforeExecution()` of every EntryPoint. */
const OPERATION = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'
const BEFORE_EXECUTION = '0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972'
const WHAT = 'a receipt'
const EXACT = BigInt(Number.MAX_SAFE_INTEGER)

export interface ExpectedOperation {
  readonly hash: string
  readonly sender: string
  readonly entryPoint: string
}

/**
 * Reads the part of a receipt that belongs to one operation: its success, its cost and the logs of its own calls.
 * @returns `undefined` for a transaction that doesn't hold the operation
 * @throws NodeError for a receipt that can't be read
 */
export function parseOperationReceipt(
  answer: unknown,
  { hash, sender, entryPoint }: ExpectedOperation,
): TransactionReceipt | undefined {
  const fields = readFields(answer, WHAT)
  const { logs, isComplete } = readLogs(fields.get('logs'))
  const isOf = (log: LogEntry, topic: string) =>
    log.address.toLowerCase() === entryPoint.toLowerCase() && log.topics[0] === topic
  const at = logs.findIndex(
    (log) =>
      isOf(log, OPERATION) &&
      log.topics[1] === hash.toLowerCase() &&
      log.topics[2]?.slice(-40) === sender.slice(2).toLowerCase(),
  )
  const event = logs[at]
  if (!event) {
    if (!isComplete) throw unusable('all logs of a receipt')
    return undefined
  }
  const before = logs.slice(0, at)
  const start = before.findLastIndex((log) => isOf(log, OPERATION) || isOf(log, BEFORE_EXECUTION))
  const [, isSuccess, cost, gasUsed] = words(event.data)
  if (cost === undefined || gasUsed === undefined || gasUsed === 0n)
    throw unusable('the result of an operation')
  return {
    transactionHash: bytes(WHAT, 32)(fields.get('transactionHash')),
    status: isSuccess === 1n ? 'success' : 'reverted',
    blockNumber: quantity(WHAT, EXACT)(fields.get('blockNumber')),
    blockHash: bytes(WHAT, 32)(fields.get('blockHash')),
    from: address(WHAT)(fields.get('from')),
    to: address(WHAT)(fields.get('to')),
    gasUsed,
    effectiveGasPrice: cost / gasUsed,
    logs: before.slice(start + 1),
    hasAllLogs: true,
  }
}

/** The 32-byte words of a log's data. */
const words = (data: string): readonly bigint[] =>
  (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
