/** People who are logged in already, in journeys that are about something else. */
import { type Browser, type BrowserContext, request } from '@playwright/test'
import { sessionKey } from '../../../src/session/keys.ts'
import { type Demo, mailedCode } from './demo.ts'

/**
 * A browser in which somebody is logged in to an app by e-mail, as the kit leaves it: the refresh token in a cookie that
 * no page can read, the access token in the site's storage. No page has been opened in it.
 */
export async function signedInContext(
  browser: Browser,
  demo: Demo,
  email: string,
  app: string,
): Promise<BrowserContext> {
  const server = await request.newContext({
    baseURL: `${demo.api}/api/v1/`,
    extraHTTPHeaders: {
      'privy-app-id': app,
      'privy-client': 'test:1',
      origin: demo.site,
      'latchkey-session': 'cookie',
      'sec-fetch-site': 'same-site',
    },
  })
  const since = Date.now() - 1000
  const begun = await server.post('passwordless/init', { data: { email } })
  if (!begun.ok()) throw new Error(`No code for ${email}: ${await begun.text()}`)
  const code = await mailedCode(demo, email, since)
  const answer = await server.post('passwordless/authenticate', { data: { email, code } })
  if (!answer.ok()) throw new Error(`${email} is not logged in: ${await answer.text()}`)
  const { token } = (await answer.json()) as { token: string }
  const { cookies } = await server.storageState()
  await server.dispose()
  const localStorage = [
    { name: sessionKey(app, 'token'), value: token },
    { name: sessionKey(app, 'refresh'), value: 't' },
  ]
  return browser.newContext({ storageState: { cookies, origins: [{ origin: demo.site, localStorage }] } })
}
