import { toKitError } from '../errors/kit-error.ts'
import type { EntryContext, Login, LoginContext } from './context.ts'
import { identify, type LandingActions } from './landing/flow.ts'
import { starting, untilThere } from './landing/starting-flow.ts'

export { starting, untilThere }

/** What is loaded lazily on the way from the landing screen to the end of a login. */
export interface LoginFeatures {
  /** What every method needs once one is chosen. */
  readonly afterLanding: () => Promise<typeof import('./after-landing.ts')>
  /** The rows of wallets on the landing screen, for apps that have some there. */
  readonly walletRows: () => Promise<typeof import('./wallet/landing-rows.ts')>
}

/** Logs a person in, with everything that follows. Only the first screen is loaded with this file. */
export async function login(entry: EntryContext, features: LoginFeatures): Promise<Login> {
  const load = () => untilThere(entry, () => afterLanding(entry, features))
  const isUnderway = entry.returned || entry.user?.isGuest === false
  const known = isUnderway && (await load().then((part) => part.underway(part.cx)))
  const person = known || (await identify<Login>(entry, landingActions(entry, features, logInWith)))
  const { cx, finish } = await load()
  return finish(cx, person)
}

/** What follows the landing screen, with the services that it works with. */
export async function afterLanding(entry: EntryContext, features: LoginFeatures) {
  const [loaded, services] = await Promise.all([features.afterLanding(), entry.services()])
  const cx: LoginContext = { ...entry, ...services }
  return { ...loaded, cx }
}
type AfterLanding = Awaited<ReturnType<typeof afterLanding>>

const logInWith: LogIn<Login> = ({ logInWith, cx }, choice) => logInWith(cx, choice)

/** What a choice on the landing screen leads to. */
type LogIn<T> = (
  loaded: AfterLanding,
  ...input: Parameters<LandingActions<T>['logIn']>
) => ReturnType<LandingActions<T>['logIn']>

/** What the landing screen may ask for, loaded when it does. */
export function landingActions<T>(
  entry: EntryContext,
  features: LoginFeatures,
  logIn: LogIn<T>,
): LandingActions<T> {
  const load = () => afterLanding(entry, features)
  return {
    async logIn(choice) {
      const loaded = await load().catch((cause: unknown) => entry.report(toKitError(cause)))
      // What could show the failure on a screen of its own has not been loaded either.
      if (!loaded) return { back: true, error: entry.t('login.notLoaded') }
      const outcome = await loaded.untilLoaded(loaded.cx, () => logIn(loaded, choice))
      return outcome === 'back' ? { back: true } : outcome
    },
    async prepare(methods, screen) {
      const { cx, prepare } = await load()
      return prepare({ ...cx, ...screen }, methods)
    },
    async appNames(methods) {
      const { cx, fetchAppNames } = await load()
      return fetchAppNames(cx, methods)
    },
    async walletRows(names, first) {
      const [{ landingRows }, services] = await Promise.all([features.walletRows(), entry.services()])
      return landingRows({ ...entry, ...services }, names, first)
    },
  }
}
