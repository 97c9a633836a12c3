import { isMobile } from '../../../lib/device.ts'
import { isInAppBrowser } from '../../../lib/in-app-browser.ts'
import { walletOf } from '../../registry/registry.ts'
import type { ConnectorContext } from '../connector.ts'
import type { Client, Session } from './client.ts'

/** The storage key under which WalletConnect's library looks for the app that it opens with each request. */
const LINK_CHOICE = 'WALLETCONNECT_DEEPLINK_CHOICE'

/**
 * On a phone each request opens the wallet's app, by the registry's link and never by one that the wallet itself sends:
 * that could lead anywhere. Otherwise nothing is opened, even if another library has left a link in storage. Inside another app's
 * browser only a link that the person presses may leave it.
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

/** Withdraws the choice, if it is still that wallet's. */
export function forgetLink(cx: ConnectorContext, walletId: string): void {
  const stored = cx.storage.get(LINK_CHOICE)
  if (stored !== undefined && stored === choiceOf(walletId)) cx.storage.remove(LINK_CHOICE)
}

function choiceOf(walletId: string): string | undefined {
  const { native, universal, name } = walletOf(walletId) ?? {}
  const href = native ? (native.includes(':') ? native : `${native}://`) : universal
  // The library appends a path of its own.
  return href && !href.includes('?') ? JSON.stringify({ href, name }) : undefined
}
