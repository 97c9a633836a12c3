import { createSiweMessage } from 'viem/siwe'
import { KitError } from '../../errors/kit-error.ts'
import { protocolLimits } from '../../protocol/limits.ts'
import { resource, signInPage, statement } from './service.ts'

/**
 * The library accepts fewer hosts than RFC 3986: single labels, IPv6 and endings in other scripts are put in
 * afterwards.
 */
const standIn = 'host.invalid'

/** The message of a sign-in with an Ethereum wallet (docs/protocol.md, "Sign-in messages"). */
export function siweMessage(input: {
  /** The page's: scheme, host and port. */
  origin: string
  address: string
  chainId: number
  nonce: string
  issuedAt: Date
}): string {
  const { origin, address, chainId, nonce, issuedAt } = input
  const { domain, uri } = signInPage(origin)
  try {
    const text = createSiweMessage({
      chainId,
      nonce,
      issuedAt,
      statement,
      uri,
      domain: standIn,
      address: address as `0x${string}`,
      version: '1',
      resources: [resource],
    })
    return domain + text.slice(standIn.length)
  } catch (cause) {
    const details =
      cause instanceof Error ? cause.message.slice(0, protocolLimits.serverTextLength) : String(cause)
    throw new KitError('invalid_data', 'The sign-in message could not be generated', { cause, details })
  }
}
