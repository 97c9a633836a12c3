import type { LeftLogin } from '../../auth/left-login.ts'
import { lazily } from '../../errors/lazily.ts'
import type { BackToStart, Choice, EntryContext, Login, LoginContext } from './context.ts'
import { identify, type Ways } from './identify.ts'

const loadLater = lazily(() => import('./later.ts'))
const loadResume = lazily(() => import('./resume.ts'))

/** Logs a person in: who they are, and all that follows from it. Only the first screen is loaded with this file. */
export async function login(entry: EntryContext): Promise<Login> {
  const resumed = async (left: LeftLogin) => {
    const [{ resume }, { cx }] = await Promise.all([loadResume(), later(entry)])
    const outcome = await resume(cx, left)
    return 'back' in outcome ? undefined : outcome
  }
  const login =
    known(entry) ??
    (entry.left && (await resumed(entry.left))) ??
    (await identify<Login>(
      entry,
      waysOf(entry, (flows, cx, choice) => flows.enter(cx, choice)),
    ))
  const { flows, cx } = await later(entry)
  return flows.finish(cx, login)
}

/** What follows the landing screen, once it is needed. */
export async function later(entry: EntryContext): Promise<{ flows: Later; cx: LoginContext }> {
  const [flows, services] = await Promise.all([loadLater(), entry.services()])
  return { flows, cx: { ...entry, ...services } }
}
type Later = typeof import('./later.ts')

/** What the landing screen leads to, where `enter` says what comes of a choice. */
export function waysOf<T>(
  entry: EntryContext,
  enter: (flows: Later, cx: LoginContext, choice: Choice) => Promise<T | BackToStart>,
): Ways<T> {
  const through =
    <A extends unknown[], R>(work: (flows: Later, cx: LoginContext, ...input: A) => Promise<R>) =>
    async (...input: A) => {
      const { flows, cx } = await later(entry)
      return work(flows, cx, ...input)
    }
  return {
    enter: through(enter),
    prepare: through((flows, cx, methods, screen) => flows.prepare({ ...cx, ...screen }, methods)),
    otherApps: through((flows, cx, methods) => flows.otherApps(cx, methods)),
    wallets: through((flows, cx, names, first) => flows.wallets(cx, names, first)),
  }
}

/** Somebody whose session is there but who has not accepted the terms yet: they need not log in again. */
function known({ user, recent = 'email', recentWallet }: EntryContext): Login | undefined {
  if (!user || user.isGuest) return undefined
  const method = recentWallet ? (recentWallet.chainType === 'solana' ? 'siws' : 'siwe') : recent
  return { user, isNewUser: false, method, account: undefined }
}
