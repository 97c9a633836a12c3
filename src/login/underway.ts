import { untilLoaded } from '../app/failure/until-loaded.ts'
import type { Login, LoginContext } from './context.ts'
import { resume } from './methods.ts'

/**
 * Who need not choose a way to log in: somebody who has a session but whose login is not finished yet, or who is back from where a
 * login had left the page for. Resolves with nobody when they go back instead.
 */
export async function underway(cx: LoginContext): Promise<Login | undefined> {
  const { user, recent = 'email', recentWallet, returned } = cx
  if (user && !user.isGuest) {
    const method = recentWallet ? (recentWallet.chainType === 'solana' ? 'siws' : 'siwe') : recent
    return { user, isNewUser: false, method, account: undefined }
  }
  if (!returned) return undefined
  const outcome = await untilLoaded(cx, () => resume(cx, returned))
  return outcome === 'back' || 'back' in outcome ? undefined : outcome
}
