import { addWords } from '../../copy/copy.ts'
import { code as codeWords } from '../../copy/en/code.ts'
import { mfa } from '../../copy/en/mfa.ts'
import { Closed } from '../../dialog/stage.ts'
import type { EnrollCalls, MfaContext } from '../calls.ts'
import { mfaCode } from '../enter-code.tsx'
import { mfaLimits } from '../limits.ts'
import { mfaLoading } from '../loading.tsx'
import type { MfaMethod, MfaPerson } from '../methods.ts'
import { removeFactor } from '../remove/flow.ts'
import { failureWords } from '../words.ts'
import { authenticator } from './authenticator.tsx'
import { chooseMethod } from './choose-method.tsx'
import { mfaEnrolled } from './enrolled.tsx'
import { mfaPhone } from './enter-phone.tsx'
import { mfaIntro } from './intro.tsx'
import { mfaPasskeys } from './passkeys.tsx'
import { recoveryCodes } from './recovery-codes.tsx'

addWords(mfa, codeWords)

/**
 * Lets a person add second factors and take them away. Resolves once they have what they came for. Throws {@link Closed} if they
 * leave before that, and what `calls` throws that has nothing to do with factors.
 * @param wanted the factor to be enrolled; without it, the person chooses
 * @param options.canGoBack the person came from a larger screen, to which going back leads
 */
export async function enrollFactors(
  cx: MfaContext,
  calls: EnrollCalls,
  wanted?: MfaMethod,
  { canGoBack = false }: { canGoBack?: boolean | undefined } = {},
): Promise<void> {
  const { stage } = cx
  let person = await stage.during(mfaLoading, { what: 'methods' }, calls.person)
  if (wanted) {
    const left = await enrollOne(cx, calls, wanted, person)
    if (left === 'back') throw new Closed('The person went back')
    if (left) throw left.cause
    return
  }
  let introduced = person.methods.length > 0
  const toIntro = !introduced
  let changed = false
  let error: string | undefined
  for (;;) {
    if (!introduced) {
      if ((await stage.ask(mfaIntro, {})) === 'not-now') throw new Closed('The person does not want it now')
      introduced = true
    }
    const { methods: enrolled, smsIsLogin, recoveryCodesLeft } = person
    const answer = await stage.ask(chooseMethod, {
      offered: calls.offered,
      enrolled,
      smsIsLogin,
      recoveryCodesLeft,
      back: canGoBack || (toIntro && !changed),
      ...(error && { error }),
    })
    error = undefined
    if (answer === 'back') {
      if (!toIntro || changed) throw new Closed('The person went back')
      introduced = false
      continue
    }
    if (answer === 'codes') {
      error = await showRecoveryCodes(cx, calls)
    } else if ('remove' in answer) {
      if (await removeFactor(cx, calls, answer.remove, person)) changed = true
    } else {
      const left = await enrollOne(cx, calls, answer.enroll, person)
      if (!left) return
      error = left === 'back' ? undefined : left.error
    }
    person = await stage.during(mfaLoading, { what: 'methods' }, calls.person)
    // The app no longer offers any, and the person's last one is gone.
    if (calls.offered.length + person.methods.length === 0) return
  }
}

/** Enrols one factor, and says so. Resolves with why that has not been done. */
async function enrollOne(
  cx: MfaContext,
  calls: EnrollCalls,
  method: MfaMethod,
  person: MfaPerson,
): Promise<'back' | { error: string; cause: unknown } | undefined> {
  const { stage } = cx
  try {
    if ((await enrollers[method](cx, calls, person)) === 'back') return 'back'
  } catch (cause) {
    return { error: wordsFor(cx, calls, cause), cause }
  }
  const offersCodes = person.recoveryCodesLeft === 0
  let error: string | undefined
  for (;;) {
    const answer = await stage.ask(mfaEnrolled, { method, offersCodes, ...(error && { error }) })
    if (answer === 'done') return undefined
    error = await showRecoveryCodes(cx, calls)
    if (error === undefined) return undefined
  }
}

