import type { Config } from '../../../app/config.ts'

export interface WalletConnectSettings {
  /** The project id that WalletConnect gave to the app. */
  readonly projectId: string
  /** Where the relay is; the vendor's own by default. */
  readonly relayUrl: string | undefined
}

/** `undefined` if the host doesn't want WalletConnect, or the app has no project id. */
export function walletConnectSettings({ host, app }: Config): WalletConnectSettings | undefined {
  const { enabled, relayUrl } = host.externalWallets?.walletConnect ?? {}
  const projectId = host.walletConnectCloudProjectId ?? app.walletConnectProjectId
  return projectId && enabled !== false ? { projectId, relayUrl } : undefined
}
