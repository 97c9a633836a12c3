import { KitError } from '../../errors/kit-error.ts'
import { authenticateWithSiws, linkSiws, startSiws, unlinkSiws } from '../../protocol/siws.ts'
import { siwsMessage } from '../../protocol/siws-message.ts'
import { parseSolanaAddress } from '../../solana/base58.ts'
import type { AuthContext } from '../service-context.ts'
import { createProofAuth, resource, type SiwsAuth, signInPage, statement } from './service.ts'

interface MessageInput {
  address: string
  captchaToken?: string | undefined
}

/** Logging in with a Solana wallet (docs/protocol.md, "Wallet sign-in"). */
export function createSiwsAuth(cx: AuthContext): SiwsAuth {
  const { auth } = createProofAuth<MessageInput>(cx, {
    method: 'siws',
    chainType: 'solana',
    read,
    // Base58 is case-sensitive.
    same: (one, other) => one === other,
    keyOf: ({ address }) => String(address).trim(),
    async make({ address: given, captchaToken }, options) {
      const address = parseSolanaAddress(String(given).trim())
      if (address === undefined) throw new KitError('invalid_data', 'Not a valid Solana address')
      const page = signInPage(cx.page.origin)
      const nonce = await startSiws(cx.http(), { address, captchaToken }, options)
      return siwsMessage({
        ...page,
        address,
        nonce,
        statement,
        version: '1',
        chainId: 'mainnet',
        issuedAt: new Date(cx.session.serverNow()).toISOString(),
        resources: [resource],
      })
    },
    authenticate: authenticateWithSiws,
    link: linkSiws,
    unlink: unlinkSiws,
  })
  return {
    ...auth,
    // Nothing has to be loaded.
    async prepare() {},
  }
}

/** A message's address. */
function read(message: string): { address: string } | undefined {
  const [, address] =
    /^\S{1,300} wants you to sign in with your Solana account:\n([1-9A-HJ-NP-Za-km-z]{32,44})\n/.exec(
      message,
    ) ?? []
  return address ? { address } : undefined
}
