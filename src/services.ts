import { type Auth, createAuth } from './auth/auth.ts'
import type { AuthContext } from './auth/context.ts'
import { lazily } from './errors/lazily.ts'
import { createSession, type Session } from './session/session.ts'
import type { Tabs } from './session/tabs.ts'
import { createTokens } from './session/tokens.ts'
import type { DriveAccess } from './wallets/embedded/drive-access.ts'
import type { EmbeddedWallets } from './wallets/embedded/embedded-wallets.ts'
import type { Exporting } from './wallets/embedded/exporting.ts'
import type { OpenFrame } from './wallets/embedded/frame-port.ts'
import type { ExternalWallets } from './wallets/external/connector.ts'

/** What a kit does for a person: loaded once there is one, or somebody on the way to become one. */
export interface Services {
  readonly session: Session
  readonly auth: Auth
  readonly wallets: {
    /** Those in the vault: loaded with their first use. */
    readonly embedded: () => Promise<EmbeddedWallets>
    /** Access to a person's own drive, for its way of recovery. */
    readonly drives: () => Promise<DriveAccess>
    /** Shows the keys of those in the vault. */
    readonly exporting: () => Promise<Exporting>
    /** Those outside: loaded when somebody asks for them. */
    readonly external: () => Promise<ExternalWallets>
  }
  /** Lets the vault forget what it keeps for a person, if it is there; at logout. */
  forget(userId: string): void
  close(): void
}

export interface ServicesOptions extends Omit<AuthContext, 'session'> {
  clientId: string | undefined
  vaultUrl: string
  tabs: Tabs
  openFrame?: OpenFrame | undefined
  /** Told once of the wallets outside, when they are there. */
  onExternal(wallets: ExternalWallets): void
  /** The client's analytics id. */
  analyticsId(): string
}

export function createServices(cx: ServicesOptions): Services {
  const { appId, storage, clock, tabs, http } = cx
  const session = createSession({ tokens: createTokens({ appId, storage, clock }), tabs, http })
  let own: EmbeddedWallets | undefined
  let outside: ExternalWallets | undefined
  let closed = false
  const embedded = lazily(async () => {
    const { openVault } = await import('./wallets/embedded/open-vault.ts')
    const made = openVault({ ...cx, session })
    own = made
    if (closed) made.close()
    return made
  })
  const drives = lazily(async () =>
    (await import('./wallets/embedded/drive-access.ts')).createDriveAccess(cx),
  )
  const exporting = lazily(async () =>
    (await import('./wallets/embedded/exporting.ts')).createExporting({ ...cx, session }),
  )
  const external = lazily(async () => {
    const { createExternalWallets } = await import('./wallets/external/external.ts')
    const made = createExternalWallets(cx)
    outside = made
    if (closed) made.close()
    cx.onExternal(made)
    return made
  })
  return {
    session,
    auth: createAuth({ ...cx, session }),
    wallets: { embedded, drives, exporting, external },
    forget: (userId) => own?.forget(userId),
    close() {
      closed = true
      session.close()
      own?.close()
      outside?.close()
    },
  }
}
