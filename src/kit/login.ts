import type { Surface } from '../dialog/surface.ts'
import { KitError, toKitError } from '../errors/kit-error.ts'
import { singleFlight } from '../lib/single-flight.ts'
import type { Login } from '../login/context.ts'
import type { ReturnedLogin } from '../login/redirect/returned-login.ts'
import type { User } from '../protocol/user.ts'
import { wantedWallets } from '../wallets/embedded/create/wanted.ts'
import type { LoginOptions } from './api.ts'
import type { KitContext, LoginDialog } from './context.ts'
import { features, loginFeatures } from './features.ts'

/** What analytics call the screen on which a login that left the page goes on. */
const AFTER_RETURN = 'AWAITING_OAUTH_SCREEN'

/** @param promptFunding offers to fund the wallets that a login has created */
export function createLoginDialog(
  cx: KitContext,
  promptFunding: (created: NonNullable<Login['created']>, surface: Surface | undefined) => void,
): LoginDialog {
  const { app, runs, events, report } = cx

  async function run(options: LoginOptions, returned?: ReturnedLogin): Promise<User> {
    const { signal, surface, ...request } = options
    const initialScreen = returned ? AFTER_RETURN : 'LANDING'
    try {
      const login = await runs.run('login', { surface, signal, initialScreen }, async (stage, { name }) => {
        const { login, starting } = await features.login()
        if (!app.state.get().ready)
          await starting({ stage, t: cx.t(), ready: app.whenReady, failed: loginFeatures.afterLanding })
        if (isComplete()) return undefined
        return login({ ...cx.entry(stage, request), returned, surface: name }, loginFeatures)
      })
      if (!login) return announceAgain()
      const user = await cx.announceLogin(login)
      if (login.created) promptFunding(login.created, surface)
      return user
    } catch (cause) {
      const error = toKitError(cause)
      // Somebody has logged in in another tab, which is what was wanted here.
      if (error.code === 'session_changed' && signedIn()) {
        await cx.showWallets()
        return announceAgain()
      }
      report(error)
      throw error
    }
  }
  const join = singleFlight((...given: Parameters<typeof run>) => app.loggingIn(() => run(...given)))

  function signedIn(): User | undefined {
    const { user } = app.state.get()
    return user && !user.isGuest ? user : undefined
  }

  /** Whether somebody is logged in and has the wallets that the app creates on login: a reload may have interrupted that. */
  function isComplete(): boolean {
    const user = signedIn()
    return user !== undefined && wantedWallets(app.known(), user).length === 0
  }

  function announceAgain(): User {
    const user = signedIn()
    if (!user)
      throw new KitError('unknown_auth_error', 'Something went wrong', { details: 'nobody is logged in' })
    const detail = { user, isNewUser: false, wasAlreadyAuthenticated: true }
    events.emit('login', { ...detail, loginMethod: null, loginAccount: null })
    app.toldLogin()
    return user
  }

  return {
    untilThere: (load) =>
      runs.run('login', { initialScreen: AFTER_RETURN }, async (stage) =>
        (await features.login()).untilThere({ stage, report }, load),
      ),
    async open(options) {
      if (!isComplete()) return join(options)
      console.warn('login() was called, but somebody is logged in already')
      return announceAgain()
    },
    resume: ({ loginMethods, prefill, disableSignup, ...rest }, surface) =>
      join({ loginMethods, prefill, disableSignup, surface } as LoginOptions, { ...rest, disableSignup }),
  }
}
