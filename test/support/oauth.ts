// Loaded beforehand, so that no test waits for the loading of what the kit loads lazily.
import '../../src/login/cross-app/service.ts'
import '../../src/login/redirect/complete.ts'
import '../../src/login/oauth/service.ts'
import '../../src/login/cross-app/flow.ts'
import '../../src/login/oauth/flow.ts'
import type { Page } from '../../src/lib/page.ts'
import { memoryStorage, type Storage } from '../../src/lib/storage.ts'
import { appId, type Reply } from './api.ts'
import { settled } from './clock.ts'
import { type KitSetUp, kitWithPerson } from './kit.ts'
import { testPage } from './page.ts'

export const oauthPaths = {
  init: '/api/v1/oauth/init',
  authenticate: '/api/v1/oauth/authenticate',
  transfer: '/api/v1/oauth/transfer',
}
export const provider = 'https://provider.example/authorize'
export const googleAccount = {
  type: 'google_oauth',
  subject: 'g-1',
  email: 'ada@gmail.example',
  verified_at: 1,
}

/** An app whose accounts log people in here, what it is called, and somebody's account of it. */
export const otherApp = {
  id: 'latchkey-unit-other-app-1',
  account: {
    type: 'cross_app',
    subject: 's',
    provider_app_id: 'latchkey-unit-other-app-1',
    embedded_wallets: [],
    smart_wallets: [],
  },
  paths: {
    connections: `/api/v1/apps/${appId}/cross-app/connections`,
    details: '/api/v1/apps/latchkey-unit-other-app-1/cross-app/details',
  },
}
export const otherAppRoutes = {
  [otherApp.paths.connections]: {
    body: {
      connections: [
        {
          provider_app_id: otherApp.id,
          provider_app_name: 'Harbor',
          provider_app_icon_url: null,
          provider_app_custom_api_url: null,
          read_only: false,
        },
      ],
    },
  },
  [otherApp.paths.details]: { body: { name: 'Harbor', icon_url: null } },
  [oauthPaths.init]: { body: { url: provider } },
}

/** A tab whose storage outlives its pages. */
export const tabStorage = (): Storage => ({ ...memoryStorage(), persistent: true })

/** A window that a click has opened, as the page that opened it sees it. */
export function testWindow() {
  const window = {
    name: '',
    closed: false,
    went: undefined as string | undefined,
    location: { replace: (url: string) => (window.went = url) },
    focus() {},
    close() {
      window.closed = true
    },
  }
  return window
}

/** The window that posts a message, and its origin. */
export interface Sender {
  source?: unknown
  origin?: string
}

/** A page whose windows a test opens, and whose messages from them and the browser a test sends. */
export function pageWithWindows({
  blocked = () => false,
  ...over
}: { blocked?: () => boolean } & Partial<Page> = {}) {
  const opened: ReturnType<typeof testWindow>[] = []
  const met = new Set<unknown>()
  const target = Object.assign(new EventTarget(), { BroadcastChannel, crossOriginIsolated: false })
  const page = testPage({
    window: target as unknown as Window,
    openWindow() {
      if (blocked()) return null
      opened.push(testWindow())
      return opened.at(-1) as unknown as Window
    },
    ...over,
  })
  return {
    page,
    opened,
    /** The latest window, once it was sent to its address and as long as it is open. Each window is given once. */
    sent() {
      const window = opened.at(-1)
      if (!window?.went || window.closed || met.has(window)) return undefined
      met.add(window)
      return window
    },
    /** Posts a message, by default from the latest window and our own origin. */
    say(data: unknown, { source = opened.at(-1), origin = page.origin }: Sender = {}) {
      target.dispatchEvent(Object.assign(new Event('message'), { data, source, origin }))
    },
    pageShown(persisted: boolean) {
      target.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
    },
  }
}

/** The host's wish for windows. */
export const popup = { options: { config: { oauth: { returnBy: 'popup' as const } } } }

/** What a provider's screen says of a failure. */
export const words = (screen: { failure?: { title: string; detail: string; retryable: boolean } }) =>
  screen.failure

/** What a window says when the provider has sent it back. */
export const response = (stateCode: unknown, authorizationCode = 'c0de') => ({
  type: 'PRIVY_OAUTH_RESPONSE',
  stateCode,
  authorizationCode,
})

/** A kit of an app with social logins, on a page with windows. */
export async function kitWithProviders({
  routes,
  windows = pageWithWindows(),
  ...setUp
}: KitSetUp & { windows?: ReturnType<typeof pageWithWindows> } = {}) {
  const made = await kitWithPerson({
    app: { google_oauth: true, github_oauth: true, spotify_oauth: true },
    tabStorage: tabStorage(),
    accounts: [googleAccount],
    ...setUp,
    page: windows.page,
    routes: {
      [oauthPaths.init]: { body: { url: provider } },
      ...(await authenticates(setUp)),
      ...routes,
    },
  })
  /** The call that began a login, once it was made; the latest by default. */
  const begun = async (at = -1) => {
    await until(() => made.api.to(oauthPaths.init).at(at))
    return made.api.to(oauthPaths.init).at(at)?.body as Record<string, string>
  }
  /** Lets everything run until the provider's screen says that. */
  const shows = (phase: string) =>
    until(() => (made.person.scene?.props as { phase?: string } | undefined)?.phase === phase)
  return { ...made, ...windows, begun, shows }
}

async function authenticates({ accounts = [googleAccount] }: KitSetUp): Promise<Record<string, Reply>> {
  const { sessionBody, wireUser } = await import('./api.ts')
  const { testClock } = await import('./clock.ts')
  const user = wireUser('did:privy:u1', { linked_accounts: accounts })
  return { [oauthPaths.authenticate]: { body: await sessionBody(testClock(), { user, is_new_user: true }) } }
}

/** Lets everything run until something is there. */
export async function until<T>(look: () => T): Promise<NonNullable<T>> {
  for (let tries = 0; tries < 2_000; tries++) {
    const found = look()
    if (found) return found
    // Hashing runs on a thread of its own, which no turn of the loop waits for.
    await new Promise((resolve) => setTimeout(resolve, 1))
    await settled()
  }
  throw new Error(`It never came: ${look}`)
}
