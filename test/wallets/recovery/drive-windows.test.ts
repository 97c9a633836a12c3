/** A drive's window on a page whose opener policy hides windows at other origins: it looks closed as soon as it has left. */
import { describe, expect, test } from 'vitest'
import type { Config } from '../../../src/app/config.ts'
import type { Http } from '../../../src/protocol/http.ts'
import { createDriveAccess, type Drive } from '../../../src/wallets/recovery/drives/drive-access.ts'
import { settled, testClock } from '../../support/clock.ts'
import { pageWithWindows, response } from '../../support/oauth.ts'

const apple = 'https://cdn.apple-cloudkit.com'

/** A user at a drive whose window looks closed; the page has the focus, as where windows are not in front of each other. */
function atDrive(drive: Drive, policy: string) {
  const clock = testClock()
  const { page, say } = pageWithWindows()
  const headers = { 'cross-origin-opener-policy': policy }
  Object.assign(page.window, {
    fetch: async () => new Response(null, { headers }),
    document: { hasFocus: () => true },
  })
  let state = ''
  const http = {
    base: 'https://api.example',
    async call(endpoint: { path: string }, body: { state_code?: string }) {
      state = body?.state_code ?? state
      return endpoint.path.endsWith('authenticate') ? 'drive-token' : 'https://drive.example/'
    },
  } as unknown as Http
  const access = createDriveAccess({
    http: () => http,
    page,
    clock,
    config: () => ({ host: {} }) as Config,
    track() {},
  })
  const window = page.openWindow() as unknown as Window & { closed: boolean; went?: string }
  let ended: unknown
  const outcome = access.grant(drive, window, new AbortController().signal).then(
    (token) => {
      ended = token
    },
    (cause) => {
      ended = cause.code
    },
  )
  const leave = async () => {
    while (!window.went) await settled()
    window.closed = true
  }
  const answer = () => {
    if (drive === 'icloud') say({ ckSession: 'drive-token' }, { source: window, origin: apple })
    else say(response(state), { source: window })
  }
  return { clock, leave, answer, outcome, ended: () => ended }
}

describe.each<Drive>(['icloud', 'google-drive'])('drive: the window of %s', (drive) => {
  test.each(['same-origin', 'noopener-allow-popups', 'same-origin; report-to="coop"'])(
    'is waited for although it looks closed, under %s',
    async (policy) => {
      const { clock, leave, answer, outcome, ended } = atDrive(drive, policy)
      await leave()
      await clock.advance(4_000)
      expect(ended()).toBeUndefined()
      answer()
      await outcome
      expect(ended()).toBe('drive-token')
    },
  )

  test.each(['unsafe-none', 'same-origin-allow-popups'])(
    'is closed when it looks so, under %s',
    async (policy) => {
      const { clock, leave, ended } = atDrive(drive, policy)
      await leave()
      await clock.advance(2_000)
      expect(ended()).toBe('popup_closed')
    },
  )
})
