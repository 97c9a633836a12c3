import { parseSolanaAddress } from '../chains/address.ts'
import { KitError } from '../errors/kit-error.ts'
import { authenticateWithSiws, linkSiws, startSiws, unlinkSiws } from '../wire/siws.ts'
import { siwsMessage } from '../wire/siws-message.ts'
import type { AuthContext } from './context.ts'
import { createProofAuth, resource, type SiwsAuth, signInPage } from './wallet-proof.ts'

/** What a wallet shows and signs; a person reads it there, so it is the same in every language. */
const statement = 'By signing, you prove that you own this wallet and log in with it.'

interface Wish {
  address: string
  captchaToken?: string | undefined
}

/** Logging in with a Solana wallet. Wire 2.5 and 10.7. */
export function createSiwsAuth(cx: AuthContext): SiwsAuth {
  const { auth } = createProofAuth<Wish>(cx, {
    method: 'siws',
    chainType: 'solana',
    read,
    // Base58 tells upper case from lower.
    same: (one, other) => one === other,
    keyOf: ({ address }) => String(address).trim(),
    async make({ address: given, captchaToken }, options) {
      const address = parseSolanaAddress(String(given).trim())
      if (address === undefined) throw new KitError('invalid_data', 'That is no address of a Solana wallet')
      const page = signInPage(cx.page.origin)
      const nonce = await startSiws(cx.http(), { address, captchaToken }, options)
      return siwsMessage({
        ...{ ...page, address, nonce, statement, version: '1', chainId: 'mainnet' },
        issuedAt: new Date(cx.clock.now()).toISOString(),
        resources: [resource],
      })
    },
    authenticate: authenticateWithSiws,
    link: linkSiws,
    unlink: unlinkSiws,
  })
  return {
    ...auth,
    // All of it is here already.
    async prepare() {},
  }
}

/** Of a message, whose it is. */
function read(message: string): { address: string } | undefined {
  const [, address] =
    /^\S{1,300} wants you to sign in with your Solana account:\n([1-9A-HJ-NP-Za-km-z]{32,44})\n/.exec(
      message,
    ) ?? []
  return address ? { address } : undefined
}
