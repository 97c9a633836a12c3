/** A seller's offer, checked before the user is asked to pay. */
import { KitError } from '../errors/kit-error.ts'
import { parseWalletAddress } from '../ethereum/address.ts'
import { isLoopbackHost } from '../lib/origin.ts'
import { plainText } from '../lib/safe-text.ts'
import type { PaymentOffer, PaymentTerms } from '../protocol/outside/x402.ts'
import { x402Limits } from './limits.ts'

/** An offer that this kit can pay, as far as its own text says. */
export interface Payable {
  readonly offer: PaymentOffer
  readonly chainId: number
  /** CAIP-2. */
  readonly chain: string
  /** The token's contract, with its checksum. */
  readonly token: string
  readonly payTo: string
  readonly amount: bigint
  /** Seconds. */
  readonly timeout: number
  /** The token's EIP-712 domain, according to the seller. */
  readonly domain: { readonly name: string; readonly version: string }
  /** Origin of the request's own address. */
  readonly origin: string
  /** The seller's own words, on one line. */
  readonly description?: string | undefined
}

interface OfferContext {
  /** Address of the request. */
  readonly url: string
  /** The address of the wallet that pays. */
  readonly wallet: string
  readonly hasChain: (chainId: number) => boolean
}

/** Why an offer can't be paid; `rank`: the reason of the best one is reported. */
interface Refused {
  readonly error: KitError
  readonly rank: number
}

/**
 * The offers that can be paid, in the seller's order.
 * @throws KitError `payment_terms_invalid` or `payment_not_supported`, with the reason of the offer that comes nearest
 */
export function readOffers(terms: PaymentTerms, cx: OfferContext): readonly Payable[] {
  assertSafeAddress(cx.url)
  const read = terms.offers.map((offer) => readOffer(offer, cx))
  const payable = read.filter((each): each is Payable => 'offer' in each)
  if (payable.length > 0) return payable
  const [nearest] = read
    .filter((each): each is Refused => 'error' in each)
    .sort((one, other) => other.rank - one.rank)
  throw nearest?.error ?? invalid('offers', 'The seller offers no way to pay')
}

/** Terms that others may have changed on their way are none. */
function assertSafeAddress(address: string): void {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    throw invalid('insecure', 'Only requests over https are paid')
}

function readOffer(offer: PaymentOffer, { url, wallet, hasChain }: OfferContext): Payable | Refused {
  const { scheme, network, method = 'eip3009', name, domainVersion, maxTimeoutSeconds, amount } = offer
  if (scheme !== 'exact')
    return { rank: 0, error: unsupported('scheme', `The scheme ${short(scheme)} is not supported`) }
  const chainId = /^eip155:([1-9]\d{0,14})$/.exec(network)?.[1]
  if (chainId === undefined || !hasChain(Number(chainId))) {
    const error = unsupported('network', `Payments on ${short(network)} are not supported in this app`)
    return { rank: 1, error }
  }
  if (method !== 'eip3009') {
    const error = unsupported('method', `Transfers by ${short(method)} are not supported`)
    return { rank: 2, error }
  }
  const token = parseWalletAddress(offer.asset)
  if (!token) return { rank: 3, error: unsupported('asset', 'The asset is no token contract') }
  if (!name || !domainVersion || name.length > MOST_NAME || domainVersion.length > MOST_NAME) {
    const error = unsupported('asset', 'The seller does not name the EIP-712 domain of the token')
    return { rank: 3, error }
  }
  const payTo = parseWalletAddress(offer.payTo)
  if (!payTo || /^0x0{40}$/.test(payTo)) return refused('recipient', 'The recipient is no address')
  if (payTo === token) return refused('recipient', "The recipient is the token's own contract")
  if (payTo === wallet) return refused('recipient', 'The recipient is the wallet that pays')
  if (amount === 0n || amount > UINT256) return refused('amount', 'The amount is none')
  if (maxTimeoutSeconds > x402Limits.validity) {
    const error = `The authorization would be valid for more than ${x402Limits.validity} seconds`
    return refused('validity', error)
  }
  const { host, origin } = new URL(url)
  if (hostOf(offer.resource, url) !== host) return refused('resource', 'The payment is for another address')
  const description = offer.description && plainText(offer.description).slice(0, x402Limits.descriptionLength)
  return {
    offer,
    chainId: Number(chainId),
    chain: `eip155:${chainId}`,
    token,
    payTo,
    amount,
    timeout: Math.ceil(maxTimeoutSeconds),
    domain: { name, version: domainVersion },
    origin,
    ...(description && { description }),
  }
}

const UINT256 = (1n << 256n) - 1n
const MOST_NAME = 64

const refused = (reason: string, message: string): Refused => ({ rank: 4, error: invalid(reason, message) })

/** Sellers behind a proxy name their address with the proxy's own scheme, so only the host counts. */
function hostOf(resource: string, url: string): string | undefined {
  return URL.canParse(resource, url) ? new URL(resource, url).host : undefined
}

const short = (text: string): string => plainText(text).slice(0, 40)

export const invalid = (reason: string, message: string): KitError =>
  new KitError('payment_terms_invalid', message, { data: { reason } })
export const unsupported = (reason: string, message: string): KitError =>
  new KitError('payment_not_supported', message, { data: { reason } })
