import type { AccountService } from '../../account/service.ts'
import type { UserSessions } from '../../account/sessions/service.ts'
import type { FlowContext } from '../../app/flow-context.ts'
import type { Runs } from '../../dialog/runs.ts'
import type { Stage } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { lazily } from '../../errors/lazily.ts'
import type { Emitter } from '../../lib/emitter.ts'
import type { Store } from '../../lib/store.ts'
import type { LoginServices } from '../../login/context.ts'
import type { Purpose } from '../../login/purpose.ts'
import type { AuthContext } from '../../login/service-context.ts'
import type { Auth } from '../../login/services.ts'
import { approvingHttp } from '../../protocol/account-changes.ts'
import type { Http } from '../../protocol/http.ts'
import type { User } from '../../protocol/user.ts'
import { leftLogins, sessionKey } from '../../session/keys.ts'
import { createSession } from '../../session/session.ts'
import { shareTokens } from '../../session/shared-tokens.ts'
import type { Tabs } from '../../session/tabs.ts'
import { createTokens } from '../../session/tokens.ts'
import type { OpenApprovalFrame } from '../../wallets/approval/service.ts'
import { wantedWallets } from '../../wallets/embedded/create/wanted.ts'
import type { EmbeddedWallets } from '../../wallets/embedded/embedded-wallets.ts'
import type { OpenFrame } from '../../wallets/embedded/frame-port.ts'
import type { Verifying } from '../../wallets/embedded/verifying.ts'
import type { ExternalWallets } from '../../wallets/external/connector.ts'
import type { WalletServices } from '../../wallets/services.ts'
import type { KitEvents, MfaState } from '../api.ts'
import type { KitApp } from '../app.ts'
import { createLoginServices, loginMethods, serviceFeatures } from './features.ts'
import type { SecondFactors } from './second-factors.ts'

/** What a kit does for a person: loaded once there is one, or somebody is about to log in. */
export interface Services extends LoginServices {
  /** What proves accounts for another purpose than a login. */
  authFor(purpose: Purpose): Auth
  /** What changes the accounts that a person has. */
  accounts(): Promise<AccountService>
  readonly http: () => Http
  /**
   * The person, if the page may have them: once they have accepted the terms that the app requires and, while a dialog logs them
   * in, have the wallets that it creates. `null` otherwise. Only to be called when the app is ready.
   */
  admitted(user: User | null): User | null
  /** A token that the page may use; `null` where nobody is logged in, or their login is not finished. */
  accessToken(app: Pick<KitApp, 'start' | 'config'>): Promise<string | null>
  /** Who the person is, as a token for the page's own server; `null` where nobody is logged in. */
  identityToken(app: Pick<KitApp, 'whenReady' | 'state'>): Promise<string | null>
  /** Logs the person out, and forgets what is kept for them here. */
  logout(): Promise<void>
  /** What has a person verified; loaded when that is first needed. */
  readonly secondFactors: () => Promise<SecondFactors>
  /** Where the person is logged in. */
  sessions(): Promise<UserSessions>
  /** Whether a change is being approved: the server may make it before this page has its answer. */
  isApproving(): boolean
  close(): void
}

export interface ServicesOptions extends Omit<AuthContext, 'session' | 'purpose'> {
  clientId: string | undefined
  vaultUrl: string
  tabs: Tabs
  openFrame?: OpenFrame | undefined
  openApproval?: OpenApprovalFrame | undefined
  /** Called before anybody sees who has logged in here. */
  willLogin(): void
  /** Called once with the external wallets, when they are there. */
  onExternal(wallets: ExternalWallets): void
  /** The client's analytics id. */
  analyticsId(): string
  runs: Runs
  events: Emitter<KitEvents>
  mfaState: Store<MfaState>
  flow(stage: Stage): FlowContext
}

