import type { Config } from '../../../app/config.ts'
import { hidesWindows, sendPopup } from '../../../app/popup-return.ts'
import { KitError } from '../../../errors/kit-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Page } from '../../../lib/page.ts'
import { PopupError, popupOf } from '../../../lib/popup.ts'
import { randomText, sha256Text } from '../../../lib/random.ts'
import type { AnalyticsEvent } from '../../../protocol/analytics.ts'
import type { Http } from '../../../protocol/http.ts'
import {
  finishGoogleDrive,
  readIcloudMessage,
  startGoogleDrive,
  startIcloud,
} from '../../../protocol/recovery.ts'
import { declinedCode, failedCode } from '../../../protocol/returns.ts'
import { walletsLimits } from '../../limits.ts'

/** A person's own drive, which may hold a recovery secret. */
export type Drive = 'google-drive' | 'icloud'

/** Access to a person's drive, which they grant in a window. */
export interface DriveAccess {
  /**
   * Sends a window to the drive's owner and waits for the token. The window is closed in any case. Throws a
   * {@link KitError}: `popup_closed`, `popup_timeout`, `popup_blocked`, `recovery_oauth_error`, or the
   * server's.
   * @param window opened within a press, as returned by `Page.openWindow`
   */
  grant(drive: Drive, window: Window, signal: AbortSignal): Promise<string>
}

interface DriveContext {
  readonly http: () => Http
  readonly page: Page
  readonly clock: Clock
  readonly config: () => Config
  readonly track: (event: AnalyticsEvent) => void
}

/** The origin of iCloud's window, unless the host sets another one. */
const APPLE = 'https://cdn.apple-cloudkit.com'

export function createDriveAccess(cx: DriveContext): DriveAccess {
  const { page, clock } = cx

  async function googleDrive(window: Window, signal: AbortSignal): Promise<string> {
    const state = randomText(walletsLimits.oauthRandomBytes)
    const verifier = randomText(walletsLimits.oauthRandomBytes)
    const challenge = await sha256Text(verifier)
    const url = await startGoogleDrive(
      cx.http(),
      { redirectTo: page.address(), state, challenge },
      { signal },
    )
    const apiOrigin = new URL(cx.http().base).origin
    const { answer } = sendPopup({ page, clock, window, url, state, apiOrigin }, signal)
    const { code } = await answer
    if (code === declinedCode || code === failedCode) throw failed('the person or the drive declined')
    return finishGoogleDrive(cx.http(), { code, state, verifier }, { signal })
  }

  async function icloud(window: Window, signal: AbortSignal): Promise<string> {
    const url = await startIcloud(cx.http(), { signal })
    const origin = cx.config().host.embeddedWallets?.icloudOrigin ?? APPLE
    const popup = popupOf(window, page.window, clock)
    popup.go(url)
    const answer = await popup.answer(origin, readIcloudMessage, signal, undefined, () =>
      hidesWindows(page, clock, signal),
    )
    if (answer === 'failed') throw failed('iCloud could not sign the person in')
    return answer.token
  }

  return {
    async grant(drive, window, signal) {
      try {
        return await (drive === 'icloud' ? icloud(window, signal) : googleDrive(window, signal))
      } catch (cause) {
        signal.throwIfAborted()
        cx.track('recovery_oauth_error')
        throw cause instanceof PopupError ? ended(cause) : cause
      } finally {
        window.close()
      }
    },
  }
}

const ended = (cause: PopupError) =>
  new KitError(cause.reason === 'timeout' ? 'popup_timeout' : 'popup_closed', 'User rejected request', {
    cause,
    retryable: true,
  })
const failed = (details: string) =>
  new KitError('recovery_oauth_error', 'Recovery OAuth failed', { details, retryable: true })
