/** What a QR code says to a wallet that pays. */
import { formatUnits } from '../../ethereum/amounts.ts'
import type { FundingTarget } from '../target.ts'

/**
 * A request of EIP-681, with chain and an amount in smallest units, or of Solana Pay, in whole ones.
 * @param reference a key by which the payment is found, on Solana
 */
export function paymentLink(
  { address, chain, chainType, token, decimals, amount }: FundingTarget,
  reference?: string,
): string {
  if (chainType === 'solana') {
    const query = new URLSearchParams()
    if (amount !== undefined) query.set('amount', formatUnits(amount, decimals).replaceAll(',', ''))
    if (token !== undefined) query.set('spl-token', token)
    if (reference !== undefined) query.set('reference', reference)
    return withQuery(`solana:${address}`, query)
  }
  const chainId = chain.slice('eip155:'.length)
  const query = new URLSearchParams()
  if (token !== undefined) query.set('address', address)
  if (amount !== undefined) query.set(token === undefined ? 'value' : 'uint256', String(amount))
  return withQuery(`ethereum:${token ?? address}@${chainId}${token === undefined ? '' : '/transfer'}`, query)
}

const withQuery = (link: string, query: URLSearchParams): string =>
  query.size > 0 ? `${link}?${query}` : link
