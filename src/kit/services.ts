import type { AccountService } from '../account/service.ts'
import { lazily } from '../errors/lazily.ts'
import type { LoginServices } from '../login/context.ts'
import type { Purpose } from '../login/purpose.ts'
import type { AuthContext } from '../login/service-context.ts'
import type { Auth } from '../login/services.ts'
import { leftLogins, sessionKey } from '../session/keys.ts'
import { createSession } from '../session/session.ts'
import type { Tabs } from '../session/tabs.ts'
import { createTokens } from '../session/tokens.ts'
import type { EmbeddedWallets } from '../wallets/embedded/embedded-wallets.ts'
import type { OpenFrame } from '../wallets/embedded/frame-port.ts'
import type { ExternalWallets } from '../wallets/external/connector.ts'
import { createLoginServices, loginMethods, serviceFeatures } from './service-features.ts'

/** What a kit does for a person: loaded once there is one, or somebody is about to log in. */
export interface Services extends LoginServices {
  /** What proves accounts for another purpose than a login. */
  authFor(purpose: Purpose): Auth
  /** What changes the accounts that a person has. */
  accounts(): Promise<AccountService>
  close(): void
}

export interface ServicesOptions extends Omit<AuthContext, 'session' | 'purpose'> {
  clientId: string | undefined
  vaultUrl: string
  tabs: Tabs
  openFrame?: OpenFrame | undefined
  /** Called once with the external wallets, when they are there. */
  onExternal(wallets: ExternalWallets): void
  /** The client's analytics id. */
  analyticsId(): string
}

export function createServices(cx: ServicesOptions): Services {
  const { appId, storage, tabStorage, clock, tabs, http } = cx
  const session = createSession({
    ...{ tokens: createTokens({ appId, storage, clock }), tabs, http },
    onLogout() {
      for (const name of leftLogins) tabStorage.remove(sessionKey(appId, name))
    },
  })
  let own: EmbeddedWallets | undefined
  let outside: ExternalWallets | undefined
  let closed = false
  const embedded = lazily(async () => {
    const { openVault } = await serviceFeatures.vault()
    const opened = openVault({ ...cx, session })
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
      ...{ ...cx, session },
      loadVault: async () => (await embedded()).prepare(),
    }),
  )
  const devices = lazily(async () => (await serviceFeatures.devices()).createDevices(cx))
  const accounts = lazily(async () => (await serviceFeatures.accounts()).createAccounts({ ...cx, session }))
  const external = lazily(async () => {
    const { createExternalWallets } = await serviceFeatures.wallets()
    const wallets = createExternalWallets(cx)
    outside = wallets
    if (closed) wallets.close()
    cx.onExternal(wallets)
    return wallets
  })
  const authFor = (purpose: Purpose): Auth =>
    createLoginServices({
      ...{ ...cx, session, purpose },
      // The method used last is the one that somebody has logged in with.
      ...(purpose.kind !== 'login' && { onLogin() {} }),
    })
  const login = { kind: 'login' } as const
  const linking = authFor({ kind: 'link' })
  return {
    session,
    purpose: login,
    auth: authFor(login),
    authFor: (purpose) => (purpose.kind === 'link' ? linking : authFor(purpose)),
    methods: loginMethods,
    accounts,
    wallets: { embedded, drives, exporting, approving, devices, external },
    forget: (userId) => own?.forget(userId),
    close() {
      closed = true
      session.close()
      own?.close()
      outside?.close()
    },
  }
}
