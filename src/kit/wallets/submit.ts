import { base64 } from '@scure/base'
import type { ActivityEntry } from '../../activity/entry.ts'
import { Unreachable } from '../../lib/node-errors.ts'
import { serviceFeatures } from '../services/features.ts'
import type { FollowContext } from './follow.ts'

/**
 * Gives signed transactions of every kind of chain to their networks, out of what is stored of them. The same bytes may be given again. Throws
 * a `NodeError` for a refusal, or the bundler's `KitError`, and anything else where nobody can say whether the network has it.
 */
export const createSubmit =
  ({ nodeOf, solana, bundler }: Pick<FollowContext, 'nodeOf' | 'solana' | 'bundler'>) =>
  async (entry: ActivityEntry): Promise<void> => {
    const { chain, raw, hash, operation } = entry
    if (raw === undefined) throw new Unreachable('The signed transaction is not stored any more')
    const [namespace, reference = ''] = chain.split(':')
    if (operation) {
      const own = await bundler(Number(reference))
      if (!own) throw new Unreachable('The app has no bundler for this chain any more')
      const { readSentOperation } = await serviceFeatures.operationTracking()
      await own.send(JSON.parse(raw), readSentOperation(entry))
      return
    }
    if (namespace === 'eip155') {
      const node = nodeOf(Number(reference))
      if (!node) throw new Unreachable('The app has no such chain any more')
      const { broadcast } = await serviceFeatures.ethereumBroadcast()
      await broadcast(node, raw, Number(reference))
      return
    }
    const own = await solana(chain)
    if (!own) throw new Unreachable('The app has no such cluster any more')
    const { room, rpc } = own
    const bytes = base64.decode(raw)
    try {
      await room.submit(rpc, { bytes, signature: hash }, { message: room.decodeTransaction(bytes).message })
    } catch (cause) {
      // A node that does not know the blockhash may be behind, and another one may take the transaction until it expires.
      if (!(cause instanceof room.TransactionRefused) || cause.failure.code !== 'BlockhashNotFound')
        throw cause
    }
  }
