import { addWords } from '../../copy/copy.ts'
import { oauth as words } from '../../copy/en/oauth.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { crossAppId } from '../../protocol/cross-app.ts'
import type { LoginMethod } from '../context.ts'
import { failedVisit, type Visit, verified, visitInWindow } from '../oauth/at-provider.ts'
import { prove } from '../prove.ts'
import { fetchAppNames } from './app-names.ts'
import { crossApp as screen } from './cross-app.tsx'
import { crossAppVerdict } from './errors.ts'

addWords(words)

/** Loaded before anybody presses the row, so that the press can open a window. */
export const prepare: LoginMethod['prepare'] = async (cx) => {
  await cx.auth.crossApp()
  return undefined
}

/** Logs in with another app's account, in a separate window. */
export const logIn: LoginMethod['logIn'] = async (cx, choice) => {
  try {
    return await loginWithApp(cx, choice)
  } catch (cause) {
    if (!(cause instanceof Closed)) throw cause
    const code = cx.purpose.kind === 'login' ? 'exited_auth_flow' : 'exited_link_flow'
    throw new KitError(code, 'User canceled flow', { cause })
  }
}

const loginWithApp: LoginMethod['logIn'] = async (cx, { method }) => {
  const { stage, options, t } = cx
  const { disableSignup } = options
  const appId = crossAppId(method) ?? ''
  const auth = await cx.auth.crossApp()
  const app = (await fetchAppNames(cx, [method]))[method]
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
