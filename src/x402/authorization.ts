/** The signed transfer (EIP-3009) with which a request is paid. */
import type { TransferAuthorization } from '../protocol/outside/x402.ts'
import { x402Limits } from './limits.ts'
import type { Payable } from './offer.ts'

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
}

/** 32 random bytes, by which the network takes the transfer once at most. */
export const createNonce = (): string =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** @param now seconds since 1970 @param isReviewed the user needs time to read it */
export function authorize(
  { payTo, amount, timeout }: Payable,
  { wallet, nonce, now, isReviewed }: { wallet: string; nonce: string; now: number; isReviewed: boolean },
): TransferAuthorization {
  return {
    from: wallet,
    to: payTo,
    value: String(amount),
    validAfter: String(now - x402Limits.clockSkew),
    validBefore: String(now + timeout + (isReviewed ? x402Limits.reviewTime : 0)),
    nonce,
  }
}

/** The typed data that is signed; every value is text. */
export const toTypedData = ({ domain, chainId, token }: Payable, authorization: TransferAuthorization) => ({
  types,
  primaryType: 'TransferWithAuthorization',
  domain: { ...domain, chainId, verifyingContract: token },
  message: { ...authorization },
})
