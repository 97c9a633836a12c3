/** Operations on the kit's own way: stored as an activity entry, given to the bundler out of that, and followed by it. */
import type { Hex } from 'viem'
import type { ActivityEntry } from '../../../../src/activity/entry.ts'
import type { Followed } from '../../../../src/activity/tracker.ts'
import { createSubmit } from '../../../../src/kit/wallets/submit.ts'
import { toOperationEntry } from '../../../../src/signing/user-operation/entry.ts'
import { createOperationTracker } from '../../../../src/signing/user-operation/track.ts'
import type { OperationContext, PreparedOperation } from '../../../../src/wallets/smart/operation.ts'

/** The entry of a prepared operation with its owner's signature. */
export function entryOf(
  { codec }: Pick<OperationContext, 'codec'>,
  prepared: PreparedOperation,
  ownerSignature: Hex,
): ActivityEntry {
  const signature = codec.toOperationSignature(ownerSignature)
  return {
    ...toOperationEntry(prepared, { ...prepared.operation, signature }, codec.entryPoint),
    title: 'call',
    sentAt: 0,
    status: 'pending',
  }
}

/** Gives an entry's operation to the bundler. */
export const submitEntry = (
  { node, bundler }: Pick<OperationContext, 'node' | 'bundler'>,
  entry: ActivityEntry,
): Promise<void> =>
  createSubmit({
    nodeOf: () => node,
    solana: async () => undefined,
    bundler: async () => bundler,
  })(entry)

/** All that the tracker says of an entry until it has decided. */
export async function followEntry(
  { node, bundler, clock }: Pick<OperationContext, 'node' | 'bundler' | 'clock'>,
  entry: ActivityEntry,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<readonly Followed[]> {
  const found: Followed[] = []
  for await (const each of createOperationTracker({ node, bundler }).track(entry, { clock, signal }))
    found.push(each)
  return found
}
