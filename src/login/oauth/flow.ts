import { addWords, type PlainKey } from '../../copy/copy.ts'
import { oauth as words } from '../../copy/en/oauth.ts'
import { KitError } from '../../errors/kit-error.ts'
import { isInAppBrowser } from '../../lib/in-app-browser.ts'
import type { OAuthReturn } from '../../protocol/returns.ts'
import { attempt } from '../attempt.ts'
import type { BackToStart, Login, LoginContext, LoginMethod } from '../context.ts'
import { prove } from '../prove.ts'
import { duringVisit, failedVisit, type Visit, verified, visitInWindow } from './at-provider.ts'
import { awaitingOAuth } from './awaiting-oauth.tsx'
import { oauthVerdict } from './errors.ts'
import { inAppBrowser } from './in-app-browser.tsx'
import type { OAuthAuth } from './service.ts'

addWords(words)

type Returned = Omit<OAuthReturn, 'kind'>

/** Loaded before anybody presses the row, so that the press can open a window. */
export const prepare: LoginMethod['prepare'] = async (cx) => {
  await cx.auth.oauth()
  return undefined
}

/** Logs in at a social provider: by leaving the page, or in a window. */
export const logIn: LoginMethod['logIn'] = (cx, { method }) => loginAtProvider(cx, method)

/** Continues for somebody who is back from the provider; another try sends them there again. */
export const resume: LoginMethod['resume'] = async (cx, { method, returned }) =>
  returned.kind === 'oauth' ? loginAtProvider(cx, method, returned) : { back: true }

async function loginAtProvider(
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

/** Resolves only if the page was not left: people who come back find a new page. */
async function byLeaving(visit: Visit, auth: OAuthAuth, provider: string): Promise<BackToStart> {
  const { cx, verdict } = visit
  const { disableSignup, loginMethods, prefill } = cx.options
  const run = { surface: cx.surface, from: cx.from, loginMethods, prefill }
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
