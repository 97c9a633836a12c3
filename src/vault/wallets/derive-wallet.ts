import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import type { RootName, WalletPath } from '../model.ts'
import { createWallet } from '../server/wallets.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import { statements } from '../statements.ts'
import type { Token } from '../token.ts'

/**
 * Adds a wallet of another index, or on another chain, to an entropy that is on this device. Resolves with its
 * address; again, with the same. Nothing of it is kept here: it can be derived at any time, and the server only lists it.
 * Throws {@link VaultError}, 'invalid_request_arguments' for an imported key and for an index whose chain has no first
 * wallet.
 */
export async function addWallet(
  cx: VaultContext,
  token: Token,
  { chainType, address }: RootName,
  path: WalletPath,
): Promise<string> {
  const root = { chainType, address }
  const wallet = await withDeviceRoot(cx, token, root, async (open) => {
    if (open.kind === 'key')
      throw new VaultError('invalid_request_arguments', 'An imported wallet has no other wallets')
    const { statement, ...made } = await open.withKey(path, (key) => {
      const values = { app: cx.settings.appId, user: token.user, wallet: open.walletId, chain: key.chainType }
      const statement = statements.walletAdded({ ...values, index: key.index, address: key.address })
      return { ...path, address: key.address, proof: key.prove(statement), statement }
    })
    // Both have to say so: with a login alone nobody can slip an address of their own in among the person's.
    const rootProof = await open.withKey({ chainType, index: 0 }, (key) => key.prove(statement))
    return { ...made, rootProof }
  })
  return createWallet(cx, token, root, wallet)
}
