/** Balances and payments of the wallet that is funded, as its network's node has them. */
import { KitError } from '../../errors/kit-error.ts'
import { quantity } from '../../ethereum/answers.ts'
import { assertChainId } from '../../ethereum/prepare-transaction.ts'
import { readToken } from '../../ethereum/tokens.ts'
import type { ReceivingOptions } from '../../funding/receive/flow.ts'
import type { FundingTarget, FundingToken, FundingUnit } from '../../funding/target.ts'
import { Unreachable } from '../../lib/node-errors.ts'
import { getBalance, listOf, recordOf } from '../../solana/queries.ts'
import { shortAddress } from '../../ui/wallet/address-text.ts'
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

/**
 * Reads symbol and decimals of a token from its network.
 * @throws KitError `network_unavailable`, `unsupported_chain_id`, or `invalid_configuration` where there is no such token
 */
export async function readTokenUnit(
  sending: Pick<Sending, 'nodeOf' | 'solana'>,
  { chain, address }: FundingToken,
): Promise<FundingToken & FundingUnit> {
  const failed = (code: 'network_unavailable' | 'invalid_configuration', details: string, cause?: unknown) =>
    new KitError(code, 'Unable to fetch token details', {
      details,
      cause,
      retryable: code === 'network_unavailable',
    })
  const found = await findUnit(sending, { chain, address }).catch((cause: unknown) => {
    if (cause instanceof KitError) throw cause
    throw failed('network_unavailable', 'The network of the token can not be reached', cause)
  })
  if (found) return { chain, address, ...found }
  throw failed(
    'invalid_configuration',
    `There is no token with symbol and decimals at ${address} on ${chain}`,
  )
}

async function findUnit(
  sending: Pick<Sending, 'nodeOf' | 'solana'>,
  { chain, address }: FundingToken,
): Promise<FundingUnit | undefined> {
  const unsupported = () => new KitError('unsupported_chain_id', `There is no node for chain ${chain}`)
  if (chain.startsWith('solana:')) {
    const found = await sending.solana(chain)
    if (!found) throw unsupported()
    const { [address]: token } = await found.room.readSolanaTokens(found.rpc, [address])
    // A mint without metadata has no symbol of its own.
    return token && { symbol: token.symbol ?? shortAddress(address), decimals: token.decimals }
  }
  const node = sending.nodeOf(Number(chain.slice('eip155:'.length)))
  if (!node) throw unsupported()
  const token = await readToken(node, address)
  return token.kind === 'token' ? { symbol: token.symbol, decimals: token.decimals } : undefined
}
