import { lazily } from '../../errors/lazily.ts'
import { announcedKeys, sessionKey } from '../../session/keys.ts'
import type { KitContext, LoginDialog } from '../context.ts'
import { features, loginFeatures } from '../features.ts'
import { createHostFollower } from '../session/follow-host.ts'
import type { KitSession } from '../session/kit-session.ts'
import type { KitWallets } from '../wallets/external.ts'
import type { HostCalls } from './calls.ts'
import { createHeadlessMethods } from './headless.ts'
import { createHostMethods } from './methods.ts'

/** What a host has of a kit beyond a login: its calls, each loaded when it is first made, and the wallets as it sees them. */
export type HostApi = ReturnType<typeof createHostApi>

export function createHostApi(cx: KitContext, session: KitSession, loginDialog: LoginDialog) {
  const { app, appId, storage, early, reportFailure } = cx
  const { state } = app
  let loaded: HostCalls | undefined
  let closed = false

  const calls = lazily(async () => {
    const { createHostCalls } = await features.hostCalls()
    loaded = createHostCalls({
      cx,
      externalWallets,
      loginFeatures,
      resume: loginDialog.resume,
      logout: session.end,
    })
    if (closed) loaded.close()
    return loaded
  })
  const externalWallets: () => Promise<KitWallets> = lazily(async () => {
    const [{ createKitWallets }, services] = await Promise.all([
      features.externalWallets(),
      session.services(),
    ])
    return createKitWallets(cx, services, async (...input) => (await calls()).unlink(...input))
  })
  const headless = createHeadlessMethods(async () => (await calls()).headless())

  const methods = createHostMethods(calls, state, cx.mfaState, cx.balances, reportFailure)

  /** Pages read the wallets as soon as they see a user, so the list is loaded first. If it can't be, the user is still logged in. */
  async function showWallets(): Promise<void> {
    const hasEmbedded = session
      .user()
      ?.linkedAccounts.some((account) => account.type === 'wallet' && account.embedded)
    if (hasEmbedded) await reportFailure(calls().then((part) => part.publishEmbedded()))
    else if (state.get().ready) {
      for (const kind of ['embedded', 'smart'] as const) {
        early?.[kind]?.release()
        storage.remove(sessionKey(appId, announcedKeys[kind]))
      }
    }
  }

  const followHost = createHostFollower(
    app.config,
    () => void reportFailure(headless.methods.customAuth.sync()),
  )
  const stopFollowingState = state.subscribe(() => {
    if (state.get().ready) followHost()
    void showWallets()
  })

  // Wallets that were connected on an earlier page are connected again.
  if (storage.get(sessionKey(appId, 'connections')))
    app
      .whenReady()
      .then(async () => (await (await session.services()).wallets.external()).restore())
      // A wallet that can't be restored has to be connected again by the person.
      .catch(() => {})

  return {
    methods: {
      ...methods,
      ...headless.methods,
      crossApp: { ...headless.methods.crossApp, ...methods.crossApp },
    },
    /** How far the headless login by a method is. */
    flowState: headless.state,
    externalWallets,
    showWallets,
    followHost,
    /** If an earlier page announced a wallet, what announces it is loaded while the session is restored. */
    expectWallets(): void {
      if (storage.get(sessionKey(appId, 'announced'))) void calls().catch(() => {})
    },
    /** Continues a login that left the page, if the page has come back from one. */
    async resume(read: NonNullable<KitContext['returned']>): Promise<void> {
      const load = async () => {
        const returned = await read()
        return returned && (await calls()).resume(returned)
      }
      await (await load().catch(() => loginDialog.untilThere(load)))?.()
    },
    /** Offers funding if the app wants that. A failure is reported, and the login stays as it is. */
    promptFunding(...created: Parameters<HostCalls['promptFunding']>): void {
      if (!app.known().app.funding?.promptOnCreation) return
      void reportFailure(calls().then((part) => part.promptFunding(...created)))
    },
    /** Nothing depends on advice, so it is no failure if its part can't be loaded. */
    advise(give: (advice: typeof import('./advice.ts')) => void): void {
      calls()
        .then((part) => part.advice())
        .then(give)
        .catch(() => {})
    },
    close(): void {
      closed = true
      stopFollowingState()
      loaded?.close()
    },
  }
}
