import { limits } from '../core/limits.ts'
import { failedCode } from '../wire/oauth-codes.ts'
import { isPopupThanks, popupChannel, popupFailure, popupResponse } from '../wire/popup.ts'
import { readReturn } from '../wire/read-return.ts'
import type { OAuthReturn, Returned, Taken } from '../wire/returns.ts'
import { type MiniAppReturn, peekMiniApp } from '../wire/telegram-return.ts'
import { isLeftHere } from './left-flow.ts'

/** What has arrived at this page, if it is this page's own affair. */
export async function arrive(
  taken: Taken | { kind: 'mini-app' },
  window: Window & typeof globalThis,
): Promise<Returned | MiniAppReturn | undefined> {
  if (taken.kind === 'mini-app') return peekMiniApp({ address: () => window.location.href })
  const returned = readReturn(taken)
  return returned?.kind === 'oauth' && (await handBack(returned, window)) ? undefined : returned
}

/**
 * A page that stands in the window of a login hands what it brought back to the page that opened the window, and goes.
 * Resolves with whether it did: else what came back is this tab's own affair. Wire 6.2.
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
  if (!(await isHeard(returned, window))) return false
  window.close()
  return true
}

/** The page that opened this one, if it is of our own origin. */
function openerOf({ opener, origin }: Window): Window | undefined {
  try {
    return opener && opener.origin === origin ? opener : undefined
  } catch {
    // It is of another origin, which is told by its not being readable.
    return undefined
  }
}

/** A window that was cut off from its opener: somebody on our origin may be waiting for it all the same. */
function isHeard(returned: OAuthReturn, { BroadcastChannel }: typeof globalThis): Promise<boolean> {
  if (!BroadcastChannel) return Promise.resolve(false)
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(popupChannel)
    const end = (heard: boolean) => {
      clearTimeout(timer)
      channel.close()
      resolve(heard)
    }
    const timer = setTimeout(() => end(false), limits.openerAnswer)
    channel.onmessage = ({ data }) => {
      if (isPopupThanks(data, returned.state)) end(true)
    }
    channel.postMessage(popupResponse(returned))
  })
}
