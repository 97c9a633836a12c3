import { wipe } from '../bytes.ts'
import { commitRecord, recordsOf, type VaultContext } from '../context.ts'
import { isRefused, notOnDevice, ShareError } from '../errors.ts'
import { rootNameOf } from '../keys/address.ts'
import { vaultLimits } from '../limits.ts'
import type { OpenRoot, RootName } from '../model.ts'
import { fetchAuthShare } from '../server/auth-share.ts'
import type { Token } from '../token.ts'
import { openRoot } from './combine.ts'
import { openShare, type Share } from './envelope.ts'
import type { Release } from './releases.ts'
import type { DeviceRecord } from './store.ts'

/**
 * Has the server release its share of a root before that is needed, and reads this device's. Neither is opened. Resolves with this
 * device's record; with `undefined` where it takes more than that, which {@link withDeviceRoot} does. Throws a `VaultError`.
 */
export async function fetchAhead(
  cx: VaultContext,
  token: Token,
  root: RootName,
): Promise<DeviceRecord | undefined> {
  const ready = (await recordsOf(cx, token)).filter(({ committed, device }) => committed && device)
  const asked = ready.slice(0, vaultLimits.setsAsked).map(({ setId }) => setId)
  const kept = cx.releases.get(token, root)
  const release = kept ?? (asked.length > 0 ? await fetchAuthShare(cx, token, root, asked) : undefined)
  const record = ready.find((one) => isOf(one, release))
  if (release && record && !kept) cx.releases.set(token, root, release)
  return record
}

/**
 * Puts a root together from this device's share and the server's, and lends it to `work`. The server is asked unless
 * it has released the share to this very token before and `fresh` is not set; it is the server that knows whose name
 * `root` is, and the vault holds it to that before `work` sees anything. A record whose fate was unknown is adopted
 * when the server has its other half.
 * Throws `VaultError` 'wallet_not_on_device' when the two shares are not there and sound.
 * @param options.ahead what {@link fetchAhead} has read: browsers take their time to read it again
 */
export async function withDeviceRoot<T>(
  cx: VaultContext,
  token: Token,
  root: RootName,
  work: (root: OpenRoot, record: DeviceRecord) => T | Promise<T>,
  { fresh = false, ahead }: { fresh?: boolean; ahead?: DeviceRecord | undefined } = {},
): Promise<T> {
  const known = fresh ? undefined : cx.releases.get(token, root)
  const readAhead = ahead && isOf(ahead, known)
  let left = readAhead ? [ahead] : await recordsOf(cx, token)
  const sealed = left.find((record) => isOf(record, known))
  if (known && sealed) {
    const done = await tryWith(sealed, known, root, (opened) => work(opened, sealed))
    if (done) return done.result
    if (readAhead) left = await recordsOf(cx, token)
  }
  // For a while the server gives such a share to any key; once that ends, only an enrolled one gets it.
  if (left.some(({ device }) => device === undefined)) await cx.enrol(token).catch(ignoreRefusal)
  while (left.length > 0) {
    const asked = left.slice(0, vaultLimits.setsAsked)
    const release = await fetchAuthShare(
      cx,
      token,
      root,
      asked.map(({ setId }) => setId),
    )
    const record = asked.find((one) => isOf(one, release))
    if (release && record) {
      const done = await tryWith(record, release, root, async (opened) => {
        cx.releases.set(token, root, release)
        await commitPending(cx, record)
        return work(opened, record)
      })
      if (done) return done.result
    }
    // A damaged set is skipped for the next one; if the server names none, it knows none of the requested sets.
    left = left.filter((one) => (record ? one !== record : !asked.includes(one)))
  }
  throw notOnDevice()
}

/** Whether the share is given nevertheless is for the server to say. */
function ignoreRefusal(cause: unknown): void {
  if (!isRefused(cause)) throw cause
}

const isOf = (record: DeviceRecord, release: Release | undefined) =>
  record.setId === release?.setId && record.walletId === release.walletId

async function commitPending(cx: VaultContext, record: DeviceRecord): Promise<void> {
  const records = await cx.store.list(record.app, record.user)
  if (!record.committed || records.some((one) => !one.committed)) await commitRecord(cx, record)
}

/** The result of `work`, or `undefined` when the two shares don't make a sound root of that name. */
async function tryWith<T>(
  record: DeviceRecord,
  { authShare }: Release,
  name: RootName,
  work: (root: OpenRoot) => T | Promise<T>,
): Promise<{ result: T } | undefined> {
  const { walletId, setId, kind: secretKind, chainType, address } = record
  const expected = { walletId, setId, secretKind, chainType, address }
  let sound = false
  try {
    const shares = await bothOf([
      openShare(record.deviceKey, record.share, { ...expected, kind: 'device' }),
      openShare(record.authKey, authShare, { ...expected, kind: 'auth' }),
    ])
    return {
      result: await openRoot(...shares, async (root) => {
        if (!(await hasName(root, name, record))) throw new ShareError('mismatch')
        sound = true
        return work(root)
      }),
    }
  } catch (cause) {
    if (cause instanceof ShareError && !sound) return undefined
    throw cause
  }
}

/** Two shares that are opened at the same time. Where one can't be, the other is gone as well. */
async function bothOf(opening: readonly [Promise<Share>, Promise<Share>]): Promise<[Share, Share]> {
  try {
    return await Promise.all(opening)
  } catch (cause) {
    for (const one of await Promise.allSettled(opening)) if (one.status === 'fulfilled') wipe(one.value.bytes)
    throw cause
  }
}

/** Whether a root that is known by one name has another one. */
async function hasName(root: OpenRoot, name: RootName, known: RootName): Promise<boolean> {
  const { chainType, address } = name
  if (chainType === known.chainType) return address === known.address
  if (root.kind === 'key') return false
  return root.withKey(
    { chainType, index: 0 },
    (key) => rootNameOf(chainType, key.address).address === address,
  )
}
