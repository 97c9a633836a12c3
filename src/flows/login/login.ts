import type { LeftLogin } from '../../auth/left-login.ts'
import { lazily } from '../../errors/lazily.ts'
import type { EntryContext, Login } from './context.ts'
import { identify } from './identify.ts'

const loadLater = lazily(() => import('./later.ts'))
const loadResume = lazily(() => import('./resume.ts'))

/** Logs a person in: who they are, and all that follows from it. Only the first screen is loaded with this file. */
export async function login(entry: EntryContext): Promise<Login> {
  const later = async () => {
    const [flows, services] = await Promise.all([loadLater(), entry.services()])
    return { flows, cx: { ...entry, ...services } }
  }
  const resumed = async (left: LeftLogin) => {
    const [{ resume }, { cx }] = await Promise.all([loadResume(), later()])
    const outcome = await resume(cx, left)
    return 'back' in outcome ? undefined : outcome
  }
  const login =
    known(entry) ??
    (entry.left && (await resumed(entry.left))) ??
    (await identify(entry, {
      async enter(choice) {
        const { flows, cx } = await later()
        return flows.enter(cx, choice)
      },
      async prepare(methods, screen) {
        const { flows, cx } = await later()
        return flows.prepare({ ...cx, ...screen }, methods)
      },
      async otherApps(methods) {
        if (methods.length === 0) return {}
        const { flows, cx } = await later()
        return flows.otherApps(cx, methods)
      },
    }))
  const { flows, cx } = await later()
  return flows.finish(cx, login)
}

/** Somebody whose session is there but who has not accepted the terms yet: they need not log in again. */
function known({ user, recent }: EntryContext): Login | undefined {
  if (!user || user.isGuest) return undefined
  return { user, isNewUser: false, method: recent ?? 'email', account: undefined }
}
