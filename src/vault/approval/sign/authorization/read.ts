import '../transaction-copy.ts'
import { parseAuthorizationRequest } from '../../../../ethereum/authorization.ts'
import { chainOf } from '../../../../ethereum/chains.ts'
import { authorizationProps } from '../../../../signing/authorization/preview.ts'
import { signAuthorization } from '../../../../signing/authorization/sign-authorization.tsx'
import type { Warning } from '../../../../signing/preview.ts'
import { fetchPreview, type ServerPreview } from '../../../server/preview.ts'
import { chains } from '../chains.ts'
import { type ReadKind, toReview } from '../review.ts'

/** Code for the wallet's own address, by an authorization alone: a contract that the vault's own server allows, or none. */
export const readAuthorization: ReadKind<'authorization'> = (
  { authorization: raw },
  { requester, delegates },
) => {
  const authorization = parseAuthorizationRequest(raw, delegates)
  const { chainId, nonce } = authorization
  const propsWith = (server?: ServerPreview) => ({
    ...requester,
    ...authorizationProps(authorization, {
      network: chainOf(chains, chainId)?.name ?? String(chainId),
      delegates,
      walletCode: server?.walletCode ?? undefined,
      warnings: server ? laterWarnings(server, nonce) : [],
    }),
    cancellable: true,
  })
  const { address } = requester
  return toReview(signAuthorization, propsWith(), 'high', {
    confirm: (cx, token) =>
      fetchPreview(cx, token, {
        address,
        chain: `eip155:${chainId}`,
        // Nothing to itself: what the server says of it is the wallet's code and the nonce that comes next.
        request: { transaction: { chainId, to: address, value: '0x0' } },
      }),
    confirmed: propsWith,
  })
}

/** With a nonce beyond the next one an authorization waits: whoever has it decides when the wallet gets the code. */
const laterWarnings = ({ prepared }: ServerPreview, nonce: bigint): readonly Warning[] =>
  prepared?.nonce !== undefined && nonce > prepared.nonce + 1n
    ? [{ code: 'later-code', severity: 'danger' }]
    : []
