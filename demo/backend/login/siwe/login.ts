import type { Address, Hex } from 'viem'
import { findAccount } from '../../accounts/account-rows.ts'
import type { Proof, Prove } from '../../accounts/accounts.ts'
import { keySigned } from '../../chains/node.ts'
import { createChainNodes } from '../../chains/nodes.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'
import type { RpcUrls } from '../../settings/chain-rpc-urls.ts'
import type { SmartWalletType } from '../../settings/names.ts'
import type { AccountDetails } from '../../users/account.ts'
import { logsInSomebody, standsForUser } from '../../users/wallet-addresses.ts'
import { type Caller, createSignInNonces, type SignInNonces, wrongSignature } from '../wallet/nonces.ts'
import { embeddedWalletRefusal, refuseUnlistedWallet } from '../wallet/rules.ts'
import { readSiweMessage } from './message.ts'

/** What somebody presents as signed by their wallet. */
export interface SignedSiwe {
  message: string
  signature: string
  /** On which chain the page was, if it says so. */
  chainId: number | undefined
  clientType: string | null
  connectorType: string | null
}
export interface EthereumLogin extends Pick<SignInNonces, 'issue'> {
  /** Judges a message; its nonce is used up with that. @throws Refusal */
  prove(app: App, caller: Caller, signed: SignedSiwe, options?: { linking: boolean }): Promise<Prove>
  /** The same for a smart wallet that is to be added to the user. @throws Refusal */
  proveContract(
    app: App,
    caller: Caller,
    signed: { message: string; signature: string; type: SmartWalletType },
  ): Promise<Prove>
}

/** Login with Ethereum (ERC-4361). */
export function createEthereumLogin(
  deps: Parameters<typeof createSignInNonces>[1] & { rpcUrls: RpcUrls },
): EthereumLogin {
  const { rpcUrls, limits } = deps
  const nonces = createSignInNonces('siwe', deps)
  const nodeOf = createChainNodes({ rpcUrls, limits })

  /** @throws Refusal `not_supported` on a chain that nobody can ask, Unavailable */
  async function contractSigned(
    { chainId, rpcUrl }: { chainId: number; rpcUrl?: string | undefined },
    address: Address,
    message: string,
    signature: Hex,
  ) {
    const node = nodeOf(chainId, rpcUrl)
    if (!node)
      throw new Refusal('not_supported', 'On this chain, only wallets with their own key can sign in.')
    return node.contractSigned(address, message, signature)
  }

  /** Reads what was signed, uses up its nonce, and has the signature judged. */
  async function verify(
    app: App,
    caller: Caller,
    given: Pick<SignedSiwe, 'message' | 'signature'> & { chainId?: number | undefined },
    { linking, contract }: { linking: boolean; contract: boolean },
  ) {
    const { message: text, signature } = given
    const message = text.length <= limits.walletMessageLength ? readSiweMessage(text) : undefined
    if (!message) throw wrongSignature()
    const { address, chainId } = message
    async function signed(): Promise<boolean> {
      if (given.chainId !== undefined && given.chainId !== chainId) return false
      if (!isSignature(signature) || signature.length > limits.walletSignatureLength) return false
      const key = await keySigned(address, text, signature)
      if (!contract)
        return key === 'other' ? contractSigned({ chainId }, address, text, signature) : key === 'yes'
      return key === 'other' && contractSigned(smartNetworkOf(app, chainId), address, text, signature)
    }
    await nonces.verify(app, caller, { message, linking, signed })
    return { address, chainId }
  }

  return {
    issue: nonces.issue,

    async prove(app, caller, signed, { linking } = { linking: false }) {
      const { address, chainId } = await verify(app, caller, signed, { linking, contract: false })
      refuseUnlistedWallet(app, address)
      const { clientType, connectorType } = signed
      const details = { chainId, clientType, connectorType }
      return async (tx): Promise<Proof | { refused: Refusal }> => {
        if (await standsForUser(tx, app, 'ethereum', address)) return { refused: embeddedWalletRefusal() }
        return { type: 'ethereum-wallet', subject: address, details, displayName: address }
      }
    },

    async proveContract(app, caller, { type, ...signed }) {
      const { address } = await verify(app, caller, signed, { linking: true, contract: true })
      const version = (app.smartWallets?.type === type && app.smartWallets.version) || null
      return async (tx): Promise<Proof | { refused: Refusal }> => {
        if (await logsInSomebody(tx, app, address))
          return {
            refused: new Refusal('linked_to_another_user', 'This wallet has already been linked to a user.'),
          }
        const proof = { type: 'smart-wallet' as const, subject: address }
        // An account stays what it was linked as, though the app has another type or version by now.
        const stored = await findAccount(tx, app, proof)
        return {
          ...proof,
          details: (stored?.details as AccountDetails['smart-wallet'] | undefined) ?? {
            smartWalletType: type,
            smartWalletVersion: version,
          },
        }
      }
    },
  }
}

/** @throws Refusal `not_supported` where the app has no smart wallets */
function smartNetworkOf(app: App, chainId: number) {
  const network = app.smartWallets?.networks.find((each) => each.chainId === `eip155:${chainId}`)
  if (!network) throw new Refusal('not_supported', 'This app has no smart wallets on this chain.')
  return { chainId, rpcUrl: network.rpcUrl }
}

const isSignature = (text: string): text is Hex => /^0x(?:[\da-f]{2})+$/i.test(text)
