import { isMobile } from '../../../core/device.ts'
import { isInAppBrowser } from '../../../core/in-app-browser.ts'
import { walletOf } from '../../registry/registry.ts'
import type { ConnectorContext } from '../connector.ts'
import type { Client, Session } from './client.ts'

/** Where WalletConnect's library looks for the app that it is to open with a request (wire 9.1). */
const LINK_CHOICE = 'WALLETCONNECT_DEEPLINK_CHOICE'

/**
 * On a phone the wallet's app is opened with each request, by the link of the registry and no other (security T19,
 * T38). Elsewhere nothing is opened, whatever another library has left to be opened; inside another app's browser only by
 * the link that the person presses (spec §5).
 */
export async function chooseLink(
  cx: ConnectorContext,
  client: Client,
  session: Session,
  walletId: string,
): Promise<void> {
  const { userAgent } = cx.page
  const opens = isMobile(userAgent) && !isInAppBrowser(userAgent)
  const choice = opens ? choiceOf(walletId) : undefined
  if (choice) cx.storage.set(LINK_CHOICE, choice)
  else await client.session.update(session.topic, { sessionConfig: { disableDeepLink: true } })
}

/** Takes the choice back, if it is still that wallet's. */
export function forgetLink(cx: ConnectorContext, walletId: string): void {
  const stored = cx.storage.get(LINK_CHOICE)
  if (stored !== undefined && stored === choiceOf(walletId)) cx.storage.remove(LINK_CHOICE)
}

function choiceOf(walletId: string): string | undefined {
  const { native, universal, name } = walletOf(walletId) ?? {}
  const href = native ? (native.includes(':') ? native : `${native}://`) : universal
  // The library puts a path of its own behind it.
  return href && !href.includes('?') ? JSON.stringify({ href, name }) : undefined
}
