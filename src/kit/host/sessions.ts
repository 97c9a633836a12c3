/** What a host asks about where a person is logged in; loaded with the first such call. The kit is ready. */
import type { UserSessions } from '../../account/sessions/service.ts'
import { KitError } from '../../errors/kit-error.ts'
import type { UserSession } from '../../protocol/user-sessions.ts'
import type { KitContext } from '../context.ts'
import { personOf } from './person.ts'

async function sessionsOf(cx: KitContext): Promise<UserSessions> {
  personOf(cx, 'their sessions are known')
  return (await cx.services()).sessions()
}

/** Where the person is logged in. */
export async function listSessions(cx: KitContext): Promise<readonly UserSession[]> {
  return (await sessionsOf(cx)).list()
}

/** Logs the person out of one session. */
export async function endSession(cx: KitContext, id: string): Promise<void> {
  const sessions = await sessionsOf(cx)
  if (typeof id !== 'string' || id === '')
    throw new KitError('invalid_request_arguments', 'A session is ended by its id')
  return sessions.end(id)
}

/** Logs the person out everywhere but here. */
export async function endOtherSessions(cx: KitContext): Promise<void> {
  return (await sessionsOf(cx)).endOthers()
}
