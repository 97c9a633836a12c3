/** Has the person verified where the vault wants that, and asks for their passkeys; loaded when that is first needed. */

import type { FlowContext } from '../../app/flow-context.ts'
import { addWords } from '../../copy/copy.ts'
import { approval } from '../../copy/en/approval.ts'
import { errors } from '../../copy/en/errors.ts'
import type { Runs } from '../../dialog/runs.ts'
import type { Stage } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { type Clock, TimedOut, within } from '../../lib/clock.ts'
import type { Emitter } from '../../lib/emitter.ts'
import type { Store } from '../../lib/store.ts'
import { plainCode } from '../../lib/typed-text.ts'
import type { PasskeyAuth } from '../../login/passkey/service.ts'
import { verifyFailureOf } from '../../mfa/errors.ts'
import { mfaLimits } from '../../mfa/limits.ts'
import { isMfaMethod, type MfaGiven, type MfaMethod } from '../../mfa/methods.ts'
import { verifyIdentity } from '../../mfa/verify/flow.ts'
import { NotVerified } from '../../mfa/verify/not-verified.ts'
import { pendingChangeOf } from '../../protocol/account-changes.ts'
import type { MfaPurpose } from '../../protocol/frame/calls.ts'
import { notVerified } from '../../protocol/frame/messages.ts'
import type { Http } from '../../protocol/http.ts'
import { getMfa, startMfaPasskey, startMfaSms } from '../../protocol/mfa.ts'
import { type Assertion, assertionBody, type VerifyOptions } from '../../protocol/passkeys.ts'
import type { ApprovalMfa } from '../../wallets/approval/approval-frame.ts'
import { approve } from '../../wallets/approval/flow.ts'
import { mfaFailure } from '../../wallets/embedded/vault-frame.ts'
import type { MfaFields, Verifying } from '../../wallets/embedded/verifying.ts'
import type { WalletServices } from '../../wallets/services.ts'
import type { KitEvents, MfaState } from '../api.ts'

addWords(approval, errors)

export interface SecondFactors {
  readonly verified: Verifying['verified']
  readonly passkey: ApprovalMfa['passkey']
  /** For hosts that draw their own prompt; see {@link KitMfa}. */
  init(method: MfaMethod): Promise<VerifyOptions | undefined>
  submit(method: MfaMethod, given: string | object): Promise<void>
  cancel(): void
}

export interface SecondFactorsParts {
  readonly http: () => Http
  readonly origin: string
  readonly clock: Clock
  readonly runs: Runs
  readonly events: Emitter<KitEvents>
  readonly state: Store<MfaState>
  /** Whether the host draws the prompt. */
  hostPrompts(): boolean
  readonly isStrict: () => boolean
  flow(stage: Stage): FlowContext
  wallets(): WalletServices
  passkeys(): Promise<PasskeyAuth>
  /** Has the browser make a passkey, and links it to the person. Throws the pending change where that has to be approved. */
  linkPasskey(signal: AbortSignal): Promise<void>
}

/** A request that waits for the host to have somebody verified. */
interface Waiting {
  attempt(given: MfaFields): Promise<void>
  end(why: KitError): void
}

