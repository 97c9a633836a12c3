import type { Config } from '../../../config.ts'
import { walletConnectProjectOf } from '../../../wire/app-extras.ts'

export interface WalletConnectSettings {
  /** The id that the vendor gave to the app. */
  readonly projectId: string
  /** Where the relay is; the vendor's own without it. */
  readonly relayUrl: string | undefined
}

/** `undefined` where the host doesn't want WalletConnect, or the app has no id for it. */
export function walletConnectSettings({ host, app }: Config): WalletConnectSettings | undefined {
  const { enabled, relayUrl } = host.externalWallets?.walletConnect ?? {}
  const projectId = host.walletConnectCloudProjectId ?? walletConnectProjectOf(app)
  return projectId && enabled !== false ? { projectId, relayUrl } : undefined
}
