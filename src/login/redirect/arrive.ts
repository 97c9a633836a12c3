import type { Taken } from '../../protocol/address-bar.ts'
import { isPopupReceipt, popupChannel, popupFailure, popupResponse } from '../../protocol/popup.ts'
import {
  isPurchaseFollowed,
  type PurchaseReturn,
  purchaseChannel,
  purchaseReturned,
} from '../../protocol/purchase-return.ts'
import { failedCode, type OAuthReturn, type Returned, readReturn } from '../../protocol/returns.ts'
import { type MiniAppReturn, peekMiniApp } from '../../protocol/telegram-return.ts'
import { loginLimits } from '../limits.ts'
import { isLeftHere } from './left-login.ts'

/** What has arrived at this page, if it is meant for this page. */
export async function arrive(
  taken: Taken | { kind: 'mini-app' },
  window: Window & typeof globalThis,
): Promise<Returned | MiniAppReturn | undefined> {
  if (taken.kind === 'mini-app') return peekMiniApp({ address: () => window.location.href })
  const returned = readReturn(taken)
  const isElsewhere =
    (returned?.kind === 'oauth' && (await handBack(returned, window))) ||
    (returned?.kind === 'purchase' && (await closeFollowed(returned, window)))
  return isElsewhere ? undefined : returned
}

/**
 * A page inside a login's window hands what it brought back to the page that opened the window, and closes.
 * Resolves with whether it did; otherwise what came back is meant for this tab.
 */
export async function handBack(returned: OAuthReturn, window: Window & typeof globalThis): Promise<boolean> {
  if (isLeftHere(returned.state, () => window.sessionStorage)) return false
  const opener = openerOf(window)
  if (opener) {
    const { code } = returned
    opener.postMessage(code === failedCode ? popupFailure() : popupResponse(returned), window.origin)
    window.close()
    return true
  }
  if (!(await isReceived(returned, window))) return false
  window.close()
  return true
}

/**
 * Closes the window of a purchase that another page of our origin follows. Resolves with whether it did: a tab that no script has opened
 * stays.
 */
async function closeFollowed({ id }: PurchaseReturn, window: Window & typeof globalThis): Promise<boolean> {
  const isFollowed = await isHeard(window, {
    channel: purchaseChannel,
    message: purchaseReturned(id),
    isReceipt: (data) => isPurchaseFollowed(data, id),
  })
  if (isFollowed) window.close()
  return isFollowed && window.closed
}

/** The page that opened this one, if it has our origin. */
function openerOf({ opener, origin }: Window): Window | undefined {
  try {
    return opener && opener.origin === origin ? opener : undefined
  } catch {
    // It has another origin, because it can't be read.
    return undefined
  }
}

/** The window has lost its opener, but somebody on our origin may still be waiting for it. */
const isReceived = (returned: OAuthReturn, window: typeof globalThis): Promise<boolean> =>
  isHeard(window, {
    channel: popupChannel,
    message: popupResponse(returned),
    isReceipt: (data) => isPopupReceipt(data, returned.state),
  })

/** Sends a message to the pages of our origin. Resolves with whether one of them has confirmed it in time. */
function isHeard(
  { BroadcastChannel }: typeof globalThis,
  {
    channel: name,
    message,
    isReceipt,
  }: { readonly channel: string; readonly message: object; isReceipt(data: unknown): boolean },
): Promise<boolean> {
  if (!BroadcastChannel) return Promise.resolve(false)
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(name)
    const end = (heard: boolean) => {
      clearTimeout(timer)
      channel.close()
      resolve(heard)
    }
    const timer = setTimeout(() => end(false), loginLimits.openerAnswer)
    channel.onmessage = ({ data }) => {
      if (isReceipt(data)) end(true)
    }
    channel.postMessage(message)
  })
}