export function createServices(given: ServicesOptions): Services {
  const approvals = lazily(async () =>
    (await serviceFeatures.accountChanges()).createApprovals({ ...given, wallets: () => wallets }),
  )
  let changesInApproval = 0
  async function whileApproving<T>(work: () => Promise<T>): Promise<T> {
    changesInApproval++
    try {
      return await work()
    } finally {
      changesInApproval--
    }
  }
  // The kit's own is there only once the kit is.
  let approved: Http | undefined
  const http = () => {
    approved ??= approvingHttp(given.http(), approvals, whileApproving)
    return approved
  }
  const cx: ServicesOptions = { ...given, http }
  const { appId, storage, tabStorage, clock, tabs } = cx
  /** Names the person whose login isn't finished yet, in any tab, or wasn't when its page was left. */
  const unfinishedKey = sessionKey(appId, 'unfinished')
  let loggingIn = 0
  const session = createSession({
    tokens: createTokens({ appId, storage, clock }),
    shared: shareTokens(appId),
    tabs,
    http,
    clock,
    onLogin(user) {
      cx.willLogin()
      // A guest who gets a login of their own is in already.
      if (loggingIn > 0 && session.user.get()?.id !== user.id) storage.set(unfinishedKey, user.id)
    },
    onLogout() {
      for (const name of leftLogins) tabStorage.remove(sessionKey(appId, name))
      storage.remove(sessionKey(appId, 'purchases'))
    },
  })
  let own: EmbeddedWallets | undefined
  let outside: ExternalWallets | undefined
  let closed = false
  const isStrict = () => cx.config().vault === 'strict'
  const secondFactors = lazily(async () =>
    (await serviceFeatures.secondFactors()).createSecondFactors({
      ...cx,
      isStrict,
      origin: cx.page.origin,
      state: cx.mfaState,
      hostPrompts: () => cx.config().host.mfa?.noPromptOnMfaRequired ?? false,
      wallets: () => wallets,
      passkeys: () => auth.passkey(),
      linkPasskey: async (signal) => {
        await (await inVault.passkey()).signup({}, { signal, fromDialog: true })
      },
    }),
  )
  const verifying: Verifying = {
    verified: async (...request) => (await secondFactors()).verified(...request),
  }
  const embedded = lazily(async () => {
    const { openVault } = await serviceFeatures.vault()
    const opened = openVault({ ...cx, session, verifying })
    own = opened
    if (closed) opened.close()
    return opened
  })
  const drives = lazily(async () => (await serviceFeatures.driveAccess()).createDriveAccess(cx))
  const exporting = lazily(async () =>
    (await serviceFeatures.keyExport()).createExporting({ ...cx, session }),
  )
  const approving = lazily(async () =>
    (await serviceFeatures.approving()).createApproving({
      ...cx,
      session,
      loadVault: async () => (await embedded()).prepare(),
      mfa: {
        passkey: async (...request) => (await secondFactors()).passkey(...request),
        verifying: (on) =>
          cx.runs.closingMeans(on ? new KitError('mfa_canceled', 'MFA canceled') : undefined),
        ended: cx.runs.refuse,
      },
    }),
  )
  const devices = lazily(async () => (await serviceFeatures.devices()).createDevices(cx))
  const accounts = lazily(async () => (await serviceFeatures.accounts()).createAccounts({ ...cx, session }))
  const sessions = lazily(async () => (await serviceFeatures.sessions()).createUserSessions(cx))
  const external = lazily(async () => {
    const { createExternalWallets } = await serviceFeatures.wallets()
    const found = createExternalWallets({ ...cx, serverNow: session.serverNow })
    outside = found
    if (closed) found.close()
    cx.onExternal(found)
    return found
  })
  const authFor = (purpose: Purpose, server = http): Auth =>
    createLoginServices({
      ...cx,
      http: server,
      session,
      purpose,
      // The method used last is the one that somebody has logged in with.
      ...(purpose.kind !== 'login' && { onLogin() {} }),
    })
  const login = { kind: 'login' } as const
  const linking = authFor({ kind: 'link' })
  /** For what the vault's own pages ask of this one: they have the change approved themselves. */
  const inVault = authFor({ kind: 'link' }, given.http)
  const auth = authFor(login)
  const wallets: WalletServices = { embedded, drives, exporting, approving, devices, external }
  function admitted(user: User | null): User | null {
    const config = cx.config()
    if (!user || (config.requireTerms && !user.hasAcceptedTerms)) return null
    const isUnfinished = storage.get(unfinishedKey) === user.id
    return isUnfinished && wantedWallets(config, user).length > 0 ? null : user
  }
  const forget = (userId: string) => own?.forget(userId)
  return {
    session,
    auth,
    wallets,
    secondFactors,
    http,
    purpose: login,
    authFor: (purpose) => (purpose.kind === 'link' ? linking : authFor(purpose)),
    methods: loginMethods,
    accounts,
    sessions,
    admitted,
    async accessToken(app) {
      await app.start().catch(() => {})
      const known = session.user.get()
      if (known && app.config() && !admitted(known)) return null
      return (await session.accessToken()) ?? null
    },
    async identityToken({ whenReady, state }) {
      await whenReady()
      return state.get().user ? (session.identityToken() ?? null) : null
    },
    async logout() {
      const left = session.user.get()
      await session.logout()
      if (left) forget(left.id)
    },
    async loggingIn(work) {
      loggingIn++
      try {
        return await work()
      } finally {
        loggingIn--
      }
    },
    finished() {
      storage.remove(unfinishedKey)
      const user = session.user.get()
      // The wallets are created in the background, and the other tabs have not let the person in yet.
      if (user && wantedWallets(cx.config(), user).length > 0) tabs.broadcast('user')
    },
    isApproving: () => changesInApproval > 0,
    forget,
    close() {
      closed = true
      session.close()
      own?.close()
      outside?.close()
    },
  }
}
