import { fromBase64url, wipe } from './bytes.ts'
import { exclusively, settle, type VaultContext } from './context.ts'
import { makeRecord, withDeviceWallet } from './device.ts'
import { ShareError, VaultError } from './errors.ts'
import { importSealingKey } from './keys.ts'
import { openPackage } from './recovery-package.ts'
import { splitEntropy, withWallet } from './shares.ts'
import type { Token } from './token.ts'

/**
 * Brings a wallet to this device by automatic recovery: puts it together from the server's recovery package and
 * splits it into a new set, whose device share stays here. Sets of other devices go on working. `address` is in lower
 * case. Resolves with the address (EIP-55). Does nothing where the wallet is on the device, because another tab was faster.
 */
export function recoverWallet(cx: VaultContext, token: Token, address: string): Promise<string> {
  return exclusively(cx, token, async () => {
    const there = await alreadyThere(cx, token, address)
    if (there) return there
    const made = await recoverSet(cx, token, address)
    await cx.store.put(made.record)
    await cx.api.addDevice(token, address, { setId: made.record.setId, authShare: made.authShare })
    await settle(cx, made.record, { alone: true })
    cx.releases.set(token, address, { setId: made.record.setId, authShare: made.authShare })
    return made.address
  })
}

async function alreadyThere(cx: VaultContext, token: Token, address: string): Promise<string | undefined> {
  try {
    return await withDeviceWallet(cx, token, address, (wallet) => wallet.address, { fresh: true })
  } catch (cause) {
    if (cause instanceof VaultError && cause.type === 'wallet_not_on_device') return undefined
    throw cause
  }
}

async function recoverSet(cx: VaultContext, token: Token, address: string) {
  const keyBytes = fromBase64url(await cx.api.recoveryKey(token, address))
  const { walletId, recoveryPackage } = await cx.api.recoveryPackage(token, address)
  try {
    if (keyBytes?.length !== 32) throw new ShareError('malformed')
    const key = await importSealingKey(keyBytes)
    const { auth, recovery } = await openPackage(key, recoveryPackage, { walletId, address })
    return await withWallet(auth, recovery, async (wallet) => {
      const set = await splitEntropy(wallet.entropy, { walletId, address })
      try {
        return { ...(await makeRecord(cx, token, set.device, set.auth)), address: wallet.address }
      } finally {
        wipe(set.device.bytes, set.auth.bytes, set.recovery.bytes)
      }
    })
  } catch (cause) {
    if (cause instanceof ShareError)
      throw new VaultError('error', 'The recovery data of this wallet is damaged', { cause })
    throw cause
  } finally {
    wipe(keyBytes)
  }
}
