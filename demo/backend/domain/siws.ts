import type { Prove } from './admissions.ts'
import type { App } from './app-settings.ts'
import { ownWallet, refuseUnlistedWallet, standsForUser } from './external-wallets.ts'
import { type Asker, createSignInNonces, type SignInNonces, wrongSignature } from './sign-in-nonces.ts'
import { readSiwsMessage } from './siws-message.ts'
import { solanaKeySigned } from './solana-signature.ts'
import { solanaKey } from './wallet-address.ts'

/** What somebody presents as signed by their wallet; the signature in base64. */
export interface SignedSiws {
  message: string
  signature: string
  clientType: string | null
  connectorType: string | null
}
export interface SolanaLogin extends Pick<SignInNonces, 'issue'> {
  /** Judges a message; its nonce is used up with that. @throws Refusal */
  prove(app: App, asker: Asker, signed: SignedSiws, options?: { linking: boolean }): Promise<Prove>
}

/** One chain by its names: whatever cluster a page works on, people log in for this one (wire 10.7). */
const mainnet = new Set([
  'mainnet',
  'mainnet-beta',
  'solana:mainnet',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
])

/** Login with Solana. Wire 2.5, security T9. */
export function createSolanaLogin(deps: Parameters<typeof createSignInNonces>[1]): SolanaLogin {
  const { limits } = deps
  const nonces = createSignInNonces('siws', deps)
  return {
    issue: nonces.issue,

    async prove(app, asker, { message: text, signature, clientType, connectorType }, options) {
      const message = text.length <= limits.walletMessageLength ? readSiwsMessage(text) : undefined
      const key = message && solanaKey(message.address)
      if (!message || !key) throw wrongSignature()
      await nonces.settle(app, asker, {
        ...{ message, linking: options?.linking ?? false },
        signed: async () => mainnet.has(message.chainId ?? '') && keySigned(key, text, signature),
      })
      const { address } = message
      refuseUnlistedWallet(app, address)
      return async (tx) => {
        if (await standsForUser(tx, app, 'solana', address)) return { refused: ownWallet() }
        const details = { clientType, connectorType }
        return { type: 'solana-wallet', subject: address, details, displayName: address }
      }
    },
  }
}

function keySigned(key: Uint8Array, message: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64')
  return bytes.toString('base64') === signature && solanaKeySigned(key, message, bytes)
}
