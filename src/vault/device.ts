import { settle, type VaultContext } from './context.ts'
import { openShare, type Share, sealShare } from './envelope.ts'
import { ShareError, VaultError } from './errors.ts'
import { newSealingKey } from './keys.ts'
import type { Release } from './releases.ts'
import { type OpenWallet, withWallet } from './shares.ts'
import type { DeviceRecord } from './store.ts'
import type { Token } from './token.ts'

/** Seals a set's device and auth share for this device, under two keys that never leave it. */
export async function makeRecord(
  cx: VaultContext,
  token: Token,
  device: Share,
  auth: Share,
): Promise<{ record: DeviceRecord; authShare: string }> {
  const [deviceKey, authKey] = await Promise.all([newSealingKey(), newSealingKey()])
  const [share, authShare] = await Promise.all([sealShare(deviceKey, device), sealShare(authKey, auth)])
  const { walletId, setId, address } = device
  const file = { app: cx.settings.appId, user: token.user, walletId, setId, address }
  return {
    record: { ...file, share, deviceKey, authKey, committed: false, madeAt: cx.clock.now() },
    authShare,
  }
}

/**
 * Puts a wallet together from this device's share and the server's, and lends it to `work`. The server is asked
 * unless it has released the share to this very token before and `fresh` is not set. A record whose fate was unknown
 * is adopted when the server has its other half. `address` is in lower case.
 * Throws {@link VaultError} 'wallet_not_on_device' when the two shares are not there and sound.
 */
export async function withDeviceWallet<T>(
  cx: VaultContext,
  token: Token,
  address: string,
  work: (wallet: OpenWallet) => T | Promise<T>,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<T> {
  const records = (await cx.store.list(cx.settings.appId, token.user))
    .filter((record) => record.address === address)
    .sort((a, b) => Number(b.committed) - Number(a.committed) || b.madeAt - a.madeAt)

  const known = fresh ? undefined : cx.releases.get(token, address)
  const sealed = records.find((record) => record.setId === known?.setId)
  if (known && sealed) {
    const done = await tryWith(sealed, known, work)
    if (done) return done.result
  }
  for (const record of records) {
    const answer = await cx.api.authShare(token, address, record.setId)
    if (answer?.walletId !== record.walletId) continue
    const release = { setId: record.setId, authShare: answer.authShare }
    const done = await tryWith(record, release, work)
    if (!done) continue
    cx.releases.set(token, address, release)
    if (records.some((one) => !one.committed)) await settle(cx, record)
    return done.result
  }
  throw new VaultError('wallet_not_on_device', 'The wallet is not on this device')
}

/** The result of `work`, or `undefined` when the two shares don't make a sound wallet. */
async function tryWith<T>(
  record: DeviceRecord,
  release: Release,
  work: (wallet: OpenWallet) => T | Promise<T>,
): Promise<{ result: T } | undefined> {
  try {
    const device = await openShare(record.deviceKey, record.share, { ...record, kind: 'device' })
    const auth = await openShare(record.authKey, release.authShare, { ...record, kind: 'auth' })
    return { result: await withWallet(device, auth, work) }
  } catch (cause) {
    if (cause instanceof ShareError) return undefined
    throw cause
  }
}
