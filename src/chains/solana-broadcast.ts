import { base64 } from '@scure/base'
import type { Clock } from '../core/clock.ts'
import { limits } from '../core/limits.ts'
import { watch } from '../core/watch.ts'
import { type ChainNode, NodeError, Unreachable, Unsettled } from './rpc.ts'

export type Commitment = 'processed' | 'confirmed' | 'finalized'
export interface SolanaSendOptions {
  readonly preflightCommitment?: Commitment | undefined
  readonly minContextSlot?: number | undefined
  readonly skipPreflight?: boolean | undefined
  readonly maxRetries?: number | undefined
  /** Waits until the network is that sure of it. */
  readonly commitment?: Commitment | undefined
}

const steps: readonly unknown[] = ['processed', 'confirmed', 'finalized'] satisfies Commitment[]
const KNOWN = /already been processed|AlreadyProcessed/i
const FAILED = -32002

/**
 * Gives a signed transaction to the network. It may be given out again: its name is its first signature, and the
 * network takes it once. Throws a {@link NodeError} where it is refused or has failed, or {@link Unsettled}. It can't be
 * called off.
 * @param name the first signature in base58; a node that answers with another one is not believed (security T18)
 */
export async function broadcastSolana(
  { node, clock }: { node: ChainNode; clock: Clock },
  { bytes, name }: { bytes: Uint8Array; name: string },
  { commitment, ...options }: SolanaSendOptions,
): Promise<void> {
  let failure: unknown
  try {
    const answer = await node.ask('sendTransaction', [
      base64.encode(bytes),
      { encoding: 'base64', ...options },
    ])
    if (answer !== name) failure = new Unsettled('The node named another transaction', name)
  } catch (cause) {
    if (!(cause instanceof NodeError && KNOWN.test(cause.message))) failure = cause
  }
  if (failure) {
    const status = await statusOf(node, name).catch(() => undefined)
    if (!status && failure instanceof Unreachable)
      throw new Unsettled('The node did not answer', name, { cause: failure })
    if (!status) throw failure
  }
  if (commitment) await confirmed({ node, clock }, name, commitment)
}

async function confirmed(
  { node, clock }: { node: ChainNode; clock: Clock },
  name: string,
  commitment: Commitment,
): Promise<void> {
  const status = await watch(clock, {
    every: limits.solanaStatusEvery,
    limit: limits.solanaStatusLimit,
    ask: async () => {
      const now = await statusOf(node, name)
      return now && (now.failed || now.step >= steps.indexOf(commitment)) ? now : undefined
    },
    isEnd: (cause) => !(cause instanceof NodeError || cause instanceof Unreachable),
  })
  if (!status) throw new Unsettled('The network did not confirm the transaction', name)
  if (status.failed) throw new NodeError(FAILED, 'The transaction has failed', status.error)
}

async function statusOf(
  node: ChainNode,
  name: string,
): Promise<{ step: number; failed: boolean; error: unknown } | undefined> {
  const answer = await node.ask('getSignatureStatuses', [[name]])
  const list = (answer as { value?: unknown } | null)?.value
  const [status] = Array.isArray(list) ? list : []
  if (typeof status !== 'object' || status === null) return undefined
  const { err, confirmationStatus } = status as { err?: unknown; confirmationStatus?: unknown }
  return {
    step: steps.indexOf(confirmationStatus),
    failed: err !== null && err !== undefined,
    error: err,
  }
}
