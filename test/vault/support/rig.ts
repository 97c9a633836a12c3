import { type Clock, systemClock } from '../../../src/core/clock.ts'
import type { Fetch } from '../../../src/core/retrying-fetch.ts'
import { type Locks, pageLocks } from '../../../src/vault/locks.ts'
import { memoryStore, type Store } from '../../../src/vault/store.ts'
import { createVault, type Vault } from '../../../src/vault/vault.ts'
import { verifiers, frameEvents } from '../../../src/wire/frame/calls.ts'
import { type FrameFailure } from '../../../src/wire/frame/messages.ts'
import { apiUrl, appId } from './backend.ts'

export const settings = { appId, apiUrl, allowedOrigins: ['https://host.example', 'http://localhost:*'] }

/** A clock whose waits are a hundred times shorter. */
export const quickClock: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms / 100, signal),
}

/** What the tabs of one browser share. */
export interface Device {
  readonly store: Store
  readonly locks: Locks
}
export const createDevice = (): Device => ({ store: memoryStore(), locks: pageLocks() })

/** A vault in a tab of a device. */
export function openTab(
  backend: { fetch: Fetch },
  device: Device = createDevice(),
  clock = quickClock,
): Vault {
  return createVault({ settings, fetch: backend.fetch, clock, store: device.store, locks: device.locks })
}

/** What an answer held, loosely typed: tests compare it with what they expect. */
export interface Outcome {
  readonly address?: string
  readonly entropyId?: string
  readonly response?: { method: string; data: `0x${string}` }
  readonly error?: FrameFailure
}
export async function ask(vault: Vault, event: string, data: object): Promise<Outcome> {
  const answer = await vault.answer({ id: crypto.randomUUID(), event, data: { ...data } })
  return answer.error ? { error: answer.error } : (answer.data as Outcome)
}

/** A person at a vault. */
export function person(vault: Vault, accessToken: string) {
  const wallet = (entropyId: string) => ({ accessToken, entropyId, entropyIdVerifier: verifiers.ethereum })
  return {
    create: (data: object = {}) => ask(vault, frameEvents.createWallet, { accessToken, ...data }),
    connect: (address: string) => ask(vault, frameEvents.connectWallet, wallet(address)),
    recover: (address: string) => ask(vault, frameEvents.recoverWallet, wallet(address)),
    sign: (address: string, message: string, more: object = {}) =>
      ask(vault, frameEvents.walletRpc, {
        ...wallet(address),
        chainType: 'ethereum',
        hdWalletIndex: 0,
        request: { method: 'personal_sign', params: [message, address] },
        ...more,
      }),
    clear: (userId: string) => ask(vault, frameEvents.clearMfa, { userId }),
  }
}
