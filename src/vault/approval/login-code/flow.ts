import { failure } from '../../../app/failure/failure.tsx'
import { addWords } from '../../../copy/copy.ts'
import { code as codeWords } from '../../../copy/en/code.ts'
import { errors } from '../../../copy/en/errors.ts'
import { login as loginWords } from '../../../copy/en/login.ts'
import { sms as smsWords } from '../../../copy/en/sms.ts'
import { errorScreenVerdict } from '../../../errors/error-screen.ts'
import { KitError } from '../../../errors/kit-error.ts'
import type { Verdict } from '../../../errors/verdict.ts'
import { say } from '../../../errors/words.ts'
import { limits } from '../../../lib/limits.ts'
import { isPlainObject, parsePlain } from '../../../lib/plain.ts'
import { enterCode } from '../../../login/code/enter-code.tsx'
import { loginCodeVerdict } from '../../../login/code/errors.ts'
import { smsVerdict } from '../../../login/code/sms-errors.ts'
import { loginLimits } from '../../../login/limits.ts'
import type { ApprovalRequests, ServerReply } from '../../../protocol/frame/approval.ts'
import { toFrameErrorType } from '../../../protocol/frame/messages.ts'
import { VaultError } from '../../errors.ts'
import { codeCalls } from '../../server/login.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'

addWords(codeWords, errors, loginWords, smsWords)

type Context = ApprovalContext<'login-code'>

/**
 * Has a code sent that only this browser can use, and lets the person type it where no page can read it. Each time the page
 * learns what the server has answered, and says what follows.
 */
export const loginCode: PurposeFlow<'login-code'> = async (cx) => {
  let asked = cx.asked.get()
  let problem: string | undefined
  for (;;) {
    if (!isSaid(asked))
      throw new VaultError('invalid_request_arguments', 'The code goes to another address than the one shown')
    if (asked.send) {
      const sent = await codeCalls(cx.vault, asked.via).send(asked.to, asked.send.captchaToken)
      problem = wordsFor(cx, sent, asked.via === 'sms' ? smsVerdict : errorScreenVerdict)
      asked = await cx.turn({ sent })
      continue
    }
    const { shown: to, via, resendIn, failed } = asked
    const screen = { to, via, resendIn, ...(failed && { error: problem }) }
    const given = await cx.stage.ask(enterCode, screen)
    if (typeof given === 'string') {
      asked = await cx.turn({ wants: given })
      continue
    }
    const login = await untilAnswered(cx, asked, given.code)
    if (login === 'back') {
      asked = await cx.turn({ wants: 'back' })
      continue
    }
    problem = wordsFor(cx, login, loginCodeVerdict)
    if (isGood(login))
      await cx.stage.hold(enterCode, { ...screen, accepted: true }, loginLimits.successBeforeNext)
    asked = await cx.turn({ login })
  }
}

/**
 * Logs in with a code. As long as the server can't be reached the person may try again with what they have typed, which never leaves
 * this frame and is forgotten with the server's answer, on the way back and with the frame.
 */
async function untilAnswered(
  cx: Context,
  { via, to, mode }: ApprovalRequests['login-code'],
  code: string,
): Promise<ServerReply | 'back'> {
  for (;;) {
    const accessToken = await cx.tokenText()
    const login = await codeCalls(cx.vault, via).authenticate({ to, code, mode }, accessToken)
    if (!('silent' in login)) return login
    const error = failureOf(login)
    const verdict = loginCodeVerdict(error)
    if (verdict.show !== 'screen') return login
    cx.shown(new VaultError(toFrameErrorType(error.code), 'The server has not answered'))
    const { title, detail } = verdict
    const words = { title: cx.t(title), detail: say(cx.t, detail) }
    if ((await cx.stage.ask(failure, { ...words, action: 'retry', back: true })) !== 'retry') return 'back'
  }
}

/** So that nobody reads one address while the code has gone to another. A number is written as people read it. */
function isSaid({ via, to, shown }: ApprovalRequests['login-code']): boolean {
  const plain = (number: string) => number.replaceAll(/[\s()./\u2010-\u2015-]/g, '')
  return shown === to || (via === 'sms' && plain(shown) === plain(to))
}

const isGood = (reply: ServerReply) => 'status' in reply && reply.status >= 200 && reply.status <= 299

/** The words for a failure that leaves the person at the boxes. */
function wordsFor({ t }: Context, reply: ServerReply, judge: (error: KitError) => Verdict): string {
  const verdict = judge(failureOf(reply))
  return 'words' in verdict ? say(t, verdict.words) : t('error.code.other')
}

const silences = {
  network: 'network_unavailable',
  timeout: 'client_request_timeout',
  'too-large': 'malformed_response',
} as const

function failureOf(reply: ServerReply): KitError {
  if ('silent' in reply) return new KitError(silences[reply.silent], '')
  const body = parsePlain(reply.text, limits.responseSize)
  const { code, error } = isPlainObject(body) ? body : {}
  return new KitError(
    typeof code === 'string' ? code : 'unknown_auth_error',
    typeof error === 'string' ? error : '',
  )
}
