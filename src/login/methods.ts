import { socials } from '../app/config.ts'
import type { Choice, LoginContext, LoginKind, PrepareContext, Prepared } from './context.ts'
import type { ReturnedLogin } from './redirect/returned-login.ts'

const kinds: ReadonlySet<string> = new Set<LoginKind>([
  ...(['email', 'sms', 'passkey', 'telegram', 'farcaster', 'wallet'] as const),
])
const isKind = (method: string): method is LoginKind => kinds.has(method)

/** The kind of a login method; one without a kind of its own is a wallet by its name. */
export function kindOf(method: string): LoginKind {
  if (socials.includes(method)) return 'oauth'
  if (method.includes(':')) return 'cross-app'
  return isKind(method) ? method : 'wallet'
}

/** Logs in with the method that somebody chose. */
export async function logInWith(cx: LoginContext, choice: Choice) {
  const method = await cx.methods[kindOf(choice.method)]()
  return method.logIn(cx, choice)
}

/** Continues where a login left the page. */
export async function resume(cx: LoginContext, login: ReturnedLogin) {
  const { kind } = login.returned
  const method =
    await cx.methods[kind === 'oauth' ? 'oauth' : kind === 'wallet-browser' ? 'wallet' : 'telegram']()
  return method.resume?.(cx, login) ?? { back: true as const }
}

/**
 * Prepares the methods that are on the landing screen. Resolves when one of them makes a choice by itself, or turns out
 * to be impossible on this page.
 */
export async function prepare(cx: PrepareContext, methods: readonly string[]): Promise<Prepared> {
  const wanted = new Set(methods.map(kindOf))
  return new Promise((resolve) => {
    for (const kind of wanted)
      cx.methods[kind]()
        .then((method) => method.prepare?.(cx))
        .then((outcome) => {
          if (outcome === 'unavailable')
            resolve({ unavailable: methods.filter((method) => kindOf(method) === kind) })
          else if (outcome) resolve(outcome)
        })
        // What can't be prepared fails again, and is reported, when somebody asks for it.
        .catch(() => {})
  })
}
