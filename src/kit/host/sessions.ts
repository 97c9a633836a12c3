/** Calls of a host about where a user is logged in, and the apps that they have let in; loaded with the first of them. The kit is ready. */
import type { UserSessions } from '../../account/sessions/service.ts'
import { KitError } from '../../errors/kit-error.ts'
import {
  type ConnectedApp,
  disconnectApp as disconnect,
  listConnectedApps as listApps,
} from '../../protocol/connected-apps.ts'
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

/** Other apps that the user has let in. */
export async function listConnectedApps(cx: KitContext): Promise<readonly ConnectedApp[]> {
  personOf(cx, 'the apps that they have let in are known')
  return listApps((await cx.services()).http())
}

/** Ends the access of one of them. */
export async function disconnectApp(cx: KitContext, id: string): Promise<void> {
  personOf(cx, 'disconnecting an app')
  if (typeof id !== 'string' || id === '')
    throw new KitError('invalid_request_arguments', 'An app is disconnected by its id')
  return disconnect((await cx.services()).http(), id)
}
