import type { HostConfig } from '../../src/app/config.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
import type { ExternalContext } from '../../src/wallets/external/connector.ts'
import { testClock } from './clock.ts'
import { testPage } from './page.ts'
import { browserTabs } from './tabs.ts'

export const appId = 'latchkey-unit-test-app-01'

/** What connectors work with, as a test wants it. */
export function connectorContext(host: HostConfig = {}, over: Partial<ExternalContext> = {}) {
  const clock = testClock()
  const storage = memoryStorage()
  const app = { raw: {}, loginMethods: new Set(['wallet', 'solana-wallet']) }
  const cx = {
    appId,
    app: () => app,
    config: () => ({ appName: 'Test', host, app }),
    page: testPage(),
    clock,
    serverNow: clock.now,
    storage,
    tabs: browserTabs().open(),
    ...over,
  } as unknown as ExternalContext
  return { cx, clock, storage }
}
