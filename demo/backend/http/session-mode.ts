import { Refusal } from '../lib/refusal.ts'
import type { ServerContext } from './services.ts'

/** Whether the client asks for its refresh token in a cookie that no script can read. */
export function usesCookie(c: ServerContext): boolean {
  const mode = c.req.header('latchkey-session')
  if (mode !== undefined && mode !== 'cookie')
    throw new Refusal('invalid_request', "The header latchkey-session knows only 'cookie'.")
  return mode === 'cookie'
}
