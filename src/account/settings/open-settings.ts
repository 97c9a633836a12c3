import type { FlowContext } from '../../app/flow-context.ts'
import { Closed } from '../../dialog/stage.ts'
import type { Readable } from '../../lib/store.ts'
import type { Named } from '../../login/landing/flow.ts'
import type { ConnectedApp } from '../../protocol/connected-apps.ts'
import type { Device } from '../../protocol/devices.ts'
import type { Permission } from '../../protocol/grants.ts'
import type { LinkedAccount } from '../../protocol/user.ts'
import type { UserSession } from '../../protocol/user-sessions.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { PasskeyCalls } from '../passkeys/flow.ts'
import type { LoadedItems } from './loaded-lists.ts'

/**
 * What the settings have done. The flows among them run on this stage, show what they fail with, and throw {@link Closed} if the
 * person turns back; the others throw what their service throws.
 */
export interface SettingsCalls extends PasskeyCalls {
  link(method: string): Promise<unknown>
  /** How other apps call themselves, by login method; those that can't be asked are missing. */
  appNames?(methods: readonly string[]): Promise<AppNames>
  update(via: 'email' | 'sms'): Promise<unknown>
  /** Unlinks an account; where it is the last login, the person is asked first. */
  unlink(account: LinkedAccount): Promise<unknown>
  embeddedWallets(): readonly EmbeddedAccount[]
  changeRecovery(wallet: EmbeddedAccount): Promise<unknown>
  exportWallet(wallet: EmbeddedAccount): Promise<unknown>
  /** Lists permissions of the app's servers, with their uses. */
  listPermissions(signal: AbortSignal): Promise<readonly Permission[]>
  stopPermission(id: string, signal: AbortSignal): Promise<void>
  /** Ends all of them once the user has confirmed it. */
  revokeAll(): Promise<unknown>
  /** Lists other apps that the user has let in. */
  listConnectedApps(signal: AbortSignal): Promise<readonly ConnectedApp[]>
  disconnectApp(id: string, signal: AbortSignal): Promise<void>
  /** Displays what the user's wallets sent. */
  showActivity(): Promise<unknown>
  listSessions(signal: AbortSignal): Promise<readonly UserSession[]>
  endSession(id: string, signal: AbortSignal): Promise<void>
  endOtherSessions(signal: AbortSignal): Promise<void>
  listDevices(signal: AbortSignal): Promise<readonly Device[]>
  /** Takes a device off the wallets; in a strict app the vault's window asks the person. */
  removeDevice(id: string): Promise<void>
  /** How many new devices wait for approval. */
  countRequests(signal: AbortSignal): Promise<number>
  /** Has the user decide about one of them in the vault's window. */
  approveDevice(): Promise<unknown>
  /** The kinds of proof with which the user could confirm a new device. */
  listProofs(signal: AbortSignal): Promise<readonly string[]>
  /** Offers a proof to a user who has none. */
  addProof(): Promise<unknown>
  /** Shows the vault's own passkeys in its window. */
  manageVaultPasskeys(): Promise<unknown>
  /** Called when the user comes back to this page; returns the function that stops it. */
  onReturn(listener: () => void): () => void
  /** Whether the app is a strict one: in a compatible one devices are enrolled as the page asks. */
  readonly strict: boolean
  /** Whether the app offers second factors; who has some is shown them in any case, because they are asked for them. */
  readonly offersFactors: boolean
  /** Lets the person add and remove second factors. */
  manageFactors(): Promise<unknown>
}

export type AppNames = Readonly<Record<string, Named>>

/** What the settings work on while they are open. */
export interface OpenSettings {
  readonly cx: FlowContext
  readonly calls: SettingsCalls
  /** The other apps whose names have arrived. */
  readonly apps: Readable<AppNames>
  readonly sessions: LoadedItems<UserSession>
  readonly devices: LoadedItems<Device>
  /** One item for each new device that waits. */
  readonly requests: LoadedItems<number>
  readonly proofs: LoadedItems<string>
  readonly permissions: LoadedItems<Permission>
  readonly connectedApps: LoadedItems<ConnectedApp>
}

/** What names accounts on the screen. */
export const wordsOf = ({ cx, apps }: OpenSettings) => ({ ...cx, apps: apps.get() })
