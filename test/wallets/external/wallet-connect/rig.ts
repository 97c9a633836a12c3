/** A page with a connector, a relay, and what went out to the network besides. */
import { vi } from 'vitest'
import { type Relay, startRelay } from '../../../../demo/world/relay/relay.ts'
import { type HostConfig, resolveConfig } from '../../../../src/app/config.ts'
import { type Clock, systemClock } from '../../../../src/lib/clock.ts'
import type { Page } from '../../../../src/lib/page.ts'
import { memoryStorage, type Storage } from '../../../../src/lib/storage.ts'
import type { AppConfig } from '../../../../src/protocol/app-config.ts'
import type { ConnectorContext } from '../../../../src/wallets/external/connector.ts'
import { freePort } from '../../../support/free-port.ts'

const chain = (id: number) => ({
  id,
  name: `Chain ${id}`,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [`http://127.0.0.1:1/${id}`] } },
})

export interface RigSettings {
  readonly relayUrl: string
  readonly storage?: Storage
  readonly host?: HostConfig
  readonly userAgent?: string
  readonly clock?: Clock
}

/** A kit's context as connectors see it; `appId` tells two kits of one test apart. */
export function connectorContext({
  relayUrl,
  storage = memoryStorage(),
  host = {},
  userAgent = 'desktop',
  clock = systemClock,
}: RigSettings) {
  const app = {
    id: 'app',
    name: 'Demo',
    walletConnectProjectId: '0'.repeat(32),
    loginMethods: new Set<string>(),
  } as unknown as AppConfig
  const config = resolveConfig(
    {
      supportedChains: [chain(1), chain(8453)],
      externalWallets: { walletConnect: { relayUrl } },
      ...host,
    },
    app,
  )
  const page = { origin: 'https://shop.example', userAgent } as Page
  const appId = `app${crypto.randomUUID()}`
  return {
    appId,
    app: () => app,
    config: () => config,
    page,
    clock,
    serverNow: clock.now,
    storage,
  } satisfies ConnectorContext
}

export async function localRelay(): Promise<Relay> {
  return startRelay({ port: await freePort() })
}

/** Refuses all HTTP that is not this machine's, and lists what was asked for. */
export function blockedNetwork(): string[] {
  const tried: string[] = []
  const real = fetch
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const address = String(input instanceof Request ? input.url : input)
    if (/^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(address)) return real(input, init)
    tried.push(address)
    throw new TypeError('fetch failed')
  })
  return tried
}
