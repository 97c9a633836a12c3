import { type NewWallet, proofText } from './api.ts'
import { bounds } from './bounds.ts'
import { randomBytes, toBase64url, utf8, wipe } from './bytes.ts'
import { exclusively, settle, type VaultContext } from './context.ts'
import { withKey } from './derive.ts'
import { makeRecord } from './device.ts'
import { VaultError } from './errors.ts'
import { importSealingKey } from './keys.ts'
import { sealPackage } from './recovery-package.ts'
import { splitEntropy } from './shares.ts'
import { signPersonal } from './sign.ts'
import type { DeviceRecord } from './store.ts'
import type { Token } from './token.ts'

/**
 * Makes the person's wallet, or finds the one that they have. Resolves with its address (EIP-55).
 *
 * The device share is stored before the server hears of the wallet, and kept until it is known which wallet the
 * server took; so a crash at any moment, a lost answer or a second tab leaves one wallet and no orphan (security S8).
 * A wallet that the server did not take was never shown to anybody, and its shares are forgotten.
 */
export function createWallet(cx: VaultContext, token: Token): Promise<string> {
  return exclusively(cx, token, async () => {
    await forgetOldest(cx, token)
    const { record, wallet } = await makeWallet(cx, token)
    await cx.store.put(record)
    const answer = await cx.api.createWallet(token, wallet)

    const records = await cx.store.list(record.app, record.user)
    const ours = answer.walletId === record.walletId
    const taken = ours ? record : records.find(({ walletId }) => walletId === answer.walletId)
    const otherAddress = taken && taken.address !== answer.address.toLowerCase()
    if (otherAddress || (answer.created && !ours))
      throw new VaultError('error', 'The wallet service sent an unexpected answer')
    if (taken) await settle(cx, taken)
    else await Promise.all(records.filter((one) => !one.committed).map((one) => cx.store.remove(one)))
    if (ours) cx.releases.set(token, record.address, { setId: record.setId, authShare: wallet.authShare })
    return answer.address
  })
}

async function makeWallet(
  cx: VaultContext,
  token: Token,
): Promise<{ record: DeviceRecord; wallet: NewWallet }> {
  const entropy = randomBytes(16)
  const recoveryKey = randomBytes(32)
  try {
    return await withKey(entropy, async (privateKey, address) => {
      const walletId = crypto.randomUUID()
      const set = await splitEntropy(entropy, { walletId, address })
      try {
        const { record, authShare } = await makeRecord(cx, token, set.device, set.auth)
        const recoveryPackage = await sealPackage(await importSealingKey(recoveryKey), set.auth, set.recovery)
        const proof = proofText(cx.settings.appId, token.user, address, walletId)
        return {
          record,
          wallet: {
            walletId,
            setId: record.setId,
            address,
            authShare,
            recoveryPackage,
            recoveryKey: toBase64url(recoveryKey),
            proof: signPersonal(utf8(proof), privateKey),
          },
        }
      } finally {
        wipe(set.device.bytes, set.auth.bytes, set.recovery.bytes)
      }
    })
  } finally {
    wipe(entropy, recoveryKey)
  }
}

/** Keeps creations that fail again and again from filling the storage. */
async function forgetOldest(cx: VaultContext, token: Token): Promise<void> {
  const pending = (await cx.store.list(cx.settings.appId, token.user)).filter((record) => !record.committed)
  const oldest = pending.sort((a, b) => b.madeAt - a.madeAt).slice(bounds.pendingShares - 1)
  for (const record of oldest) await cx.store.remove(record)
}
