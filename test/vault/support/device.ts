import { simple7702Account } from '../../../src/ethereum/wallet-code.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { limits } from '../../../src/lib/limits.ts'
import type { Fetch } from '../../../src/lib/retrying-fetch.ts'
import type { Storage } from '../../../src/lib/storage.ts'
import { type ChainType, frameEvents, verifiers } from '../../../src/protocol/frame/calls.ts'
import type { FrameFailure } from '../../../src/protocol/frame/messages.ts'
import { type KeyStore, memoryKeys } from '../../../src/vault/device/key-store.ts'
import type { VaultSettings } from '../../../src/vault/entry/settings.ts'
import { createVault, type Vault } from '../../../src/vault/entry/vault.ts'
import { channelLogouts, type LogoutChannel } from '../../../src/vault/logouts.ts'
import { type Locks, pageLocks } from '../../../src/vault/shares/locks.ts'
import { memoryStore, type Store } from '../../../src/vault/shares/store.ts'
import { apiUrl, appId } from './backend.ts'

export const settings: VaultSettings = {
  appId,
  apiUrl,
  allowedOrigins: ['https://host.example', 'http://localhost:*'],
  googleDriveUrl: 'https://drive.example',
  cloudKitUrl: 'https://cloudkit.example',
  // Most suites ask as the clients of the wire's origin do; what a strict app refuses has a suite of its own.
  vault: 'compatible',
  appName: 'Test app',
  requireOwnRecovery: false,
  // What nobody can read is signed in most tests; that it needs a setting has tests of its own.
  rawSigning: true,
  delegates: [simple7702Account],
}

/**
 * A clock whose waits are a hundred times shorter; a time-out of a request stays a second, which a busy machine may need
 * for its answer.
 */
export const quickClock: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms >= limits.requestTimeout ? 1_000 : ms / 100, signal),
}

/** What the tabs of one browser share. */
export interface Device {
  readonly store: Store
  readonly locks: Locks
  /** By default, those that go with the store. */
  readonly keys?: KeyStore
  readonly channel?: () => LogoutChannel
  /** What the vault's pages in one tab share. */
  readonly tab?: Storage
}
export const createDevice = (): Device => ({ store: memoryStore(), locks: pageLocks() })

const keys = new WeakMap<Store, KeyStore>()
/** The device keys of the browser that has this storage. */
export function keysOf(store: Store): KeyStore {
  const known = keys.get(store) ?? memoryKeys()
  keys.set(store, known)
  return known
}

/** A BroadcastChannel for the tabs of one browser. */
export function createChannels(): () => LogoutChannel {
  const open = new Map<LogoutChannel, (event: { data: unknown }) => void>()
  return () => {
    const channel: LogoutChannel = {
      postMessage(data) {
        for (const [other, hear] of open) if (other !== channel) hear({ data })
      },
      addEventListener: (_, hear) => void open.set(channel, hear),
    }
    return channel
  }
}

/** What a vault on this device is made of. */
export const partsOf = (device: Device) => ({
  store: device.store,
  locks: device.locks,
  keys: device.keys ?? keysOf(device.store),
  logouts: channelLogouts(appId, device.channel ?? createChannels()),
  tabStorage: device.tab,
})

/** A vault in a tab of a device. */
export function openTab(
  backend: { fetch: Fetch },
  device: Device = createDevice(),
  clock = quickClock,
  more: Partial<VaultSettings> = {},
): Vault {
  return createVault({
    settings: { ...settings, ...more },
    fetch: backend.fetch,
    clock,
    ...partsOf(device),
  })
}

/** What an answer held, loosely typed: tests compare it with what they expect. */
export interface Outcome {
  readonly address?: string
  readonly publicKey?: string
  readonly entropyId?: string
  readonly recoveryMethod?: string
  readonly response?: { method: string; data: `0x${string}` }
  readonly error?: FrameFailure
}
export async function ask(vault: Vault, event: string, data: object): Promise<Outcome> {
  const answer = await vault.answer({ id: crypto.randomUUID(), event, data: { ...data } })
  return answer.error ? { error: answer.error } : (answer.data as Outcome)
}

/** The chain of an address. */
export const chainOf = (address: string): ChainType => (address.startsWith('0x') ? 'ethereum' : 'solana')

/** A person at a vault. Roots are named by one of their first addresses, of either chain. */
export function person(vault: Vault, accessToken: string) {
  const named = (entropyId: string) => ({
    accessToken,
    entropyId,
    entropyIdVerifier: verifiers[chainOf(entropyId)],
  })
  return {
    create: (data: object = {}) => ask(vault, frameEvents.createWallet, { accessToken, ...data }),
    createSolana: (data: object = {}) => ask(vault, frameEvents.createSolanaWallet, { accessToken, ...data }),
    createOn: (chainType: string, data: object = {}) =>
      ask(vault, frameEvents.createWallets, { accessToken, chainType, ...data }),
    add: (root: string, chainType: string, hdWalletIndex: number | string) =>
      ask(vault, frameEvents.addWallet, { ...named(root), chainType, hdWalletIndex }),
    importKey: (chainType: string, privateKey: string) =>
      ask(vault, frameEvents.importWallet, { accessToken, chainType, privateKey }),
    connect: (root: string) => ask(vault, frameEvents.connectWallet, named(root)),
    recover: (root: string, data: object = {}) =>
      ask(vault, frameEvents.recoverWallet, { ...named(root), ...data }),
    setRecovery: (root: string, data: object) =>
      ask(vault, frameEvents.setRecovery, { ...named(root), ...data }),
    /** `personal_sign`, by the root's own Ethereum wallet if nothing else is said. */
    sign: (address: string, message: string, more: object = {}) =>
      ask(vault, frameEvents.walletRpc, {
        ...named(address),
        chainType: 'ethereum',
        hdWalletIndex: 0,
        request: { method: 'personal_sign', params: [message, address] },
        ...more,
      }),
    rpc: (root: string, path: { chainType: string; hdWalletIndex: number | string }, request: object) =>
      ask(vault, frameEvents.walletRpc, { ...named(root), ...path, request }),
    removeDevice: (deviceId: string, present?: { root: string; presentPassword: string }) =>
      ask(vault, frameEvents.removeDevice, {
        accessToken,
        deviceId,
        ...(present && {
          present: { ...named(present.root), presentPassword: present.presentPassword },
        }),
      }),
    clear: (userId: string) => ask(vault, frameEvents.clearMfa, { userId }),
  }
}
