/** The result of an operation that was sent: the bundler names its transaction, and the chain's own node says how it ended. */
import type { Hex } from 'viem'
import { decodeAbiParameters } from 'viem/utils'
import { KitError } from '../../errors/kit-error.ts'
import { bytes, quantity, readFields, readList } from '../../ethereum/answers.ts'
import { type FailureReason, readRevert } from '../../ethereum/failure-reason.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import { parseOperationReceipt } from '../../ethereum/operation-receipt.ts'
import type { TransactionReceipt } from '../../ethereum/receipt.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { Clock } from '../../lib/clock.ts'
import { NodeError, Unreachable } from '../../lib/node-errors.ts'
import { functionOf } from './accounts/call-forms.ts'
import { type Bundler, invalidAnswer } from './bundler.ts'
import { smartAccountLimits } from './limits.ts'
import type { SubmittedOperation } from './operation.ts'

export type OperationResult =
  | IncludedOperation
  /** Another operation has used the nonce, so this one never takes effect. */
  | { readonly status: 'replaced'; readonly userOpHash: Hex }
  /** The bundler doesn't know it, and nothing has used its nonce. The same bytes can still be sent by anybody who has them. */
  | { readonly status: 'dropped'; readonly userOpHash: Hex }
  /** Nothing is decided within the time. It may be included later. */
  | { readonly status: 'pending'; readonly userOpHash: Hex }

export interface IncludedOperation {
  readonly status: 'included'
  readonly userOpHash: Hex
  /** The transaction that holds it, as explorers and apps know it. */
  readonly transactionHash: Hex
  /** Whether the calls took effect. The transaction itself may succeed without them. */
  readonly isSuccessful: boolean
  /** Why the calls failed, in the contract's own words. */
  readonly reason?: FailureReason | undefined
  /** Gas, cost and logs are those of the operation alone. */
  readonly receipt: TransactionReceipt
}

export interface ResultSources {
  readonly bundler: Bundler
  readonly node: ChainNode
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

export interface WaitOptions {
  /** Milliseconds. */
  readonly time?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** `UserOperationEvent` and `UserOperationRevertReason` of every EntryPoint. */
const OPERATION = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'
const REVERT_REASON = '0x1c4fada7374c0a9ee8841fc38afe82932dc0f8e69012e927f061a8bae611a201'
const getNonce = functionOf('function getNonce(address sender, uint192 key) view returns (uint256)')

/**
 * Waits until an operation is decided, for a limited time.
 * @throws KitError `bundler_answer_invalid` for a receipt that isn't the operation's
 */
export async function waitForOperation(
  sources: ResultSources,
  sent: SubmittedOperation,
  { time = smartAccountLimits.receiptTime, signal }: WaitOptions = {},
): Promise<OperationResult> {
  const { clock } = sources
  const { hash: userOpHash } = sent
  const start = clock.now()
  let interval: number = smartAccountLimits.receiptInterval
  let unknown = 0
  let superseded = 0
  for (;;) {
    signal?.throwIfAborted()
    const state = await poll(sources, sent, signal)
    if (typeof state === 'object') return state
    const age = clock.now() - start
    unknown = state === 'unknown' ? unknown + 1 : state === 'unreachable' ? unknown : 0
    // A bundler may learn of an inclusion later than the node.
    superseded = state === 'superseded' ? superseded + 1 : 0
    if (superseded >= smartAccountLimits.dropPolls) return { status: 'replaced', userOpHash }
    if (unknown >= smartAccountLimits.dropPolls && age >= smartAccountLimits.dropTime)
      return { status: 'dropped', userOpHash }
    if (age >= time) return { status: 'pending', userOpHash }
    await clock.sleep(Math.min(interval, Math.max(time - age, 1)), signal)
    interval = Math.min(interval * 1.5, smartAccountLimits.receiptSlowInterval)
  }
}

/** `superseded`: its nonce is used, and no transaction that holds it is found. `unknown`: the bundler doesn't have it. */
type PollState = IncludedOperation | 'waiting' | 'superseded' | 'unknown' | 'unreachable'

async function poll(
  sources: ResultSources,
  sent: SubmittedOperation,
  signal: AbortSignal | undefined,
): Promise<PollState> {
  try {
    const named = await sources.bundler.findTransaction(sent, { signal })
    if (named) return await readResult(sources.node, sent, named, signal)
    if (await isNonceUsed(sources.node, sent, signal)) {
      const found = await findInLogs(sources.node, sent, signal)
      return found ? await readResult(sources.node, sent, found, signal) : 'superseded'
    }
    return (await sources.bundler.knows(sent, { signal })) ? 'waiting' : 'unknown'
  } catch (cause) {
    signal?.throwIfAborted()
    // Whatever can't answer now may answer at the next poll. An answer that can't be right is none to wait for.
    if (cause instanceof NodeError || cause instanceof Unreachable) return 'unreachable'
    if (cause instanceof KitError && cause.code !== 'bundler_answer_invalid') return 'unreachable'
    throw cause
  }
}

async function readResult(
  node: ChainNode,
  { hash, sender, entryPoint }: SubmittedOperation,
  transactionHash: Hex,
  signal: AbortSignal | undefined,
): Promise<PollState> {
  const answer = await node.ask('eth_getTransactionReceipt', [transactionHash], { signal })
  // The node may be behind the bundler's.
  if (answer === null) return 'waiting'
  const receipt = parseOperationReceipt(answer, { hash, sender, entryPoint: entryPoint.address })
  if (!receipt || receipt.transactionHash !== transactionHash.toLowerCase())
    throw invalidAnswer('it names a transaction without the operation', { transactionHash })
  const isSuccessful = receipt.status === 'success'
  const reason = isSuccessful ? undefined : readReason(receipt, hash, entryPoint.address)
  return {
    status: 'included',
    userOpHash: hash,
    transactionHash: receipt.transactionHash,
    isSuccessful,
    ...(reason && { reason }),
    receipt,
  }
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
  { sender, nonce, entryPoint }: SubmittedOperation,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const data = getNonce.encode([sender, nonce >> 64n])
  const answer = await node.ask('eth_call', [{ to: entryPoint.address, data }, 'latest'], { signal })
  return BigInt(bytes('a nonce', 32)(answer)) > nonce
}

/** The transaction in which any bundler has included the operation. */
async function findInLogs(
  node: ChainNode,
  { hash, entryPoint, blockNumber }: SubmittedOperation,
  signal: AbortSignal | undefined,
): Promise<Hex | undefined> {
  const filter = {
    address: entryPoint.address,
    topics: [OPERATION, hash],
    fromBlock: formatQuantity(blockNumber),
    toBlock: 'latest',
  }
  const [log] = readList(await node.ask('eth_getLogs', [filter], { signal }), 'logs')
  if (log === undefined) return undefined
  const fields = readFields(log, 'a log')
  quantity('a log')(fields.get('blockNumber'))
  return bytes('a log', 32)(fields.get('transactionHash'))
}
