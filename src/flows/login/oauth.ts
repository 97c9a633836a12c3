import type { OAuthAuth } from '../../auth/oauth.ts'
import { learn, type PlainKey } from '../../copy/copy.ts'
import { oauth as words } from '../../copy/en/oauth.ts'
import { isInAppBrowser } from '../../core/in-app-browser.ts'
import { KitError } from '../../errors/kit-error.ts'
import { oauthVerdict } from '../../errors/oauth.ts'
import { inAppBrowser } from '../../screens/gate/in-app-browser.tsx'
import { awaitingOAuth } from '../../screens/login/awaiting-oauth.tsx'
import type { OAuthReturn } from '../../wire/returns.ts'
import { duringVisit, failedVisit, type Visit, verified, visitInWindow } from './at-provider.ts'
import { attempt } from './attempt.ts'
import type { BackToStart, Login, LoginContext, Way, WayModule } from './context.ts'
import { prove } from './prove.ts'

learn(words)

type Returned = Omit<OAuthReturn, 'kind'>

/** What does the work is there before anybody presses the row. */
export const prepare: WayModule['prepare'] = async (cx) => {
  await cx.auth.oauth()
  return undefined
}

/** Logs in at a social provider: by leaving the page for it, or in a window. Spec §2 "Awaiting OAuth". */
export const way: Way = (cx, { method }) => loginAtProvider(cx, method)

/** The same for somebody who is back from the provider already; another try sends them there again. */
export async function loginAtProvider(
  cx: LoginContext,
  provider: string,
  known?: Returned,
): Promise<Login | BackToStart> {
  const { stage, page, config, t } = cx
  if (provider === 'google' && isInAppBrowser(page.userAgent)) {
    cx.report(new KitError('in_app_browser', 'Could not log in with provider'))
    await stage.ask(inAppBrowser, { address: page.address() })
    return { back: true }
  }
  const inWindow = page.framed || config.host.oauth?.returnBy === 'popup'
  const name = t(`login.${provider}` as PlainKey)
  const auth = await cx.auth.oauth()
  const visit: Visit = {
    cx,
    screen: awaitingOAuth,
    props: { name, icon: provider, inWindow },
    verdict: oauthVerdict(name),
  }

  let returned: Returned | BackToStart | undefined = known
  for (;;) {
    returned ??= await (inWindow ? byWindow(visit, auth, provider) : byLeaving(visit, auth, provider))
    if ('back' in returned) return returned
    const came = returned
    const proved = await prove(cx, {
      work: () => verified(visit, (signal) => auth.complete(came, { signal })),
      verdict: visit.verdict,
      conflict: {
        title: t('account.conflict.profile', { kind: name }),
        account: name,
        transfer: ({ nonce, profile = {} }) =>
          auth.transfer({ nonce, provider, profile }, { signal: stage.signal }),
      },
      show: failedVisit(visit),
    })
    if ('login' in proved) return proved.login
    if ('back' in proved) return proved
    returned = undefined
  }
}

const fromDialog = true

async function byWindow(visit: Visit, auth: OAuthAuth, provider: string): Promise<Returned | BackToStart> {
  const { disableSignup } = visit.cx.options
  const came = await visitInWindow({
    ...visit,
    auth,
    begin: (captchaToken, signal) =>
      auth.start({ provider, disableSignup, captchaToken, stays: true }, { signal, fromDialog }),
    closed: (cause) =>
      new KitError('oauth_user_denied', 'User denied confirmation during OAuth flow', {
        cause,
        retryable: true,
      }),
  })
  return 'back' in came ? came : { ...came, provider }
}

/** Resolves only when the page did not leave for good: whoever comes back finds a new page. */
async function byLeaving(visit: Visit, auth: OAuthAuth, provider: string): Promise<BackToStart> {
  const { cx, verdict } = visit
  const { disableSignup, loginMethods, prefill } = cx.options
  const run = { surface: cx.surface, loginMethods, prefill }
  const left = await attempt(
    cx,
    (captchaToken) =>
      duringVisit(visit, 'leaving', async (signal) => {
        const begin = { provider, disableSignup, captchaToken, run }
        const { url } = await auth.start(begin, { signal, fromDialog })
        return auth.leave(url, signal)
      }),
    { verdict, show: failedVisit(visit) },
  )
  return 'back' in left ? left : { back: true }
}
