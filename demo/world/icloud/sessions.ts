import { randomBytes } from 'node:crypto'

/** Who has signed in, and to what. */
export interface Session {
  login: string
  container: string
  environment: string
}
/** Web auth tokens, each good for one request: the answer brings the next. */
export interface Sessions {
  issue(session: Session): string
  /** Uses a token up. `undefined`: it is none, or was used before. */
  take(token: string): Session | undefined
}

const MOST = 10_000

export function createSessions(): Sessions {
  const open = new Map<string, Session>()
  return {
    issue(session) {
      // Those of nobody who comes back are forgotten, the oldest first.
      for (const token of open.keys()) {
        if (open.size < MOST) break
        open.delete(token)
      }
      // With every letter that needs care in an address, as the original's.
      const token = `158__54__+/${randomBytes(48).toString('base64')}==`
      open.set(token, session)
      return token
    },
    take(token) {
      const session = open.get(token)
      open.delete(token)
      return session
    },
  }
}
