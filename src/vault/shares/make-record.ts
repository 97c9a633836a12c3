import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'
import type { Share } from './envelope.ts'
import { sealShare } from './seal.ts'
import { newSealingKey } from './sealing-key.ts'
import type { DeviceRecord } from './store.ts'

/** Seals a set's device and auth share for this device, under two keys that never leave it. */
export async function makeRecord(
  cx: VaultContext,
  token: Token,
  deviceShare: Share,
  auth: Share,
): Promise<{ record: DeviceRecord; authShare: string }> {
  const { thumbprint: device } = await cx.device()
  const [deviceKey, authKey] = await Promise.all([newSealingKey(), newSealingKey()])
  const [share, authShare] = await Promise.all([sealShare(deviceKey, deviceShare), sealShare(authKey, auth)])
  const { walletId, setId, secretKind: kind, chainType, address } = deviceShare
  const file = { app: cx.settings.appId, user: token.user, walletId, setId, kind, chainType, address }
  return {
    record: { ...file, share, deviceKey, authKey, device, committed: false, madeAt: cx.clock.now() },
    authShare,
  }
}
