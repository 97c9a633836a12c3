import type { Sessions } from './sessions.ts'

/** Where attempts of a user come from. */
export interface Source {
  name: string
  /** Whether it is an enrolled device of the user. */
  isDevice: boolean
}

/**
 * One of the user's devices, or else the login that the session comes of: keys can be made and sessions forked at will, so they
 * are no sources of their own.
 */
export async function sourceOf(
  sessions: Pick<Sessions, 'describe'>,
  { deviceId, sessionId }: { deviceId?: string | undefined; sessionId: string },
): Promise<Source> {
  if (deviceId !== undefined) return { name: `device ${deviceId}`, isDevice: true }
  const session = await sessions.describe(sessionId)
  return { name: `login ${session?.authenticatedAt ?? sessionId}`, isDevice: false }
}
