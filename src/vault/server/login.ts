/** The vault's requests to the server about logins with a code. docs/protocol.md */
import { limits } from '../../lib/limits.ts'
import { isPlainObject, parsePlain } from '../../lib/plain.ts'
import type { VaultContext } from '../context.ts'
import type { LoginReply } from './transport.ts'

/** The calls of one kind of code. */
export interface CodeCalls {
  /** Has a code sent that no other browser can use. */
  send(to: string, captchaToken: string | undefined): Promise<LoginReply>
  /**
   * Logs in with it, and enrols this browser at once.
   * @param accessToken of a guest who becomes somebody
   */
  authenticate(
    given: { readonly to: string; readonly code: string; readonly mode: string },
    accessToken: string | undefined,
  ): Promise<LoginReply>
}

export function codeCalls({ logIn }: Pick<VaultContext, 'logIn'>, via: 'email' | 'sms'): CodeCalls {
  const path = via === 'email' ? '/passwordless' : '/passwordless_sms'
  const address = (to: string) => (via === 'email' ? { email: to } : { phoneNumber: to })
  return {
    send: (to, captchaToken) => logIn(`${path}/init`, { ...address(to), token: captchaToken }, undefined),
    async authenticate({ to, code, mode }, accessToken) {
      const reply = await logIn(`${path}/authenticate`, { ...address(to), code, mode }, accessToken)
      return 'text' in reply ? { ...reply, text: withoutRefreshToken(reply.text) } : reply
    },
  }
}

/** A page that had it could keep the session for itself. What stays says that there is one, in the cookie. */
function withoutRefreshToken(text: string): string {
  const body = parsePlain(text, limits.responseSize)
  if (!isPlainObject(body) || typeof body.refresh_token !== 'string') return text
  return JSON.stringify({ ...body, refresh_token: 'deprecated' })
}
