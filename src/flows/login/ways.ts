import { socials } from '../../config.ts'
import type { Choice, LoginContext, PrepareContext, WayModule } from './context.ts'
import * as email from './email.ts'

/** The ways in by the kind of their method, each loaded when it is taken. A new one is a row here. */
const modules: Readonly<Record<string, () => Promise<WayModule>>> = {
  email: async () => email,
  sms: () => import('./sms.ts'),
  oauth: () => import('./oauth.ts'),
  'cross-app': () => import('./cross-app.ts'),
  passkey: () => import('./passkey.ts'),
  telegram: () => import('./telegram.ts'),
  farcaster: () => import('./farcaster.ts'),
  wallet: () => import('./wallet.ts'),
}

/** What has no other kind is a wallet by its name. */
const kindOf = (method: string) =>
  socials.includes(method)
    ? 'oauth'
    : method.includes(':')
      ? 'cross-app'
      : Object.hasOwn(modules, method)
        ? method
        : 'wallet'

/** Those that have something to do before they are chosen, or go on within the press; the others come when they are. */
const early: readonly string[] = ['oauth', 'cross-app', 'passkey', 'telegram', 'wallet']

/** Goes the way that somebody chose. */
export async function enter(cx: LoginContext, choice: Choice) {
  const load = modules[kindOf(choice.method)]
  if (!load) throw new Error(`There is no way in by ${choice.method}`)
  return (await load()).way(cx, choice)
}

/** Gets the ways ready that stand on the landing screen; gives the choice that one of them brings by itself. */
export async function prepare(cx: PrepareContext, methods: readonly string[]): Promise<Choice> {
  const kinds = new Set(methods.map(kindOf).filter((kind) => early.includes(kind)))
  return new Promise((resolve) => {
    for (const kind of kinds)
      modules[kind]?.()
        .then((module) => module.prepare?.(cx))
        .then((choice) => choice && resolve(choice))
        // What can't be got ready fails again, and is told, when somebody asks for it.
        .catch(() => {})
  })
}

/** How other apps call themselves, in time for the screen that names them; one that can't be asked goes without. */
export async function otherApps(cx: LoginContext, methods: readonly string[]) {
  return (await import('./cross-app.ts')).otherApps(cx, methods)
}

/** The wallets that stand on the landing screen themselves. */
export async function wallets(cx: LoginContext, names: readonly string[], first: boolean) {
  const rows = import('../connect/landing-rows.ts').then(({ landingRows }) => landingRows(cx, names, first))
  // Where wallets come first, the row of them all stands there in any case.
  return first ? rows.catch(() => []) : rows
}

export const isWalletMethod = (method: string) => kindOf(method) === 'wallet'
