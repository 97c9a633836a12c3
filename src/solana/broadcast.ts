import type { Clock } from '../lib/clock.ts'
import { Failed, NodeError, Unreachable, Unsettled } from '../lib/node-errors.ts'
import { watch } from '../lib/watch.ts'
import type { Commitment, SendOptions, SolanaNode } from './node.ts'

/** How often, and for how long, a transaction is looked for, in milliseconds; by then its blockhash has expired. */
const STATUS_EVERY = 1_000
const STATUS_LIMIT = 90_000

export interface SolanaSendOptions extends SendOptions {
  /** Waits until the network has confirmed the transaction to this degree. */
  readonly commitment?: Commitment | undefined
}

const steps: readonly unknown[] = ['processed', 'confirmed', 'finalized'] satisfies Commitment[]
const KNOWN = /already been processed|AlreadyProcessed/i
const FAILED = -32002

/**
 * Sends a signed transaction to the network. It may be sent again: its name is its first signature, and the network
 * takes it once. Throws a {@link NodeError} if it is refused or has failed, or {@link Unsettled}. It can't be cancelled.
 * @param name the first signature in base58; a node that answers with another one is not believed
 */
export async function broadcastSolana(
  { node, clock }: { node: SolanaNode; clock: Clock },
  { bytes, name }: { bytes: Uint8Array; name: string },
  { commitment, ...options }: SolanaSendOptions,
): Promise<void> {
  let failure: unknown
  try {
    const answer = await node.send(bytes, options)
    if (answer !== name) failure = new Unsettled("The node returned another transaction's hash", name)
  } catch (cause) {
    if (!(cause instanceof NodeError && KNOWN.test(cause.message))) failure = cause
  }
  if (failure) {
    const status = await node.statusOf(name).catch(() => undefined)
    if (!status && failure instanceof Unreachable)
      throw new Unsettled('The node did not answer', name, { cause: failure })
    if (!status) throw failure
  }
  if (commitment) await confirmed({ node, clock }, name, commitment)
}

async function confirmed(
  { node, clock }: { node: SolanaNode; clock: Clock },
  name: string,
  commitment: Commitment,
): Promise<void> {
  const status = await watch(clock, {
    every: STATUS_EVERY,
    limit: STATUS_LIMIT,
    ask: async () => {
      const now = await node.statusOf(name)
      const isSure = now && steps.indexOf(now.confirmationStatus) >= steps.indexOf(commitment)
      return now && (now.err || isSure) ? now : undefined
    },
    isEnd: (cause) => !(cause instanceof NodeError || cause instanceof Unreachable),
  })
  if (!status) throw new Unsettled('The network did not confirm the transaction', name)
  if (status.err) throw new Failed(FAILED, 'The transaction has failed', status.err)
}
