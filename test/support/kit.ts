import type { KitError } from '../../src/errors/kit-error.ts'
import { memoryStorage, type Storage } from '../../src/lib/storage.ts'
// Loaded beforehand, so that no test waits for the loading of what the kit loads lazily.
import '../../src/login/flow.ts'
import '../../src/login/after-landing.ts'
import '../../src/login/code/flow.ts'
import '../../src/login/code/email-service.ts'
import '../../src/login/redirect/complete.ts'
import '../../src/kit/host/headless-calls.ts'
import '../../src/kit/host/calls.ts'
import '../../src/kit/resume/resume.ts'
import '../../src/kit/services/services.ts'
import '../../src/kit/session/session-changed.ts'
import '../../src/kit/session/follow-session.ts'
import '../../src/kit/host/signing.ts'
import '../../src/kit/wallets/embedded.ts'
import '../../src/kit/wallets/sending.ts'
import '../../src/kit/host/embedded-methods.ts'
import '../../src/wallets/recovery/drives/drive-access.ts'
import '../../src/wallets/embedded/open-vault.ts'
import { createKit, type KitOptions } from '../../src/kit/kit.ts'
import type { Returned } from '../../src/protocol/returns.ts'
import type { MiniAppReturn } from '../../src/protocol/telegram-return.ts'
import type { Tabs } from '../../src/session/tabs.ts'
import type { OpenApprovalFrame } from '../../src/wallets/approval/service.ts'
import { appConfig, appId, type Call, fakeApi, makeToken, type Reply, sessionBody, wireUser } from './api.ts'
import { type TestClock, testClock } from './clock.ts'
import { testPage } from './page.ts'
import { scriptedPerson } from './person.ts'
import { browserTabs } from './tabs.ts'
import { fakeVault } from './vault.ts'

export const walletAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
export const embeddedWallet = {
  type: 'wallet',
  address: walletAddress,
  chain_type: 'ethereum',
  wallet_client: 'privy',
  wallet_client_type: 'privy',
  connector_type: 'embedded',
  wallet_index: 0,
  recovery_method: 'privy',
  verified_at: 1_700_000_100,
}
export const paths = {
  config: `/api/v1/apps/${appId}`,
  init: '/api/v1/passwordless/init',
  authenticate: '/api/v1/passwordless/authenticate',
  me: '/api/v1/users/me',
  terms: '/api/v1/users/me/accept_terms',
  logout: '/api/v1/sessions/logout',
  analytics: '/api/v1/analytics_events',
}

export interface KitSetUp {
  app?: object
  routes?: Record<string, Reply | Reply[] | ((call: Call) => Reply)>
  options?: Partial<KitOptions>
  vault?: ReturnType<typeof fakeVault>
  /** Sees each call to the server first; where it gives nothing, the routes answer. */
  intercept?: (call: Call) => Reply | undefined
  /** The accounts that the server knows of the person, after the login as well. */
  accounts?: object[]
  page?: ReturnType<typeof testPage>
  /** The browser's storage and the tab's, for a page that is loaded again. */
  storage?: Storage
  tabStorage?: Storage
  /** What the address bar brought to the page. */
  returned?: Returned | MiniAppReturn | undefined
  /** What reads that, for a page on which it can't be loaded. */
  readReturned?: (() => Promise<Returned | MiniAppReturn | undefined>) | undefined
  /** The page's time, for one that is loaded again later. */
  clock?: TestClock
  /** Another tab of a browser; one of its own by default. */
  tabs?: Tabs
  /** The vault's frames for approvals; none by default. */
  openApproval?: OpenApprovalFrame
}

/** A kit with a scripted person in front of it, and a scripted server, vault and clock. */
export async function kitWithPerson({
  app,
  routes,
  options,
  vault = fakeVault(),
  accounts,
  intercept,
  page = testPage(),
  storage = memoryStorage(),
  tabStorage = memoryStorage(),
  returned,
  readReturned = returned && (async () => returned),
  clock = testClock(),
  tabs = browserTabs().open(),
  openApproval,
}: KitSetUp = {}) {
  const user = wireUser('did:privy:u1', accounts && { linked_accounts: accounts })
  const defaults = {
    [paths.config]: { body: { ...appConfig, ...app } },
    [paths.init]: { body: { success: true } },
    [paths.authenticate]: { body: await sessionBody(clock, { user, is_new_user: true }) },
    [paths.me]: { body: { user, identity_token: await makeToken(clock) } },
    [paths.logout]: { body: {} },
    [paths.analytics]: { body: null },
  }
  const api = fakeApi(clock, { ...defaults, ...routes }, intercept)
  const person = scriptedPerson(clock)
  const kit = createKit(
    { appId, apiUrl: 'https://api.example', ...options },
    {
      fetch: api.fetch,
      clock,
      storage,
      tabs,
      openFrame: vault.open,
      makeSurface: () => person.surface,
      page,
      tabStorage,
      ...(openApproval && { openApproval }),
      ...(readReturned && { returned: readReturned }),
    },
  )
  kit.attach(person.surface)
  const errors: KitError[] = []
  kit.on('error', (error) => errors.push(error))
  return { clock, api, person, kit, errors, storage, tabStorage, vault, page }
}

/** Lets time pass until something is over that waits for what is silent. */
export async function passUntil<T>(clock: TestClock, work: Promise<T>): Promise<T> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  while (!isOver) {
    await clock.advance(1_000)
    // Keys are made in threads of the platform, which no test's clock moves.
    await new Promise((resolve) => setTimeout(resolve))
  }
  return work
}
