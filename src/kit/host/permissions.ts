/** Calls of a host about permissions of the app's servers; loaded with the first of them. The kit is ready. */
import type { Stage } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import {
  listPermissions as list,
  type Permission,
  revokeAllPermissions,
  revokePermission,
} from '../../protocol/grants.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { delegateWallet as delegateInDialog, revokeDelegation } from '../../wallets/flows.ts'
import type { DelegateWalletOptions, RevokeDelegationOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import { personOf } from './person.ts'

async function partsOf(cx: KitContext, doing: string) {
  personOf(cx, doing)
  const { wallets, http } = await cx.services()
  const embedded = await wallets.embedded()
  return { wallets, embedded, http }
}

/** Lets a server of the app act with a wallet once the user has agreed in the vault's window. */
export async function delegateWallet(
  cx: KitContext,
  { address, permission, surface, signal }: DelegateWalletOptions,
): Promise<{ id: string; expiresAt: Date }> {
  const { embedded } = await partsOf(cx, 'delegating actions')
  const wallet = embedded.find(address)
  if (!wallet) throw new KitError('embedded_wallet_not_found', 'No embedded wallet with this address')
  if (wallet.delegated) throw new KitError('already_delegated', 'Wallet with address is already delegated.')
  return cx.runs.run('delegate', { surface, signal }, (stage) => delegateOn(cx, stage, wallet, permission))
}

async function delegateOn(
  cx: KitContext,
  stage: Stage,
  wallet: EmbeddedAccount,
  permission: string | undefined,
) {
  const { wallets } = await cx.services()
  const { id, expiresAt } = await delegateInDialog({ ...cx.flow(stage), wallets }, wallet, permission)
  return { id, expiresAt: new Date(expiresAt * 1_000) }
}

/** Ends all permissions once the user has confirmed it. */
export async function revokeDelegatedWallets(
  cx: KitContext,
  { surface, signal }: RevokeDelegationOptions,
): Promise<void> {
  const { embedded } = await partsOf(cx, 'revoking delegated actions')
  const delegated = embedded.list().filter((wallet) => wallet.delegated)
  if (delegated.length === 0)
    throw new KitError('user_has_not_delegated_wallet', 'The user has not delegated a wallet.')
  await cx.runs.run('revoke', { surface, signal }, (stage) => revokeOnStage(cx, stage))
}

/** The same where a dialog is open. */
export async function revokeOnStage(cx: KitContext, stage: Stage): Promise<void> {
  const { wallets, embedded, http } = await partsOf(cx, 'revoking delegated actions')
  const delegated = embedded.list().filter((wallet) => wallet.delegated)
  await revokeDelegation({ ...cx.flow(stage), wallets }, delegated, (signal) =>
    revokeAllPermissions(http(), { signal }),
  )
}

/** The user's permissions, ended ones too. */
export async function listPermissions(cx: KitContext): Promise<readonly Permission[]> {
  const { http } = await partsOf(cx, 'their permissions are known')
  return list(http())
}

/** Ends one permission. */
export async function stopPermission(cx: KitContext, id: string): Promise<void> {
  const { embedded, http } = await partsOf(cx, 'revoking delegated actions')
  if (typeof id !== 'string' || id === '')
    throw new KitError('invalid_request_arguments', 'A permission is stopped by its id')
  await revokePermission(http(), id)
  await embedded.refresh()
}
