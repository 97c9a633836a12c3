import type { FrameCalls, frameEvents } from '../../protocol/frame/calls.ts'
import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import { parseRootName } from '../keys/address.ts'
import type { Token } from '../token.ts'
import { lendWallet, offerGrant } from './give-grant.ts'

type Consent = FrameCalls[typeof frameEvents.consentToGrants]['data']

/**
 * Lets a server of the app act with wallets by the first permission of its settings, as pages of compatible apps ask their users by
 * themselves. A wallet that fails ends it; those before it are given. Throws a `VaultError`.
 */
export async function consentToGrants(
  cx: VaultContext,
  token: Token,
  { rootWallet, delegatedWallets }: Consent,
): Promise<void> {
  const root = await parseRootName(rootWallet.chainType, rootWallet.address)
  if (!root) throw new VaultError('invalid_request_arguments', 'The root is not an address')
  for (const { address, chainType, walletIndex: index = 0 } of delegatedWallets) {
    const wallet = { root, path: { chainType, index }, address }
    const offer = await offerGrant(cx, async () => token, wallet, undefined)
    await lendWallet(cx, token, wallet, { offer, permission: undefined })
  }
}
