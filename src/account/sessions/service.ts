import type { CallOptions, Http } from '../../protocol/http.ts'
import {
  endOtherUserSessions,
  endUserSession,
  listUserSessions,
  type UserSession,
} from '../../protocol/user-sessions.ts'

/** Where a person is logged in. Everything throws the server's error. */
export interface UserSessions {
  /** Those that haven't ended, the one used last first. */
  list(options?: CallOptions): Promise<readonly UserSession[]>
  /** Logs the person out of one. That browser shows it when somebody comes back to it, or when it asks the server for anything. */
  end(id: string, options?: CallOptions): Promise<void>
  /** Logs the person out everywhere but here. */
  endOthers(options?: CallOptions): Promise<void>
}

export const createUserSessions = ({ http }: { http: () => Http }): UserSessions => ({
  async list(options) {
    const sessions = await listUserSessions(http(), options)
    return sessions.toSorted((one, other) => other.lastUsedAt.getTime() - one.lastUsedAt.getTime())
  },
  end: (id, options) => endUserSession(http(), id, options),
  endOthers: (options) => endOtherUserSessions(http(), options),
})
