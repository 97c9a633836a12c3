import { addWords } from '../../copy/copy.ts'
import { code as codeWords } from '../../copy/en/code.ts'
import { mfa } from '../../copy/en/mfa.ts'
import type { Screen } from '../../dialog/screen.ts'
import { Closed } from '../../dialog/stage.ts'
import { TimedOut, within } from '../../lib/clock.ts'
import type { MfaContext, VerifyCalls } from '../calls.ts'
import { mfaCode } from '../enter-code.tsx'
import { mfaLimits } from '../limits.ts'
import { mfaLoading } from '../loading.tsx'
import type { MfaFailure, MfaGiven } from '../methods.ts'
import { failureWords, isBlocking } from '../words.ts'
import { chooseVerification, type Verification } from './choose-verification.tsx'
import { enterRecoveryCode } from './enter-recovery-code.tsx'
import { NotVerified } from './not-verified.ts'
import { verifyPasskey } from './verify-passkey.tsx'

addWords(mfa, codeWords)

/** How one verification ended: it did its work, or the person wants another one. */
type Ended<T> = { readonly verified: T } | 'other'

/**
 * Asks a person to verify who they are with one of their second factors. Resolves with what being verified led to.
 * Throws {@link NotVerified} if they don't, or no longer can, and what `calls` throws that has nothing to do with factors.
 */
export async function verifyIdentity<T>(cx: MfaContext, calls: VerifyCalls<T>): Promise<T> {
  const { stage, clock, t } = cx
  const verifications: readonly Verification[] = [
    ...calls.methods,
    ...(calls.recoveryCodes ? (['recovery'] as const) : []),
  ]
  const others = verifications.length > 1
  const until = clock.now() + mfaLimits.prompt
  let wrong = 0
  let block: 'max-attempts' | 'timeout' | undefined
  let resendAt: number | undefined
  const blocked = () => block && t(failureWords[block])

  /** Asks; when the prompt's time is over the same screen says so, and takes nothing more. */
  async function ask<P extends object, A>(
    screen: Screen<P, A | 'not-now'>,
    props: () => P,
  ): Promise<Exclude<A, 'not-now'>> {
    for (;;) {
      const came = block
        ? { answer: await stage.ask(screen, props()) }
        : await stage.askDuring(screen, props(), (signal) =>
            clock.sleep(Math.max(0, until - clock.now()), signal),
          )
      if ('done' in came) {
        block = 'timeout'
        continue
      }
      if (came.answer === 'not-now') throw new Closed('The person does not verify now')
      return came.answer as Exclude<A, 'not-now'>
    }
  }

  /** The words for a failure that the person can do something about. Throws any other one. */
  function wordsFor(cause: unknown): string {
    stage.signal.throwIfAborted()
    const failure: MfaFailure | undefined = calls.failureOf(cause)
    if (!failure) throw cause
    cx.report(cause)
    if (failure === 'wrong') wrong++
    if (isBlocking(failure)) block = failure
    else if (wrong >= mfaLimits.attempts) block = 'max-attempts'
    return t(failureWords[failure])
  }

  async function give(given: MfaGiven): Promise<{ verified: T; error?: never } | { error: string }> {
    try {
      return { verified: await calls.verify(given, stage.signal) }
    } catch (cause) {
      return { error: wordsFor(cause) }
    }
  }

  async function send(): Promise<string | undefined> {
    try {
      await calls.sendCode(stage.signal)
      resendAt = clock.now() + mfaLimits.resendCooldown
      return undefined
    } catch (cause) {
      resendAt ??= clock.now()
      return wordsFor(cause)
    }
  }

  async function byCode(via: 'totp' | 'sms'): Promise<Ended<T>> {
    let error: string | undefined
    // A text message that was just sent is still good after a look at the other verifications.
    if (via === 'sms' && (resendAt === undefined || resendAt <= clock.now()))
      error = await stage.during(mfaLoading, { what: 'code' }, send)
    for (;;) {
      const resendIn = Math.max(0, (resendAt ?? 0) - clock.now())
      const answer = await ask(mfaCode, () => ({
        use: 'verify' as const,
        via,
        others,
        blocked: blocked(),
        resendIn,
        ...(error && { error }),
      }))
      if (answer === 'other' || answer === 'back') return 'other'
      if (answer === 'resend') {
        error = await send()
        continue
      }
      const came = await give({ method: via, code: answer.code })
      if ('verified' in came) return came
      error = came.error
    }
  }

  /** Asks the browser for as long as the prompt takes answers, and gives what it has answered. */
  async function givePasskey(signal: AbortSignal) {
    let response: object
    try {
      response = await within(clock, Math.max(0, until - clock.now()), calls.askPasskey, signal)
    } catch (cause) {
      signal.throwIfAborted()
      if (!(cause instanceof TimedOut)) return { error: wordsFor(cause) }
      block = 'timeout'
      return { error: t(failureWords.timeout) }
    }
    return give({ method: 'passkey', response })
  }

  async function byPasskey(): Promise<Ended<T>> {
    for (;;) {
      const came = await stage.askDuring(verifyPasskey, { state: 'waiting', others }, givePasskey)
      if ('done' in came && 'verified' in came.done) return came.done
      if ('answer' in came) {
        if (came.answer === 'not-now') throw new Closed('The person does not verify now')
        return 'other'
      }
      const { error } = came.done
      const answer = await ask(verifyPasskey, () => ({
        state: 'failed' as const,
        detail: blocked() ?? error,
        blocked: block !== undefined,
        others,
      }))
      if (answer === 'other') return 'other'
    }
  }

  async function byRecoveryCode(): Promise<Ended<T>> {
    let error: string | undefined
    for (;;) {
      const answer = await ask(enterRecoveryCode, () => ({ blocked: blocked(), ...(error && { error }) }))
      if (answer === 'back') return 'other'
      const came = await give({ method: 'recovery', code: answer.code })
      if ('verified' in came) return came
      error = came.error
    }
  }

  const by = {
    totp: () => byCode('totp'),
    sms: () => byCode('sms'),
    passkey: byPasskey,
    recovery: byRecoveryCode,
  } as const satisfies Record<Verification, () => Promise<Ended<T>>>

  try {
    let only = calls.methods.length === 1 ? calls.methods[0] : undefined
    for (;;) {
      const chosen: Verification =
        only ?? (await ask(chooseVerification, () => ({ verifications, blocked: blocked() }))).verify
      only = undefined
      const ended = await by[chosen]()
      if (ended !== 'other') return ended.verified
    }
  } catch (cause) {
    if (!(cause instanceof Closed)) throw cause
    throw new NotVerified(block ?? 'canceled', { cause })
  }
}
