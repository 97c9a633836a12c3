import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import { checkWallet } from '../export/secret.ts'
import type { RootName, WalletPath } from '../model.ts'
import { type GrantOffer, giveGrant, reviewGrant } from '../server/grants.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import type { Token } from '../token.ts'
import { shareContext, splitKey } from './split-key.ts'

/** The wallet that is lent, as this device has it. */
export interface LentWallet {
  readonly root: RootName
  readonly path: WalletPath
  readonly address: string
}

/** The terms of a permission. Throws `wallet_not_on_device` where the wallet must be recovered first, or another `VaultError`. */
export async function offerGrant(
  cx: VaultContext,
  token: () => Promise<Token>,
  wallet: LentWallet,
  permission: string | undefined,
): Promise<GrantOffer> {
  const { root, path, address } = wallet
  await withDeviceRoot(cx, await token(), root, (open) => checkWallet(open, wallet), { fresh: true })
  const offer = await reviewGrant(cx, await token(), address, permission)
  if (offer.address !== address || offer.chainType !== path.chainType)
    throw new VaultError('invalid_request_arguments', 'The server has another wallet at this address')
  return offer
}

/** Gives the app's server a wallet's key in two halves, under the terms of an offer. Throws a `VaultError`. */
export async function lendWallet(
  cx: VaultContext,
  token: Token,
  { root, path, address }: LentWallet,
  { offer, permission }: { readonly offer: GrantOffer; readonly permission: string | undefined },
): Promise<{ id: string; expiresAt: number }> {
  const context = shareContext({ app: cx.settings.appId, user: token.user, address })
  const halves = await withDeviceRoot(cx, token, root, (open) =>
    open.withKey(path, (key) => splitKey(key.privateKey, offer.key.publicKey, context)),
  )
  return giveGrant(cx, token, offer, { permission, ...halves })
}
