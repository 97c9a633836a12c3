/** Code of a wallet's own address (EIP-7702): a contract may check by it what the wallet signs. */
import { type Delegate, toWalletCode } from '../../../ethereum/wallet-code.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import { fetchPreview } from '../../server/preview.ts'
import type { SignReview } from './review.ts'

/**
 * Has the vault's own server say which code a wallet has, while the user reads.
 * @param chainId the chain that the page names; without one nothing is asked
 * @param props the screen's
 */
export const confirmsCode = (
  chainId: number | undefined,
  address: string,
  delegates: readonly Delegate[],
  props: object,
): Pick<SignReview, 'confirm' | 'confirmed'> =>
  chainId === undefined
    ? {}
    : {
        async confirm(cx, token) {
          const server = await fetchPreview(cx, token, {
            address,
            chain: `eip155:${chainId}`,
            // Nothing to itself: the server says of it whose code the wallet has.
            request: { transaction: { chainId, to: address, value: '0x0' } },
          })
          if (server.walletCode) return server
          throw new InvalidRequest('The wallet has no code')
        },
        confirmed: (server) => ({
          ...props,
          ...(server?.walletCode && { walletCode: toWalletCode(delegates, chainId, server.walletCode) }),
        }),
      }
