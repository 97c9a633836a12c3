import { captchaNeeded } from '../../auth/captcha-needed.ts'
import { lazily } from '../../errors/lazily.ts'
import type { LoginContext } from './context.ts'

const loadCheck = lazily(() => import('./check-human.ts'))

/**
 * Passes the app's captcha, if it has one and nobody is logged in already: else there is no token, and none is needed.
 * Resolves with `'back'` when the person gives up. Spec §4 "Login inputs".
 */
export async function passCaptcha(cx: LoginContext): Promise<{ token: string | undefined } | 'back'> {
  if (!captchaNeeded(cx.config) || cx.session.user.get()) return { token: undefined }
  const { checkHuman } = await loadCheck()
  return checkHuman(cx)
}
