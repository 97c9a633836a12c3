import type { Clock } from '../lib/clock.ts'
import type { Fetch } from '../lib/retrying-fetch.ts'
import type { Storage } from '../lib/storage.ts'
import type { DeviceKey } from './device/key.ts'
import type { KeyStore } from './device/key-store.ts'
import type { Client } from './entry/client.ts'
import type { VaultSettings } from './entry/settings.ts'
import type { Logouts } from './logouts.ts'
import type { MfaProofs, ProveMfa } from './mfa/proofs.ts'
import type { LoginCall, Post } from './server/transport.ts'
import type { Locks } from './shares/locks.ts'
import type { Releases } from './shares/releases.ts'
import type { DeviceRecord, Store } from './shares/store.ts'
import type { Token } from './token.ts'

/** What a vault is made of. */
export interface VaultParts {
  readonly settings: VaultSettings
  readonly fetch: Fetch
  readonly clock: Clock
  readonly store: Store
  readonly keys: KeyStore
  readonly locks: Locks
  readonly logouts: Logouts
  /** What the page around says about itself. */
  readonly client?: Client
  /** What the vault's pages in one tab share. */
  readonly tabStorage?: Storage | undefined
  /** It is a page in which a user approves what the vault does. */
  readonly approves?: true | undefined
}
/** What the vault's operations work with. */
export interface VaultContext extends VaultParts {
  /** Asks the server; where it wants a second factor shown, that is done first. */
  readonly api: Post
  /** The same without that. */
  readonly plainApi: Post
  /** What shows that the person has a second factor, for as long as that is good. */
  readonly mfa: MfaProofs
  /** Has a second factor shown. */
  readonly prove: ProveMfa
  /** The same vault, where `prove` has a second factor shown when the server wants one. */
  proving(prove: ProveMfa): VaultContext
  readonly logIn: LoginCall
  /** Milliseconds by which the server's clock is ahead of this device's; `undefined` before its first response. */
  aheadBy(): number | undefined
  readonly releases: Releases
  /** This browser's key in the app; made when it is first needed. */
  device(): Promise<DeviceKey>
  /** Has the server know that key, as far as that needs no person. Rejects with a `VaultError` when it doesn't take it. */
  enrol(token: Token): Promise<void>
}

/** All device shares of a person: those that the server is known to have taken first, the latest of each first. */
export const recordsOf = async (cx: VaultContext, token: Token): Promise<readonly DeviceRecord[]> =>
  [...(await cx.store.list(cx.settings.appId, token.user))].sort(
    (a, b) => Number(b.committed) - Number(a.committed) || b.madeAt - a.madeAt,
  )

/**
 * Notes that the server holds the other half of a record, and removes what that supersedes: records of creations
 * that came to nothing and, when `alone`, other sets of the same root. Safe while another tab works: the server
 * already has the root, and a recovery that loses its record here writes it again when it ends.
 */
export async function commitRecord(
  cx: VaultContext,
  record: DeviceRecord,
  { alone = false }: { alone?: boolean } = {},
): Promise<void> {
  if (!record.committed) await cx.store.put({ ...record, committed: true })
  for (const other of await cx.store.list(record.app, record.user)) {
    if (other.setId === record.setId) continue
    const superseded =
      other.walletId === record.walletId ? alone || !other.committed : isSuperseded(other, record)
    if (superseded) await cx.store.remove(other)
  }
}

/** Whether a pending record stood for the same root: a person has one entropy, and imports each key once. */
export const isSuperseded = (other: DeviceRecord, record: DeviceRecord) =>
  !other.committed &&
  other.kind === record.kind &&
  (other.kind === 'entropy' || (other.chainType === record.chainType && other.address === record.address))