export function createSecondFactors(cx: SecondFactorsParts): SecondFactors {
  const { origin, clock, runs, events, state } = cx
  let waiting: Waiting | undefined
  /** One prompt at a time: being verified may serve every request that waits for it. */
  let prompting: Promise<void> | undefined

  const askPasskey = async (signal?: AbortSignal): Promise<Assertion> => {
    const auth = await cx.passkeys()
    return auth.prove((own) => startMfaPasskey(cx.http(), { origin }, { signal: own, fromDialog: true }), {
      signal,
    })
  }
  const methodsNow = async (signal: AbortSignal | undefined) => {
    const { methods, recoveryCodesLeft } = await getMfa(cx.http(), { signal })
    return { methods: methods.filter(isMfaMethod), recoveryCodes: recoveryCodesLeft > 0 }
  }
  const fieldsOf = (given: MfaGiven): MfaFields =>
    given.method === 'passkey'
      ? { mfaMethod: 'passkey', mfaCode: given.response, relyingParty: origin }
      : { mfaMethod: given.method, mfaCode: given.code, relyingParty: origin }

  /** In a dialog of the kit: a code is right if the request that is sent with it is not refused because of it. */
  async function inDialog<T>(
    request: (given: MfaFields) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const known = await methodsNow(signal)
    if (known.methods.length === 0) throw noFactor()
    state.set({ status: 'prompting', methods: known.methods })
    let why: KitError | undefined
    try {
      return await runs.interpose('mfa', mfaFailure('mfa_canceled'), { signal }, (stage) => {
        const { t, report } = cx.flow(stage)
        return verifyIdentity(
          { stage, clock, t, report: (cause) => cause instanceof KitError && report(cause) },
          {
            ...known,
            sendCode: (own) => startMfaSms(cx.http(), { signal: own, fromDialog: true }),
            askPasskey: async (own) => assertionBody(await askPasskey(own)),
            verify: (given) => request(fieldsOf(given)),
            failureOf: verifyFailureOf,
          },
        ).catch((cause: unknown) => {
          if (!(cause instanceof NotVerified)) throw cause
          // Here, because a run of its own makes an unknown error of what is no KitError.
          why = mfaFailure(failures[cause.why])
          throw why
        })
      })
    } catch (cause) {
      if (why && cause === why) runs.refuse(why)
      throw cause
    } finally {
      state.set({ status: 'idle' })
    }
  }

  /** In the vault's own frame, which keeps what shows that the person is verified. */
  async function inVault(purpose: MfaPurpose, signal: AbortSignal | undefined): Promise<void> {
    await runs.interpose('mfa', mfaFailure('mfa_canceled'), { signal }, (stage) =>
      approve({ ...cx.flow(stage), wallets: cx.wallets() }, 'mfa-verify', 'mfa', async (show) =>
        show({ action: 'verify', purpose }),
      ),
    )
  }

  /** By the host's own screens: they hear of it, and call `submit` or `cancel`. */
  async function byHost<T>(
    request: (given: MfaFields) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { methods } = await methodsNow(signal)
    let wrong = 0
    const over = new Promise<T>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      waiting = {
        end: reject,
        async attempt(given) {
          try {
            resolve(await request(given))
          } catch (cause) {
            const failure = verifyFailureOf(cause)
            if (failure === undefined || failure === 'max-attempts') reject(cause)
            else if (failure === 'wrong' && ++wrong >= mfaLimits.attempts)
              reject(mfaFailure('mfa_verification_max_attempts_reached'))
            throw cause
          }
        },
      }
    })
    over.catch(() => {})
    state.set({ status: 'required', methods })
    events.emit('mfa-required', { methods })
    try {
      return await within(clock, mfaLimits.prompt, () => over, signal)
    } catch (cause) {
      const why = cause instanceof TimedOut ? mfaFailure('mfa_timeout') : cause
      // As in the kit's own dialog: what waited for somebody who is not verified neither goes on nor is tried again.
      if (why instanceof KitError && notVerified.has(why.code)) runs.refuse(why)
      throw why
    } finally {
      waiting = undefined
      state.set({ status: 'idle' })
    }
  }

  const verified: SecondFactors['verified'] = (purpose, request, signal) => {
    const before = prompting
    const own = (async () => {
      if (before) {
        await before
        try {
          return await request()
        } catch (cause) {
          if (!(cause instanceof KitError) || cause.code !== 'missing_or_invalid_mfa') throw cause
        }
      }
      if (!cx.isStrict()) return cx.hostPrompts() ? byHost(request, signal) : inDialog(request, signal)
      await inVault(purpose, signal)
      return request()
    })()
    const settled = own.then(nothing, nothing).finally(() => {
      if (prompting === settled) prompting = undefined
    })
    prompting = settled
    return own
  }

  const mustWait = () => {
    if (!waiting) throw new KitError('invalid_state', 'Nothing waits for the person to be verified')
    return waiting
  }
  return {
    verified,
    async passkey(want, signal) {
      if (want === 'verify') return assertionBody(await askPasskey(signal))
      try {
        await cx.linkPasskey(signal)
        return {}
      } catch (cause) {
        const change = pendingChangeOf(cause)
        if (!change) throw cause
        return { change: change.id }
      }
    },
    async init(method) {
      if (!isMfaMethod(method)) throw unsupported()
      if (method === 'sms') await startMfaSms(cx.http())
      return method === 'passkey' ? startMfaPasskey(cx.http(), { origin }) : undefined
    },
    async submit(method, given) {
      const { attempt } = mustWait()
      if (method === 'passkey') {
        if (typeof given !== 'object') throw unsupported()
        const assertion =
          'response' in given
            ? (given as Assertion)
            : await (await cx.passkeys()).prove(async () => given as VerifyOptions)
        return attempt(fieldsOf({ method, response: assertionBody(assertion) }))
      }
      if (!isMfaMethod(method) || typeof given !== 'string') throw unsupported()
      return attempt(fieldsOf({ method, code: plainCode(given) }))
    },
    cancel: () => waiting?.end(mfaFailure('mfa_canceled')),
  }
}

const failures = {
  canceled: 'mfa_canceled',
  timeout: 'mfa_timeout',
  'max-attempts': 'mfa_verification_max_attempts_reached',
} as const satisfies Record<NotVerified['why'], string>

const nothing = () => {}
const unsupported = () => new KitError('unsupported_mfa_method', 'Unsupported MFA method')
const noFactor = () => new KitError('missing_mfa_enrollment', 'The person has no second factor')
