import * as v from 'valibot'
import { Refusal, Unavailable } from '../lib/refusal.ts'
import { askOutside } from '../outside/ask.ts'
import type { App } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import type { Outside } from '../settings/outside.ts'

/** Who signs in: a page, whose window answers by a message, or a native app, whose window comes back to this API. */
export type IcloudClient = 'web' | 'expo-ios'

/** What the vault needs to reach the app's container. Nothing of it is secret. */
export interface IcloudSettings {
  apiToken: string
  container: string
  environment: string
}

/** People's iCloud, through the app's container at CloudKit. The backend itself never sees what is in there. */
export interface IcloudAccess {
  /** The address of Apple's sign-in window. @throws Refusal, Unavailable */
  begin(app: App, client: IcloudClient): Promise<string>
  /** @throws Refusal */
  settings(app: App, client: IcloudClient): IcloudSettings
}

const needsSignIn = v.object({
  serverErrorCode: v.literal('AUTHENTICATION_REQUIRED'),
  redirectURL: v.pipe(v.string(), v.maxLength(8_192), v.url()),
})
const applePages = /(^|\.)(apple|icloud|apple-cloudkit)\.com$/

/** Where people sign in to iCloud, and what the vault needs for the app's container there. */
export function createIcloudAccess(deps: {
  outside: Outside
  limits: Limits
  /** The origin from which the vault calls CloudKit: API tokens may be tied to origins. */
  vaultOrigin: string
  log: (line: string) => void
}): IcloudAccess {
  const { outside, limits, vaultOrigin, log } = deps

  const settings: IcloudAccess['settings'] = ({ icloud }, client) => {
    const apiToken = client === 'web' ? icloud?.apiToken : icloud?.nativeApiToken
    if (!icloud || !apiToken) throw new Refusal('feature_not_enabled', 'iCloud is not set up for this app.')
    return { apiToken, container: icloud.container, environment: icloud.environment }
  }

  /** A window is only ever sent to Apple's pages, even if an answer says otherwise. */
  function isSignInPage(address: string): boolean {
    const { protocol, hostname, origin } = new URL(address)
    return (
      origin === new URL(outside.cloudKitAuthUrl).origin ||
      (protocol === 'https:' && applePages.test(hostname))
    )
  }

  async function begin(app: App, client: IcloudClient): Promise<string> {
    const { apiToken, container, environment } = settings(app, client)
    const place = `${outside.cloudKitUrl}/database/1/${encodeURIComponent(container)}/${environment}`
    // A caller who is not signed in is told where to sign in.
    const { status, body } = await askOutside(
      'iCloud',
      `${place}/private/users/current?ckAPIToken=${encodeURIComponent(apiToken)}`,
      {
        headers: { origin: vaultOrigin },
        timeout: limits.outsideTimeout,
        most: limits.outsideAnswerSize,
      },
    )
    const answer = v.safeParse(needsSignIn, body)
    if (answer.success && isSignInPage(answer.output.redirectURL)) return answer.output.redirectURL
    if (status !== 401 && status !== 403)
      throw new Unavailable('iCloud could not be reached. Please try again.')
    log(`iCloud does not know the API token of app ${app.id} (${status})`)
    throw new Refusal('feature_not_enabled', 'iCloud is not set up for this app.')
  }

  return { settings, begin }
}
