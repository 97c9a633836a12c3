import type { Login, LoginContext } from '../context.ts'
import { loginLimits } from '../limits.ts'
import { type EnterCodeProps, enterCode } from './enter-code.tsx'
import type { CodeAuth, Send } from './service.ts'

/** What a code leads to is a call, because it may fail in ways that lead on to other screens. */
export interface GivenCode {
  readonly login: () => Promise<Login>
  /** Whether it can be tried again with the same code; otherwise the boxes ask for it once more. */
  readonly kept: boolean
}

/** The six boxes, wherever they are drawn. */
export interface CodeBoxes {
  /** Asks for a code; without it, the page itself does. */
  readonly send?: Send
  /** Shows the boxes. */
  ask(screen: EnterCodeProps): Promise<'resend' | 'back' | GivenCode>
  /** They are no longer needed. */
  close?(): void
}

/** The boxes as this page draws them. */
export const ownBoxes = ({ stage }: LoginContext, auth: CodeAuth): CodeBoxes => ({
  async ask(screen) {
    const answer = await stage.ask(enterCode, screen)
    if (typeof answer === 'string') return answer
    return {
      kept: true,
      async login() {
        const login = await auth.loginWithCode(answer, { signal: stage.signal })
        await stage.hold(enterCode, { ...screen, accepted: true }, loginLimits.successBeforeNext)
        return login
      },
    }
  },
})
