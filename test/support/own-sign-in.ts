import { createSiweMessage } from 'viem/siwe'

/**
 * A text by which an account logs in at a page (ERC-4361), of the kind that a strict app's frame signs; every other text goes to the
 * vault's window.
 */
export const ownSignIn = (
  page: string,
  address: string,
  more: { statement?: string; resources?: string[] } = {},
): string =>
  createSiweMessage({
    domain: new URL(page).host,
    uri: new URL(page).origin,
    address: address as `0x${string}`,
    version: '1',
    chainId: 1,
    nonce: 'a1b2c3d4e5f6',
    issuedAt: new Date(),
    ...more,
  })
