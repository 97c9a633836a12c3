/** The token of a payment, as its own contract says it on the network. */
import { domainSeparator } from 'viem'
import { KitError } from '../errors/kit-error.ts'
import type { ChainNode } from '../ethereum/rpc.ts'
import { addressWord, readToken, readUint } from '../ethereum/tokens.ts'
import { catchNodeError, NodeError } from '../lib/node-errors.ts'
import { invalid, type Payable, unsupported } from './offer.ts'

export interface PaymentToken {
  readonly symbol: string
  readonly decimals: number
  readonly balance: bigint
  /** The newest block when it was asked. */
  readonly block: bigint
}

/** Selectors of EIP-3009 and EIP-712. */
const selectors = { domainSeparator: '0x3644e515', authorizationState: '0xe94a0102' } as const

/**
 * Asks the token's contract what it is, whether it takes signed transfers, and whether the seller has named its domain: under a wrong one
 * the signature would be for something else.
 * @throws KitError `payment_not_supported`, `payment_terms_invalid`, `insufficient_funds` or `network_unavailable`
 */
export async function checkToken(
  node: ChainNode,
  { token, domain, chainId, amount }: Payable,
  wallet: string,
  { nonce, signal }: { readonly nonce: string; readonly signal?: AbortSignal | undefined },
): Promise<PaymentToken> {
  const call = async (data: string) => {
    const answer = await catchNodeError(node.ask('eth_call', [{ to: token, data }, 'latest'], { signal }))
    return answer instanceof NodeError || !isHex(answer) ? undefined : answer
  }
  const [id, found, separator, state, block] = await Promise.all([
    node.ask('eth_chainId', [], { signal }),
    readToken(node, token, { owner: wallet, signal }),
    call(selectors.domainSeparator),
    call(`${selectors.authorizationState}${addressWord(wallet)}${nonce.slice(2)}`),
    node.ask('eth_blockNumber', [], { signal }),
  ])
  if (!isHex(id) || BigInt(id) !== BigInt(chainId) || !isHex(block))
    throw new KitError('network_unavailable', 'The node is of another network', { retryable: true })
  if (found.kind !== 'token') throw unsupported('asset', 'The asset is no token that can be shown')
  if (separator?.length !== 66 || state === undefined || readUint(state) !== 0n)
    throw unsupported('asset', 'The token takes no signed transfers (EIP-3009)')
  const expected = domainSeparator({
    domain: { ...domain, chainId, verifyingContract: token as `0x${string}` },
  })
  if (separator.toLowerCase() !== expected)
    throw invalid('domain', "The seller's name and version of the token are not the token's own")
  const { symbol, decimals, balance = 0n } = found
  if (balance < amount)
    throw new KitError('insufficient_funds', 'The wallet has too little of the token', {
      data: { asset: token, missing: amount - balance },
    })
  return { symbol, decimals, balance, block: BigInt(block) }
}

const isHex = (value: unknown): value is `0x${string}` =>
  typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value) && value !== '0x'
