import type { LoginContext } from '../context.ts'
import { checkHuman } from './flow.ts'
import { captchaNeeded } from './needed.ts'

/**
 * Passes the app's captcha, if it has one and nobody is logged in already; otherwise there is no token, and
 * none is needed. Resolves with `'back'` when the person gives up.
 */
export async function passCaptcha(cx: LoginContext): Promise<{ token: string | undefined } | 'back'> {
  if (!captchaNeeded(cx.config) || cx.session.user.get()) return { token: undefined }
  return checkHuman(cx)
}
