import { type Config, type HostConfig, resolveConfig } from '../app/config.ts'
import { KitError, toKitError } from '../errors/kit-error.ts'
import type { Emitter } from '../lib/emitter.ts'
import { singleFlight } from '../lib/single-flight.ts'
import { createStore, type Readable } from '../lib/store.ts'
import type { AppConfig } from '../protocol/app-config.ts'
import type { User } from '../protocol/user.ts'
import type { KitEvents, KitState, Look } from './api.ts'

/** What a kit knows about its app and the person who is logged in. */
export interface KitApp {
  readonly state: Readable<KitState>
  readonly look: Readable<Look>
  /** The settings that apply; `undefined` until the server has sent them. */
  config(): Config | undefined
  /** The same where they must be known. Throws a {@link KitError} `invalid_state` while they aren't. */
  known(): Config
  /** Fetches the settings and restores the session; done once, and tried again after a failure. */
  start(): Promise<void>
  /** Like {@link start}, but does nothing if everything is there. */
  whenReady(): Promise<void>
  configure(host: HostConfig): void
  /** Brings the state in line with the session now instead of at its next change. */
  update(): void
  /**
   * Runs a login, which tells of itself first: once {@link willLogin} was called, the event `user` waits for {@link toldLogin},
   * or for the end of a login that doesn't come so far.
   */
  loggingIn<T>(work: () => Promise<T>): Promise<T>
  /** Somebody is about to be logged in here; a login elsewhere tells of nothing, so its user is told at once. */
  willLogin(): void
  /** The login was told. */
  toldLogin(): void
  close(): void
}

export function createKitApp(cx: {
  host: HostConfig
  /** Who is logged in and has all that the app requires; only called once its configuration is known. */
  admitted: () => User | null
  /** Restores what an earlier page left, if anything. */
  restore: () => Promise<void>
  isOpen: Readable<boolean>
  events: Emitter<KitEvents>
  fetchConfig: () => Promise<AppConfig>
  report: (error: KitError) => void
}): KitApp {
  const { isOpen, events } = cx
  const state = createStore<KitState>({ ready: false, authenticated: false, user: null, isModalOpen: false })
  const look = createStore<Look>({ theme: 'auto', accent: undefined, appName: undefined })
  let host = cx.host
  let app: AppConfig | undefined
  let config: Config | undefined
  let restored = false
  /** Logins that are under way, whether one of them has its user, and that user as long as they are not told. */
  let logins = 0
  let isHeld = false
  let untold: User | undefined

  function tellUser(): void {
    const user = untold
    isHeld = false
    untold = undefined
    if (user) events.emit('user', { user })
  }

  function resolve(): void {
    if (!app) return
    config = resolveConfig(host, app)
    look.set({ theme: config.theme, accent: config.accent, appName: config.appName })
  }

  function update(): void {
    const before = state.get()
    const ready = config !== undefined && restored
    const isModalOpen = isOpen.get()
    const now = ready ? cx.admitted() : before.user
    const same = sameUser(before.user, now)
    const user = same ? before.user : now
    if (same && ready === before.ready && isModalOpen === before.isModalOpen) return
    state.set({ ready, authenticated: user !== null, user, isModalOpen })
    if (same) return
    if (user && isHeld) {
      untold = user
      return
    }
    tellUser()
    events.emit('user', { user })
    if (before.user && !user) events.emit('logout', undefined)
  }

  const start = singleFlight(async () => {
    if (!app) {
      app = await cx.fetchConfig()
      resolve()
    }
    if (restored) return
    await cx.restore().catch((cause: unknown) => cx.report(toKitError(cause)))
    restored = true
    update()
  })
  const stop = isOpen.subscribe(update)

  return {
    state,
    look,
    config: () => config,
    known() {
      if (!config) throw new KitError('invalid_state', 'The kit is not ready')
      return config
    },
    start,
    whenReady: async () => (state.get().ready ? undefined : start()),
    configure(next) {
      host = next
      resolve()
      update()
    },
    update,
    async loggingIn(work) {
      logins++
      try {
        return await work()
      } finally {
        logins--
        if (logins === 0) tellUser()
      }
    },
    willLogin() {
      isHeld = logins > 0
    },
    toldLogin: tellUser,
    close: stop,
  }
}

/** The same person with the same accounts; the objects may differ. */
const sameUser = (a: User | null, b: User | null) => a === b || JSON.stringify(a) === JSON.stringify(b)
