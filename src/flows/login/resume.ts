import type { LeftLogin } from '../../auth/left-login.ts'
import { webAppProof, widgetProof } from '../../wire/telegram.ts'
import type { BackToStart, Login, LoginContext } from './context.ts'

/** Goes on where a login left the page. What came back is only a claim: the services hold it against what they know. */
export async function resume(
  cx: LoginContext,
  { returned, method }: LeftLogin,
): Promise<Login | BackToStart> {
  if (returned.kind === 'oauth') {
    const { loginAtProvider } = await import('./oauth.ts')
    return loginAtProvider(cx, method, returned)
  }
  if (returned.kind === 'wallet-browser') {
    const { goOnInWallet } = await import('./wallet-browser.ts')
    return goOnInWallet(cx, returned, method)
  }
  const { loginWithTelegram } = await import('./telegram.ts')
  const proof = returned.kind === 'mini-app' ? webAppProof(returned.data) : widgetProof(returned.fields)
  return proof ? loginWithTelegram(cx, proof) : { back: true }
}
