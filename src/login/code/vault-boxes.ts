import { addWords } from '../../copy/copy.ts'
import { approval as words } from '../../copy/en/approval.ts'
import { toKitError } from '../../errors/kit-error.ts'
import type { ApprovalAnswers, ApprovalRequests } from '../../protocol/frame/approval.ts'
import { approvalScreen } from '../../wallets/approval/approval.tsx'
import type { Approval } from '../../wallets/approval/approval-frame.ts'
import type { LoginContext, PrepareContext } from '../context.ts'
import type { CodeBoxes } from './boxes.ts'
import { enterCode } from './enter-code.tsx'
import { type CodeAuth, loginMode } from './service.ts'

addWords(words)

type Asked = ApprovalRequests['login-code']

/** Whether the code is for the vault alone: it lets this browser use the person's wallets as well. */
export const vaultTakesCode = ({ config, purpose }: Pick<LoginContext, 'config' | 'purpose'>): boolean =>
  purpose.kind === 'login' &&
  config.vault === 'strict' &&
  (config.createOnLogin !== 'off' || config.createSolanaOnLogin !== 'off')

/** Loads what the boxes need while the address is typed. */
export async function prepareBoxes(cx: PrepareContext): Promise<void> {
  if (!vaultTakesCode(cx)) return
  const approving = await cx.wallets.approving()
  approving.prepare('login-code', cx.signal)
}

/** The boxes in the vault's own frame, which also has the code sent: no other browser can use it, and no page reads it. */
export function vaultBoxes(
  cx: LoginContext,
  auth: CodeAuth,
  where: Pick<Asked, 'via' | 'to' | 'shown'>,
): CodeBoxes {
  const { stage } = cx
  const mode = loginMode(cx.options.disableSignup ?? false)
  let approval: Approval<'login-code'> | undefined
  stage.signal.addEventListener('abort', () => approval?.close())

  /** Asks the frame; it is opened anew if another screen has taken its place meanwhile. */
  async function ask(
    more: Pick<Asked, 'send' | 'resendIn' | 'failed'>,
  ): Promise<ApprovalAnswers['login-code']> {
    const approving = await cx.wallets.approving()
    if (!approval || approval.gone.aborted) approval = approving.open('login-code', cx.report)
    const place = approval
    return stage.during(approvalScreen(enterCode.id), { place, title: cx.t('login.code.title') }, () =>
      place.ask({ ...where, mode, ...more }),
    )
  }

  return {
    async send({ captchaToken }) {
      const answer = await ask({ resendIn: 0, send: { ...(captchaToken && { captchaToken }) } })
      if ('sent' in answer) await auth.readSent(answer.sent)
    },
    async ask({ resendIn, error }) {
      const failed = error !== undefined
      const outcome = await ask({ resendIn, ...(failed && { failed }) }).catch((cause: unknown) => {
        stage.signal.throwIfAborted()
        return { failure: toKitError(cause) }
      })
      if ('wants' in outcome) return outcome.wants
      return {
        kept: false,
        login: async () => {
          if ('failure' in outcome) throw outcome.failure
          if (!('login' in outcome)) throw new Error('The frame has answered something else')
          return auth.finish(outcome.login, { signal: stage.signal })
        },
      }
    },
    close: () => approval?.close(),
  }
}
