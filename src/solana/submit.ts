import { base64 } from '@scure/base'
import { NodeError, TransactionUnknownError, Unreachable } from '../lib/node-errors.ts'
import type { SolanaAction } from './actions.ts'
import { formatBase58 } from './base58.ts'
import { readFailure, readShortage, type Shortage, type TransactionFailure, withRaiser } from './failures.ts'
import { type DecodedMessage, type DecodedTransaction, encodeTransaction } from './message.ts'
import { getStatus } from './queries.ts'
import type { RpcOptions, SolanaRpc } from './rpc.ts'
import type { SendOptions } from './send-options.ts'

/** A transaction with all signatures. */
export interface SignedTransaction {
  readonly bytes: Uint8Array
  /** Its first signature in base58, which names it. */
  readonly signature: string
}

/** A node refused a transaction because it would fail. */
export class TransactionRefused extends NodeError {
  override name = 'TransactionRefused'
  constructor(
    { code, message, data }: NodeError,
    readonly failure: TransactionFailure,
    readonly logs: readonly string[],
    readonly shortage: Shortage | undefined,
  ) {
    super(code, failure.words ?? message, data)
  }
}

/** Puts a wallet's signature into its place; the first signature is `undefined` while somebody else's is missing. */
export function withSignature(
  { message, signatures }: DecodedTransaction,
  wallet: string,
  signature: Uint8Array,
): { bytes: Uint8Array; signature: string | undefined; isComplete: boolean } {
  const all = signatures.map((own, at) => (message.signers[at] === wallet ? signature : own))
  const [first] = all
  return {
    bytes: encodeTransaction(message.bytes, all),
    signature: first && formatBase58(first),
    isComplete: all.every(Boolean),
  }
}

const KNOWN = /already been processed|AlreadyProcessed/i

/**
 * Sends a signed transaction. It may be sent again: the network takes the same bytes once. Throws
 * {@link TransactionRefused} if it would fail, another {@link NodeError} if the node does not take it, or
 * {@link TransactionUnknownError} if nobody can say whether the network has it.
 */
export async function submit(
  rpc: SolanaRpc,
  { bytes, signature }: SignedTransaction,
  {
    message,
    actions = [],
    send = {},
    signal,
  }: RpcOptions & {
    message: DecodedMessage
    actions?: readonly SolanaAction[]
    send?: SendOptions | undefined
  },
): Promise<void> {
  const config = { encoding: 'base64', preflightCommitment: 'confirmed', ...defined(send) }
  let failure: unknown
  try {
    const answer = await rpc.ask('sendTransaction', [base64.encode(bytes), config], { signal })
    if (answer === signature) return
    failure = new TransactionUnknownError("The node returned another transaction's hash", signature)
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof NodeError && KNOWN.test(`${cause.message} ${errorIn(cause.data)}`)) return
    failure = cause
  }
  const status = await getStatus(rpc, signature, { signal, withHistory: true }).catch(() => undefined)
  signal?.throwIfAborted()
  if (status) return
  if (failure instanceof Unreachable)
    throw new TransactionUnknownError('The node did not answer', signature, { cause: failure })
  throw failure instanceof NodeError ? refusal(failure, message, actions) : failure
}

/** Nodes that run a transaction before they take it say why it fails. */
function refusal(error: NodeError, message: DecodedMessage, actions: readonly SolanaAction[]): NodeError {
  const raw = errorIn(error.data)
  if (raw === undefined || raw === null) return error
  const { logs } = Object(error.data) as { logs?: unknown }
  const lines = Array.isArray(logs) ? logs.map(String) : []
  const failure = readFailure(raw, message)
  return new TransactionRefused(
    error,
    withRaiser(failure, lines),
    lines,
    readShortage(failure, lines, actions, message),
  )
}

const errorIn = (data: unknown): unknown => (Object(data) as { err?: unknown }).err

const defined = (options: SendOptions) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
