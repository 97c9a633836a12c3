import { createAnalytics } from '../app/analytics.ts'
import { checkIdentity } from '../app/identity.ts'
import { type CopyOverrides, createTranslate } from '../copy/copy.ts'
import { type KitError, toKitError } from '../errors/kit-error.ts'
import { getAppConfig } from '../protocol/app-config.ts'
import { createHttp, type Http } from '../protocol/http.ts'
import type { Kit, KitOptions } from './api.ts'
import { createKitApp } from './app.ts'
import { createKitBase, type KitSeams } from './base.ts'
import { createKitContext, type KitContext, type LoginDialog } from './context.ts'
import { createHostApi, type HostApi } from './host/host-api.ts'
import { kitLimits } from './limits.ts'
import { createLoginDialog } from './login.ts'
import { createKitSession, type KitSession } from './session/kit-session.ts'

export type * from './api.ts'

/**
 * Binds one app to a page. Throws a {@link KitError} `invalid_configuration` when the app id or an address is wrong;
 * everything else that can go wrong is reported by the methods and by the event `error`.
 *
 * Some parts need one that is made after them; those take a function that returns it, and call it later.
 */
export function createKit(options: KitOptions, given: KitSeams): Kit {
  const base = createKitBase(options, given)
  const { appId, apiUrl, runs } = base

  const analytics = createAnalytics({
    ...base,
    on: options.analytics ?? true,
    http: () => http,
  })
  runs.isOpen.subscribe(() => {
    if (runs.isOpen.get()) analytics.track('modal_open', { initialScreen: runs.initialScreen })
    else analytics.track('modal_closed')
  })
  const session = createKitSession(
    { ...base, http: () => http },
    () => cx,
    () => host,
  )
  const http: Http = createHttp({
    ...base,
    base: apiUrl,
    analyticsId: analytics.id,
    tokens: session.tokens,
  })
  /** An error that more retries are unlikely to change is reported early, while they go on. */
  let early: KitError | undefined
  function reportEarly(error: KitError, attempts: number): void {
    if (early || attempts < kitLimits.attemptsBeforeReport) return
    early = error
    reportStart(error)
  }
  async function fetchConfig() {
    const config = await getAppConfig(http, appId, { onRetry: reportEarly }).catch((cause: unknown) => {
      throw early && toKitError(cause).code === early.code ? early : cause
    })
    early = undefined
    if (config.customApiUrl) http.moveTo(checkIdentity({ appId, apiUrl: config.customApiUrl }).apiUrl)
    analytics.initialized(config)
    return config
  }
  const app = createKitApp({
    ...base,
    host: options.config ?? {},
    restore: session.restore,
    isOpen: runs.isOpen,
    fetchConfig,
    admitted: session.admitted,
  })
  const cx = createKitContext({
    ...base,
    app,
    analytics,
    user: session.user,
    services: session.services,
    t: () => createTranslate(base.copy.get()),
    showWallets: () => host.showWallets(),
  })
  const loginDialog = createLoginDialog(cx, (...created) => host.promptFunding(...created))
  const host: HostApi = createHostApi(cx, session, loginDialog)

  function reportStart(error: KitError): void {
    base.report(error)
    host.advise(({ explainStart }) => explainStart(error, { appId, apiUrl, origin: base.page.origin }))
  }
  app.start().catch((cause: unknown) => reportStart(toKitError(cause)))
  if (options.copy) checkWords(host, options.copy)
  const resumed = base.returned && base.reportFailure(host.resume(base.returned))

  return publicKit(cx, session, host, loginDialog, resumed)
}

const checkWords = (host: HostApi, words: CopyOverrides) =>
  host.advise(({ warnOfUnknownWords }) => warnOfUnknownWords(words))

/**
 * The object that a host has.
 * @param resumed a login that left the page continues before the page asks for one; that request then joins it
 */
function publicKit(
  cx: KitContext,
  session: KitSession,
  host: HostApi,
  loginDialog: LoginDialog,
  resumed: Promise<void> | undefined,
): Kit {
  const { app, copy, runs } = cx
  const { state } = app
  return {
    appId: cx.appId,
    copy,
    wallets: cx.wallets,
    embeddedWallets: cx.embeddedWallets,
    smartWallets: cx.smartWallets,
    activity: cx.activity,
    get ready() {
      return state.get().ready
    },
    get authenticated() {
      return state.get().authenticated
    },
    get user() {
      return state.get().user
    },
    get isModalOpen() {
      return state.get().isModalOpen
    },
    state,
    look: app.look,
    trace: runs.trace,
    whenReady: app.whenReady,
    subscribe(listener) {
      const tell = () => listener(state.get())
      tell()
      return state.subscribe(tell)
    },
    on: cx.events.on,

    async login(request = {}) {
      await resumed
      return loginDialog.open(request)
    },
    async logout() {
      runs.close()
      if (session.exists()) await session.end()
    },
    getAccessToken: session.accessToken,
    getIdentityToken: session.identityToken,

    ...host.methods,
    configure(next) {
      if (next.copy) {
        copy.set(next.copy)
        checkWords(host, next.copy)
      }
      if (!next.config) return
      app.configure(next.config)
      host.followHost()
    },
    attach: runs.attach,
    destroy() {
      runs.close()
      app.close()
      host.close()
      session.close()
    },
  }
}
