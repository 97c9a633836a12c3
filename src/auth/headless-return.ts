import { webAppProof, widgetProof } from '../wire/telegram.ts'
import type { Auth } from './auth.ts'
import type { LeftLogin } from './left-login.ts'
import type { Login } from './login.ts'

/** Logs in with what a headless login has come back with, and with nothing if it is no use. No dialog opens. */
export async function completeHeadless(
  auth: Auth,
  { returned, disableSignup }: LeftLogin,
): Promise<Login | undefined> {
  if (returned.kind === 'oauth') return (await auth.oauth()).complete(returned)
  if (returned.kind === 'wallet-browser') return undefined
  const proof = returned.kind === 'mini-app' ? webAppProof(returned.data) : widgetProof(returned.fields)
  return proof && (await auth.telegram()).loginWith(proof, { disableSignup })
}
