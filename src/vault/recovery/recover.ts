import { type RecoveryData, recoveryMethods } from '../../protocol/frame/calls.ts'
import { wipe } from '../bytes.ts'
import { commitRecord, type VaultContext } from '../context.ts'
import { ShareError, VaultError } from '../errors.ts'
import { rootNameOf } from '../keys/address.ts'
import { vaultLimits } from '../limits.ts'
import type { RecoveryMethod, RootName } from '../model.ts'
import { addDevice, fetchPackage, unsupportedHere } from '../server/recovery.ts'
import { openRoot } from '../shares/combine.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import { exclusively } from '../shares/exclusively.ts'
import { makeRecord } from '../shares/make-record.ts'
import { splitRoot } from '../shares/split.ts'
import { statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { changeRecovery } from './change.ts'
import { keptByPage, needsApproval } from './errors.ts'
import { openRecovery } from './open.ts'
import { readPackage, type SealedPackage } from './package.ts'

/**
 * Brings a root to this device: puts it together from the server's recovery package and splits it into a new set,
 * whose device share stays here. Sets of other devices go on working. Does nothing where the root is on the device,
 * because another tab was faster. With `only`, a root of any other method is left to the vault's own window.
 * Throws {@link VaultError}.
 */
export function recoverRoot(
  cx: VaultContext,
  token: Token,
  root: RootName,
  data: RecoveryData,
  { only }: { only?: RecoveryMethod } = {},
): Promise<void> {
  return exclusively(cx, token, async () => {
    if (await isHere(cx, token, root)) return
    try {
      const { walletId, method, package: text } = await fetchPackage(cx, token, root)
      if (only && method !== only) throw method === recoveryMethods.ownKey ? keptByPage() : needsApproval()
      const sealed = readPackage(text)
      if (sealed.method !== method) throw new ShareError('mismatch')
      await recoverSet(cx, token, { root, walletId, sealed, data })
      await restretch(cx, token, root, sealed, data.recoveryPassword)
    } catch (cause) {
      if (!(cause instanceof ShareError)) throw cause
      if (cause.reason === 'version') throw unsupportedHere()
      throw new VaultError('error', 'The recovery data of this wallet is damaged', { cause })
    }
  })
}

/** Whether a root can be used on this device. Throws {@link VaultError} when that can't be told. */
export async function isHere(cx: VaultContext, token: Token, root: RootName): Promise<boolean> {
  try {
    return await withDeviceRoot(cx, token, root, () => true, { fresh: true })
  } catch (cause) {
    if (cause instanceof VaultError && cause.type === 'wallet_not_on_device') return false
    throw cause
  }
}

async function recoverSet(
  cx: VaultContext,
  token: Token,
  from: { root: RootName; walletId: string; sealed: SealedPackage; data: RecoveryData },
): Promise<void> {
  const { root, walletId } = from
  const { auth, recovery } = await openRecovery(cx, token, from)
  const made = await openRoot(auth, recovery, (open) =>
    // The server has said whose package this is; only the key itself can tell whether that is true.
    open.withKey({ chainType: root.chainType, index: 0 }, async (key) => {
      if (rootNameOf(root.chainType, key.address).address !== root.address) throw new ShareError('mismatch')
      const set = await splitRoot({ ...root, walletId, kind: open.kind, secret: open.secret })
      try {
        const { record, authShare } = await makeRecord(cx, token, set.device, set.auth)
        const { app, user, setId } = record
        const statement = statements.deviceAdded({ app, user, wallet: walletId, set: setId })
        return { record, authShare, proof: key.prove(statement) }
      } finally {
        wipe(set.device.bytes, set.auth.bytes, set.recovery.bytes)
      }
    }),
  )
  const { record, authShare, proof } = made
  await cx.store.put(record)
  await addDevice(cx, token, root, { setId: record.setId, authShare, proof })
  await commitRecord(cx, record, { alone: true })
  cx.releases.set(token, root, { walletId, setId: record.setId, authShare })
}

/** While the password is known: if it was stretched less than a new one would be, it is stretched again. */
async function restretch(
  cx: VaultContext,
  token: Token,
  root: RootName,
  { stretching }: SealedPackage,
  password: string | undefined,
): Promise<void> {
  if (!stretching || password === undefined || stretching.iterations >= vaultLimits.passwordRounds) return
  try {
    await changeRecovery(cx, token, root, { method: recoveryMethods.password, password }, { password })
  } catch {
    // The wallet is here and the old package still opens it: the next use tries again.
  }
}
