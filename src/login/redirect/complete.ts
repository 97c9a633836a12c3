import { webAppProof, widgetProof } from '../../protocol/telegram.ts'
import type { Login } from '../login-result.ts'
import type { Auth } from '../services.ts'
import type { ReturnedLogin } from './returned-login.ts'

/**
 * Logs in with what a headless login has brought back, or does nothing if that is no use. No dialog opens.
 */
export async function completeHeadless(
  auth: Auth,
  { returned, disableSignup }: ReturnedLogin,
): Promise<Login | undefined> {
  if (returned.kind === 'oauth') return (await auth.oauth()).complete(returned)
  if (returned.kind === 'wallet-browser') return undefined
  const proof = returned.kind === 'mini-app' ? webAppProof(returned.data) : widgetProof(returned.fields)
  return proof && (await auth.telegram()).loginWith(proof, { disableSignup })
}
