import { createSiweMessage } from 'viem/siwe'
import { limits } from '../core/limits.ts'
import { KitError } from '../errors/kit-error.ts'
import { resource, signInPage } from './wallet-proof.ts'

/** What a wallet shows and signs; a person reads it there, so it is the same in every language (EIP-4361: ASCII only). */
export const statement =
  'By signing, you prove that you own this wallet and log in with it. Nothing is sent to the chain and no fee is charged.'
/** The library knows fewer hosts than RFC 3986: single labels, IPv6 and endings in other scripts are put in afterwards. */
const standIn = 'host.invalid'

/** The message of a sign-in with an Ethereum wallet. Wire 10.7. */
export function siweMessage(input: {
  /** Of the page: scheme, host and port. */
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
      ...{ chainId, nonce, issuedAt, statement, uri },
      domain: standIn,
      address: address as `0x${string}`,
      version: '1',
      resources: [resource],
    })
    return domain + text.slice(standIn.length)
  } catch (cause) {
    const details = cause instanceof Error ? cause.message.slice(0, limits.serverTextLength) : String(cause)
    throw new KitError('invalid_data', 'The sign-in message can’t be made', { cause, details })
  }
}
