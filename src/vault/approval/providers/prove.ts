/** Fresh logins at providers that the vault's window runs: to enrol this device, and to link an account. */
import type { Stage } from '../../../dialog/stage.ts'
import { enrolWithProvider } from '../../device/enrol.ts'
import { VaultError } from '../../errors.ts'
import { vaultLimits } from '../../limits.ts'
import { isVisitedProvider } from '../../providers.ts'
import type { ProviderFactor } from '../../server/devices.ts'
import { telegramResult } from '../../server/telegram-result.ts'
import {
  answerVisit,
  type BegunVisit,
  beginEnrolmentVisit,
  beginLinkVisit,
  finishLinkVisit,
  isWrongAccount,
  type VisitCode,
} from '../../server/visits.ts'
import { type Asking, untilReached } from '../recover/ask.ts'
import { awaitingFarcaster } from './screens.ts'
import { type Returned, visit } from './visit.ts'

/** Enrols this device by a fresh login with one of the user's accounts. Resolves with 'back' if they want another way. */
export async function proveWithProvider(
  cx: Asking,
  stage: Stage,
  { id, provider, hint }: ProviderFactor,
): Promise<{ done: Record<never, never> } | 'back'> {
  const came = await logInAt(
    cx,
    stage,
    { provider, purpose: 'enrol', hint },
    async () => beginEnrolmentVisit(cx.vault, await cx.token(), id),
    async (code) => enrolWithProvider(cx.vault, await cx.token(), code),
  )
  return came === 'back' ? came : { done: {} }
}

/**
 * Has the user log in with an account that is to be linked. Resolves with the change that waits for their approval (`undefined` if
 * nothing has to be approved), or with 'back'.
 */
export const linkWithProvider = (
  cx: Asking,
  stage: Stage,
  provider: string,
): Promise<{ done: string | undefined } | 'back'> =>
  logInAt(
    cx,
    stage,
    { provider, purpose: 'link' },
    async () => beginLinkVisit(cx.vault, await cx.token(), provider),
    async (code) => finishLinkVisit(cx.vault, await cx.token(), code),
  )

async function logInAt<T>(
  cx: Asking,
  stage: Stage,
  about: {
    readonly provider: string
    readonly purpose: 'enrol' | 'link'
    readonly hint?: string | undefined
  },
  begin: () => Promise<BegunVisit>,
  finish: (code: VisitCode) => Promise<T>,
): Promise<{ done: T } | 'back'> {
  const { provider } = about
  if (!isVisitedProvider(provider))
    throw new VaultError('invalid_request_arguments', 'The vault does not know this provider')
  if (provider === 'farcaster') return scanFarcaster(cx, stage, begin, finish)
  return visit(cx, stage, { ...about, provider, hint: about.hint || undefined }, begin, async (fields) =>
    finish(await codeOf(cx, provider, fields)),
  )
}

/** The code that a callback has made of the provider's answer; Telegram's is made of what it signed. */
async function codeOf(cx: Asking, provider: string, fields: Returned): Promise<VisitCode> {
  const { state = '', code } = fields
  if (provider !== 'telegram') {
    if (code === undefined) throw noAnswer()
    return { state, code }
  }
  const result = telegramResult(fields)
  const answered = result && (await answerVisit(cx.vault, await cx.token(), state, result))
  if (!answered) throw noAnswer()
  return answered
}

const noAnswer = () => new VaultError('error', 'The provider sent no answer that can be used')

/** Farcaster's app signs for the vault's own host; the server asks its relay for that. */
async function scanFarcaster<T>(
  cx: Asking,
  stage: Stage,
  begin: () => Promise<BegunVisit>,
  finish: (code: VisitCode) => Promise<T>,
): Promise<{ done: T } | 'back'> {
  const { clock } = cx.vault
  const { t } = cx
  for (;;) {
    const { url: uri, state } = await untilReached(cx, stage, begin)
    const asking = { uri, mobile: isPhone() }
    const until = clock.now() + vaultLimits.farcasterAnswer
    const answered = async (signal: AbortSignal): Promise<VisitCode | undefined> => {
      while (clock.now() < until) {
        await clock.sleep(vaultLimits.farcasterCheck, signal)
        const code = await answerVisit(cx.vault, await cx.token(), state)
        if (code) return code
      }
      return undefined
    }
    let problem: { title: string; detail: string; retryable: boolean; expired?: typeof asking }
    try {
      const came = await stage.askDuring(awaitingFarcaster, { state: 'waiting', ...asking }, answered)
      if ('answer' in came) return 'back'
      const code = came.done
      if (code)
        return { done: await stage.during(awaitingFarcaster, { state: 'checking' }, () => finish(code)) }
      const words = { title: t('visit.silent.title', farcaster), detail: t('visit.silent.text') }
      problem = { ...words, retryable: true, expired: asking }
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!(cause instanceof VaultError)) throw cause
      cx.shown(cause)
      problem = isWrongAccount(cause)
        ? { title: t('visit.other.title'), detail: t('visit.other.text', farcaster), retryable: true }
        : { title: t('visit.failed.title', farcaster), detail: t('visit.failed.text'), retryable: true }
    }
    const answer = await stage.ask(awaitingFarcaster, { state: 'failed', ...problem })
    if (answer === 'back') return answer
  }
}

const farcaster = { provider: 'Farcaster' }
const isPhone = () => /Mobi|Android/i.test(globalThis.navigator?.userAgent ?? '')
