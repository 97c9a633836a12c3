import { type Bytes, wipe } from '../bytes.ts'
import { commitRecord, isSuperseded, recordsOf, type VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import { rootNameOf } from '../keys/address.ts'
import { withRoot } from '../keys/root.ts'
import { vaultLimits } from '../limits.ts'
import type { ChainType, OpenRoot, RecoveryRequest, RootName, SecretKind, WalletKey } from '../model.ts'
import { type PreparedRecovery, prepareRecovery } from '../recovery/prepare.ts'
import { type NewRoot, registerRoot } from '../server/wallets.ts'
import { makeRecord } from '../shares/make-record.ts'
import { splitRoot } from '../shares/split.ts'
import type { DeviceRecord } from '../shares/store.ts'
import { statements } from '../statements.ts'
import type { Token } from '../token.ts'

/** The root to be created. Its secret is drawn as late as possible, and wiped here. */
export interface RootRequest {
  readonly kind: SecretKind
  readonly chainType: ChainType
  readonly secret: () => Bytes
  readonly recovery: RecoveryRequest
}
/** The root that the person has afterwards. */
export interface CreatedRoot {
  /** `undefined`: the root was there before, and has no wallet on the asked chain. */
  readonly address: string | undefined
  /** Whether it is the root that was made just now, with its recovery method. */
  readonly ours: boolean
}

/**
 * Makes a root and hands it to the server, which decides whether it is the person's one. The caller holds the
 * person's lock.
 *
 * The device share is stored before the server hears of the root, and kept until it is known which root the server
 * took; so a crash at any moment, a lost answer or a second tab leaves one root and no orphan.
 * A root that the server did not take was never shown to anybody, and its shares are forgotten.
 */
export async function createRoot(cx: VaultContext, token: Token, request: RootRequest): Promise<CreatedRoot> {
  await forgetOldest(cx, token, request.kind)
  const { record, root } = await makeRoot(cx, token, request)
  await cx.store.put(record)
  const answer = await registerRoot(cx, token, root)

  const ours = answer.walletId === record.walletId
  const earlier = await recordsOf(cx, token)
  const taken = ours ? record : earlier.find(({ walletId }) => walletId === answer.walletId)
  // An imported key has this address, whosever root it is; an entropy is known by its first wallet.
  const known = request.kind === 'key' ? record : taken
  if ((answer.created && !ours) || !mayHave(known, request.chainType, answer.address))
    throw new VaultError('error', 'The wallet service sent an unexpected answer')
  if (!ours) await forgetPending(cx, record, answer.walletId)
  if (taken) await commitRecord(cx, taken)
  if (ours) cx.releases.set(token, record, { ...record, authShare: root.authShare })
  return { address: answer.address, ours }
}

/** Whether a root that is known by its first wallet can have the address that the server names. */
const mayHave = (known: RootName | undefined, chainType: ChainType, address: string | undefined) =>
  address === undefined ||
  known?.chainType !== chainType ||
  rootNameOf(chainType, address).address === known.address

async function makeRoot(
  cx: VaultContext,
  token: Token,
  { kind, chainType, secret: draw, recovery: method }: RootRequest,
): Promise<{ record: DeviceRecord; root: NewRoot }> {
  const walletId = crypto.randomUUID()
  const recovery = await prepareRecovery(cx, token, method, walletId)
  let secret: Bytes | undefined
  try {
    secret = draw()
    return await withRoot({ walletId, kind, secret, chainType }, (open) =>
      open.withKey({ chainType, index: 0 }, (key) => sealRoot(cx, token, open, key, recovery)),
    )
  } finally {
    wipe(secret)
    recovery.wipe()
  }
}

async function sealRoot(
  cx: VaultContext,
  token: Token,
  { walletId, kind, secret }: OpenRoot,
  { chainType, address, prove }: WalletKey,
  recovery: PreparedRecovery,
): Promise<{ record: DeviceRecord; root: NewRoot }> {
  const set = await splitRoot({ walletId, kind, secret, chainType, address })
  try {
    const { record, authShare } = await makeRecord(cx, token, set.device, set.auth)
    const { app, user, setId } = record
    return {
      record,
      root: {
        walletId,
        secret: kind,
        chainType,
        address,
        setId,
        authShare,
        recovery: await recovery.seal(set.auth, set.recovery),
        proof: prove(statements.walletCreated({ app, user, address, wallet: walletId })),
      },
    }
  } finally {
    wipe(set.device.bytes, set.auth.bytes, set.recovery.bytes)
  }
}

/** Keeps creations that fail again and again from filling the storage. */
async function forgetOldest(cx: VaultContext, token: Token, kind: SecretKind): Promise<void> {
  const all = await recordsOf(cx, token)
  const pending = all.filter((record) => !record.committed && record.kind === kind)
  for (const record of pending.slice(vaultLimits.pendingShares - 1)) await cx.store.remove(record)
}

/**
 * Removes pending records of a creation that came to nothing, because the server has another root in its place; not
 * the one that it has, if that is among them.
 */
async function forgetPending(cx: VaultContext, record: DeviceRecord, kept?: string): Promise<void> {
  for (const other of await cx.store.list(record.app, record.user))
    if (isSuperseded(other, record) && other.walletId !== kept) await cx.store.remove(other)
}
