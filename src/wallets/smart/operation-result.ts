/** The state of an operation that was sent: the bundler names its transaction, and the chain's own node says how it ended. */
import type { Hex } from 'viem'
import { decodeAbiParameters } from 'viem/utils'
import { KitError } from '../../errors/kit-error.ts'
import { bytes, readFields, readList } from '../../ethereum/answers.ts'
import { type FailureReason, readRevert } from '../../ethereum/failure-reason.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import { parseOperationReceipt } from '../../ethereum/operation-receipt.ts'
import type { TransactionReceipt } from '../../ethereum/receipt.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { functionOf } from './accounts/call-forms.ts'
import { type Bundler, invalidAnswer, type SentOperation } from './bundler.ts'

export type OperationState =
  | IncludedOperation
  /** `waiting`: for a block. `superseded`: its nonce is used, and no transaction holds it. `unknown`: the bundler doesn't have it. */
  | { readonly state: 'waiting' | 'superseded' | 'unknown' }
  /** The bundler's answer is refused: the chain itself has no such operation. */
  | { readonly state: 'contradicted'; readonly error: KitError }

export interface IncludedOperation {
  readonly state: 'included'
  /** Gas, cost, logs and success are those of the operation alone: its transaction may succeed without it. */
  readonly receipt: TransactionReceipt
  /** Why the calls failed, in the contract's own words. */
  readonly reason?: FailureReason | undefined
}

export interface OperationNodes {
  readonly bundler: Bundler
  readonly node: ChainNode
}

/** `UserOperationEvent` and `UserOperationRevertReason` of every EntryPoint. */
const OPERATION = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'
const REVERT_REASON = '0x1c4fada7374c0a9ee8841fc38afe82932dc0f8e69012e927f061a8bae611a201'
const getNonce = functionOf('function getNonce(address sender, uint192 key) view returns (uint256)')

/**
 * Finds out how far an operation is.
 * @throws NodeError, Unreachable or KitError if the node or the bundler can't answer now
 */
export async function findOperation(
  { bundler, node }: OperationNodes,
  sent: SentOperation,
  signal?: AbortSignal,
): Promise<OperationState> {
  let error: KitError | undefined
  try {
    const named = await bundler.findTransaction(sent, { signal })
    if (named) return await readNamed(node, sent, named, signal)
  } catch (cause) {
    if (!(cause instanceof KitError && cause.code === 'bundler_answer_invalid')) throw cause
    error = cause
  }
  // The chain says by itself whether any bundler has included it.
  if (await isNonceUsed(node, sent, signal)) {
    const found = await findInLogs(node, sent, signal)
    const read = found && (await readOperationReceipt(node, sent, found, signal))
    return read ? included(read, sent) : { state: 'superseded' }
  }
  if (error) return { state: 'contradicted', error }
  return { state: (await bundler.knows(sent, { signal })) ? 'waiting' : 'unknown' }
}

/** @throws KitError `bundler_answer_invalid` for a transaction without the operation */
async function readNamed(
  node: ChainNode,
  sent: SentOperation,
  transactionHash: Hex,
  signal: AbortSignal | undefined,
): Promise<OperationState> {
  const receipt = await readOperationReceipt(node, sent, transactionHash, signal)
  // The node may be behind the bundler's.
  return receipt ? included(receipt, sent) : { state: 'waiting' }
}

/**
 * Reads the receipt of an operation from the chain's own node.
 * @param transactionHash the transaction that a bundler has named
 * @returns `undefined` while the node doesn't have the transaction
 * @throws KitError `bundler_answer_invalid` for a transaction without the operation
 */
export async function readOperationReceipt(
  node: ChainNode,
  { hash, sender, entryPoint }: SentOperation,
  transactionHash: string,
  signal?: AbortSignal,
): Promise<TransactionReceipt | undefined> {
  const answer = await node.ask('eth_getTransactionReceipt', [transactionHash], { signal })
  if (answer === null) return undefined
  const receipt = parseOperationReceipt(answer, { hash, sender, entryPoint })
  if (!receipt || receipt.transactionHash !== transactionHash.toLowerCase())
    throw invalidAnswer('it names a transaction without the operation', { transactionHash })
  return receipt
}

function included(receipt: TransactionReceipt, { hash, entryPoint }: SentOperation): IncludedOperation {
  const reason = receipt.status === 'success' ? undefined : readReason(receipt, hash, entryPoint)
  return { state: 'included', receipt, ...(reason && { reason }) }
}

function readReason(receipt: TransactionReceipt, hash: Hex, entryPoint: string): FailureReason | undefined {
  const log = receipt.logs.find(
    ({ address, topics }) =>
      address.toLowerCase() === entryPoint.toLowerCase() &&
      topics[0] === REVERT_REASON &&
      topics[1] === hash.toLowerCase(),
  )
  if (!log) return undefined
  try {
    const [, data] = decodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], log.data as Hex)
    return { kind: 'reverted', ...readRevert(data) }
  } catch {
    return { kind: 'reverted' }
  }
}

/** Whether the EntryPoint has gone past the operation's nonce, under the key of that nonce. */
async function isNonceUsed(
  node: ChainNode,
  { sender, nonce, entryPoint }: SentOperation,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const data = getNonce.encode([sender, nonce >> 64n])
  const answer = await node.ask('eth_call', [{ to: entryPoint, data }, 'latest'], { signal })
  return BigInt(bytes('a nonce', 32)(answer)) > nonce
}

/** The transaction in which any bundler has included the operation. */
async function findInLogs(
  node: ChainNode,
  { hash, entryPoint, blockNumber }: SentOperation,
  signal: AbortSignal | undefined,
): Promise<Hex | undefined> {
  const filter = {
    address: entryPoint,
    topics: [OPERATION, hash],
    fromBlock: formatQuantity(blockNumber),
    toBlock: 'latest',
  }
  const [log] = readList(await node.ask('eth_getLogs', [filter], { signal }), 'logs')
  return log === undefined ? undefined : bytes('a log', 32)(readFields(log, 'a log').get('transactionHash'))
}