type Enroller = (cx: MfaContext, calls: EnrollCalls, person: MfaPerson) => Promise<'done' | 'back'>
const enrollers: Record<MfaMethod, Enroller> = {
  async totp(cx, calls) {
    const { stage } = cx
    const made = await calls.initTotp(stage.signal)
    for (;;) {
      if ((await stage.ask(authenticator, made)) === 'back') return 'back'
      const came = await withCode(cx, calls, { via: 'totp' }, (code) => calls.enrollTotp(code, stage.signal))
      if (came === 'done') return came
    }
  },

  async sms(cx, calls) {
    const { stage, clock } = cx
    const { appName, country } = calls
    let phone = ''
    let sentTo: string | undefined
    let resendAt = 0
    let error: string | undefined
    const send = async () => {
      await calls.initSms(phone, stage.signal)
      sentTo = phone
      resendAt = clock.now() + mfaLimits.resendCooldown
    }
    for (;;) {
      const answer = await stage.ask(mfaPhone, { appName, country, value: phone, ...(error && { error }) })
      if (answer === 'back') return 'back'
      error = undefined
      phone = answer.phone
      // The code that this number was just sent is still good.
      if (phone !== sentTo || resendAt <= clock.now()) error = await orWords(cx, calls, send)
      if (error !== undefined) continue
      const resendIn = () => Math.max(0, resendAt - clock.now())
      const came = await withCode(
        cx,
        calls,
        { via: 'sms', to: answer.shown, resendIn, resend: send },
        (code) => calls.enrollSms(phone, code, stage.signal),
      )
      if (came === 'done') return came
    }
  },

  async passkey(cx, calls, { passkeys: known }) {
    const { stage, t } = cx
    let passkeys = known
    let error: string | undefined
    for (;;) {
      const answer = await stage.ask(mfaPasskeys, { passkeys, ...(error && { error }) })
      if (answer === 'back') return 'back'
      try {
        if (answer === 'add') {
          await calls.addPasskey(stage.signal)
          passkeys = (await calls.person(stage.signal)).passkeys
        }
        if (await calls.enrollPasskeys(passkeys, stage.signal)) return 'done'
        error = undefined
      } catch (cause) {
        error = wordsFor(cx, calls, cause)
        if (calls.failureOf(cause) !== 'other') continue
        // Another tab may have unlinked one, or added the last for which there was room: the same list would be refused each time.
        const shown = passkeys
        passkeys = await calls.person(stage.signal).then(
          (person) => person.passkeys,
          () => shown,
        )
        if (idsOf(passkeys).join() !== idsOf(shown).join()) error = t('mfa.passkeys.changed')
      }
    }
  },
}

const idsOf = (passkeys: MfaPerson['passkeys']): readonly string[] => passkeys.map(({ id }) => id)

interface CodeAsked {
  readonly via: 'totp' | 'sms'
  readonly to?: string
  resendIn?(): number
  resend?(): Promise<void>
}

/** Asks for a code until it is right, or the person goes back to where it comes from. */
async function withCode(
  cx: MfaContext,
  calls: EnrollCalls,
  { via, to, resendIn, resend }: CodeAsked,
  use: (code: string) => Promise<void>,
): Promise<'done' | 'back'> {
  const { stage } = cx
  let error: string | undefined
  for (;;) {
    const answer = await stage.ask(mfaCode, {
      use: 'enroll',
      via,
      to,
      resendIn: resendIn?.(),
      ...(error && { error }),
    })
    if (answer === 'resend' && resend) error = await orWords(cx, calls, resend)
    else if (typeof answer === 'string') return 'back'
    else {
      error = await orWords(cx, calls, () => use(answer.code))
      if (error === undefined) return 'done'
    }
  }
}

/**
 * Makes new recovery codes and shows them until the person says that they are saved. Resolves with words for why there are none.
 */
export async function showRecoveryCodes(cx: MfaContext, calls: EnrollCalls): Promise<string | undefined> {
  let codes: readonly string[] = []
  const error = await orWords(cx, calls, async () => {
    codes = await calls.newRecoveryCodes(cx.stage.signal)
  })
  if (error === undefined) await cx.stage.ask(recoveryCodes, { codes, appName: calls.appName })
  return error
}

/** Words for a failure that the person can do something about; `undefined` once it is done. */
async function orWords(
  cx: MfaContext,
  calls: EnrollCalls,
  work: () => Promise<void>,
): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (cause) {
    return wordsFor(cx, calls, cause)
  }
}

function wordsFor({ stage, t, report }: MfaContext, calls: EnrollCalls, cause: unknown): string {
  stage.signal.throwIfAborted()
  const failure = calls.failureOf(cause)
  if (!failure) throw cause
  report(cause)
  return t(failureWords[failure])
}
