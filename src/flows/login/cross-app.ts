import { learn } from '../../copy/copy.ts'
import { oauth as words } from '../../copy/en/oauth.ts'
import { crossAppVerdict } from '../../errors/cross-app.ts'
import { KitError } from '../../errors/kit-error.ts'
import { crossApp as screen } from '../../screens/login/cross-app.tsx'
import { crossAppId } from '../../wire/cross-app.ts'
import { failedVisit, type Visit, verified, visitInWindow } from './at-provider.ts'
import type { LoginContext, Way, WayModule } from './context.ts'
import { prove } from './prove.ts'

learn(words)

/** What does the work is there before anybody presses the row. */
export const prepare: WayModule['prepare'] = async (cx) => {
  await cx.auth.crossApp()
  return undefined
}

/** Logs in with another app's account, in a window of its own. Spec §4 "Cross-app auth". */
export const way: Way = async (cx, { method }) => {
  const { stage, options, t } = cx
  const { disableSignup } = options
  const appId = crossAppId(method) ?? ''
  const auth = await cx.auth.crossApp()
  const app = (await otherApps(cx, [method]))[method]
  const name = app?.name ?? t('login.otherApp')
  const visit: Visit = {
    cx,
    screen,
    props: { name, icon: app?.icon, inWindow: true },
    verdict: crossAppVerdict(name),
  }
  for (;;) {
    const came = await visitInWindow({
      ...visit,
      auth,
      async begin(captchaToken, signal) {
        await auth.connection(appId, { signal })
        const begin = { provider: method, disableSignup, captchaToken }
        return auth.start(begin, { signal, fromDialog: true })
      },
      closed: (cause) => new KitError('popup_closed', 'User rejected request', { cause, retryable: true }),
    })
    if ('back' in came) return came
    const proved = await prove(cx, {
      work: () => verified(visit, (signal) => auth.complete({ ...came, provider: method }, { signal })),
      verdict: visit.verdict,
      conflict: {
        title: t('account.conflict.profile', { kind: name }),
        account: name,
        transfer: ({ nonce, profile = {} }) =>
          auth.transfer({ nonce, provider: method, profile }, { signal: stage.signal }),
      },
      show: failedVisit(visit),
    })
    if ('login' in proved) return proved.login
    if ('back' in proved) return proved
  }
}

/** How other apps call themselves; one that can't be asked goes without. */
export async function otherApps(cx: Pick<LoginContext, 'auth'>, methods: readonly string[]) {
  const auth = await cx.auth.crossApp()
  const asked = methods.map(async (method) => {
    const details = await auth.details(crossAppId(method) ?? '').catch(() => undefined)
    return details ? [[method, { name: details.name, icon: details.iconUrl }] as const] : []
  })
  return Object.fromEntries((await Promise.all(asked)).flat())
}
