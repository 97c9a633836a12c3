import type { Prove } from '../../accounts/accounts.ts'
import { solanaKey } from '../../chains/address.ts'
import { solanaKeySigned } from '../../chains/solana-signature.ts'
import type { App } from '../../settings/app.ts'
import { standsForUser } from '../../users/wallet-addresses.ts'
import { type Caller, createSignInNonces, type SignInNonces, wrongSignature } from '../wallet/nonces.ts'
import { embeddedWalletRefusal, refuseUnlistedWallet } from '../wallet/rules.ts'
import { readSiwsMessage } from './message.ts'

/** What somebody presents as signed by their wallet; the signature in base64. */
export interface SignedSiws {
  message: string
  signature: string
  clientType: string | null
  connectorType: string | null
}
export interface SolanaLogin extends Pick<SignInNonces, 'issue'> {
  /** Judges a message; its nonce is used up with that. @throws Refusal */
  prove(app: App, caller: Caller, signed: SignedSiws, options?: { linking: boolean }): Promise<Prove>
}

/** The names of one chain: people log in for it on every cluster. */
const mainnet = new Set([
  'mainnet',
  'mainnet-beta',
  'solana:mainnet',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
])

/** Login with Solana. */
export function createSolanaLogin(deps: Parameters<typeof createSignInNonces>[1]): SolanaLogin {
  const { limits } = deps
  const nonces = createSignInNonces('siws', deps)
  return {
    issue: nonces.issue,

    async prove(app, caller, { message: text, signature, clientType, connectorType }, options) {
      const message = text.length <= limits.walletMessageLength ? readSiwsMessage(text) : undefined
      const key = message && solanaKey(message.address)
      if (!message || !key) throw wrongSignature()
      await nonces.verify(app, caller, {
        message,
        linking: options?.linking ?? false,
        signed: async () => mainnet.has(message.chainId ?? '') && keySigned(key, text, signature),
      })
      const { address } = message
      refuseUnlistedWallet(app, address)
      return async (tx) => {
        if (await standsForUser(tx, app, 'solana', address)) return { refused: embeddedWalletRefusal() }
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
