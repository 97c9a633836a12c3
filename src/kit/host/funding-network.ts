/** Balances and payments of the wallet that is funded, as its network's node has them. */
import { KitError } from '../../errors/kit-error.ts'
import { quantity } from '../../ethereum/answers.ts'
import { assertChainId } from '../../ethereum/prepare-transaction.ts'
import { readToken } from '../../ethereum/tokens.ts'
import type { ReceivingOptions } from '../../funding/receive/flow.ts'
import type { FundingTarget } from '../../funding/target.ts'
import { Unreachable } from '../../lib/node-errors.ts'
import { getBalance, listOf, recordOf } from '../../solana/queries.ts'
import type { Sending } from '../wallets/sending.ts'

/**
 * Connects the funded wallet with its network.
 * @throws KitError `unsupported_chain_id` where the app has no node for it
 */
export async function networkOf(
  sending: Pick<Sending, 'nodeOf' | 'solana'>,
  { address, chain, chainType, token }: FundingTarget,
): Promise<ReceivingOptions> {
  const unsupported = () => new KitError('unsupported_chain_id', `There is no node for chain ${chain}`)
  if (chainType === 'solana') {
    const found = await sending.solana(chain)
    if (!found) throw unsupported()
    const { rpc, room } = found
    return {
      async readBalance(signal) {
        if (token === undefined) return getBalance(rpc, address, { signal })
        // A wallet without an account of the token has none of it.
        return (await room.readSplBalances(rpc, address, [token], { signal })).get(token)?.amount ?? 0n
      },
      async findPayment(reference, signal) {
        const options = { limit: 1, commitment: 'confirmed' }
        const [first] = listOf(await rpc.ask('getSignaturesForAddress', [reference, options], { signal }))
        const { signature, err } = first === undefined ? {} : recordOf(first)
        return typeof signature === 'string' && err === null ? signature : undefined
      },
    }
  }
  const chainId = Number(chain.slice('eip155:'.length))
  const node = sending.nodeOf(chainId)
  if (!node) throw unsupported()
  let isChecked = false
  return {
    async readBalance(signal) {
      if (!isChecked) await assertChainId(node, chainId, signal)
      isChecked = true
      if (token === undefined)
        return quantity('a balance')(await node.ask('eth_getBalance', [address, 'latest'], { signal }))
      const found = await readToken(node, token, { owner: address, signal })
      if (found.kind === 'unknown' || found.balance === undefined)
        throw new Unreachable("The token's balance can't be read")
      return found.balance
    },
  }
}
