import type { ActivityEntry } from '../activity/entry.ts'
import { checkIdentity, type Identity } from '../app/identity.ts'
import type { Balance } from '../balances/balances.ts'
import type { CopyOverrides } from '../copy/copy.ts'
import { createRuns, type Runs } from '../dialog/runs.ts'
import type { Surface } from '../dialog/surface.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { createEmitter, type Emitter } from '../lib/emitter.ts'
import { type Page, pageOf } from '../lib/page.ts'
import type { Fetch } from '../lib/retrying-fetch.ts'
import { type Storage, webStorage } from '../lib/storage.ts'
import { createStore, type Store } from '../lib/store.ts'
import type { Returned } from '../protocol/returns.ts'
import type { MiniAppReturn } from '../protocol/telegram-return.ts'
import { createRecentLogin, type RecentLogin } from '../session/recent-login.ts'
import { createTabs, type Tabs } from '../session/tabs.ts'
import type { OpenApprovalFrame } from '../wallets/approval/service.ts'
import type { OpenFrame } from '../wallets/embedded/frame-port.ts'
import type { EarlyWallets } from '../wallets/embedded/provider/announcement.ts'
import type { ConnectedWallet, EmbeddedWallet, KitEvents, KitOptions, MfaState, SmartWallet } from './api.ts'
import { createReport, type Report } from './report.ts'

/** What a kit takes from the page; tests pass their own. */
interface Seams {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly storage: Storage
  /** What survives a redirect in this tab, and nothing else. */
  readonly tabStorage: Storage
  readonly tabs: Tabs
  readonly page: Page
  readonly openFrame?: OpenFrame
  /** Opens the vault's frame for an approval. */
  readonly openApproval?: OpenApprovalFrame
  /** The wallets that the page announced before there was a kit, from what an earlier page had stored. */
  readonly early?: EarlyWallets | undefined
  /** Reads what the page came back or was started with, if anything. Where that can't be loaded, it is called again. */
  readonly returned?: () => Promise<Returned | MiniAppReturn | undefined>
  /** Creates the place for dialogs if no element offers one. */
  readonly makeSurface: () => Surface
}

/** Whatever else is missing is the browser's own. */
export type KitSeams = Partial<Seams> & Pick<Seams, 'makeSurface'>

/** What a kit has before it has asked a server or restored a session. */
export interface KitBase extends Identity, Seams, Report {
  readonly clientId: string | undefined
  readonly events: Emitter<KitEvents>
  readonly runs: Runs
  readonly recent: RecentLogin
  readonly copy: Store<CopyOverrides>
  readonly wallets: Store<readonly ConnectedWallet[]>
  readonly embeddedWallets: Store<readonly EmbeddedWallet[]>
  readonly smartWallets: Store<readonly SmartWallet[]>
  readonly mfaState: Store<MfaState>
  readonly activity: Store<readonly ActivityEntry[]>
  readonly balances: Store<readonly Balance[]>
}

export function createKitBase(options: KitOptions, given: KitSeams): KitBase {
  const identity = checkIdentity(options)
  const { appId } = identity
  const events = createEmitter<KitEvents>()
  const seams: Seams = {
    fetch: (input, init) => globalThis.fetch(input, init),
    clock: systemClock,
    storage: webStorage(() => globalThis.localStorage),
    tabStorage: webStorage(() => globalThis.sessionStorage),
    tabs: given.tabs ?? createTabs(appId),
    page: pageOf(() => globalThis.window),
    ...given,
  }
  const { clock, makeSurface, page } = seams
  return {
    ...identity,
    clientId: options.clientId,
    ...seams,
    events,
    ...createReport(events),
    runs: createRuns({ clock, makeSurface, openWindow: page.openWindow }),
    recent: createRecentLogin(appId, seams.storage),
    copy: createStore<CopyOverrides>(options.copy ?? {}),
    wallets: createStore<readonly ConnectedWallet[]>([]),
    embeddedWallets: createStore<readonly EmbeddedWallet[]>([]),
    smartWallets: createStore<readonly SmartWallet[]>([]),
    activity: createStore<readonly ActivityEntry[]>([]),
    balances: createStore<readonly Balance[]>([]),
    mfaState: createStore<MfaState>({ status: 'idle' }),
  }
}
