/** What a host asks of second factors; loaded with the first such call. The kit is ready. */
import { untilLoaded } from '../../app/failure/until-loaded.ts'
import { addWords } from '../../copy/copy.ts'
import { approval } from '../../copy/en/approval.ts'
import { errors } from '../../copy/en/errors.ts'
import { Closed, type Stage } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { plainCode, plainPhone } from '../../lib/typed-text.ts'
import type { EnrollCalls, MfaContext } from '../../mfa/calls.ts'
import { enrollFactors, showRecoveryCodes } from '../../mfa/enroll/flow.ts'
import { enrollFailureOf } from '../../mfa/errors.ts'
import { isMfaMethod, type MfaMethod, mfaMethods } from '../../mfa/methods.ts'
import { removeFactor } from '../../mfa/remove/flow.ts'
import type { ApprovalRequests } from '../../protocol/frame/approval.ts'
import { getMfa } from '../../protocol/mfa.ts'
import { passkeyName } from '../../protocol/user.ts'
import { approve } from '../../wallets/approval/flow.ts'
import type { FactorCalls } from '../../wallets/embedded/second-factors.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import type { EnrollmentInput, MfaOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Services } from '../services/services.ts'
import { isStrict, requirePerson } from './prompt.ts'

addWords(approval, errors)

/** Asks the server what has changed, tells the host, and resolves with the factors that the person has now. */
async function announced(cx: KitContext, before?: readonly string[]): Promise<readonly MfaMethod[]> {
  const { session } = await cx.services()
  await session.refreshUser()
  cx.app.update()
  const methods = (session.user.get()?.mfaMethods ?? []).filter(isMfaMethod)
  if (before?.join() !== methods.join()) cx.events.emit('mfa', { methods })
  return methods
}

/** Runs what a person does with their factors in a dialog. */
async function inDialog(
  cx: KitContext,
  { surface, signal }: MfaOptions,
  asked: ApprovalRequests['mfa'],
  own: (flow: MfaContext, calls: EnrollCalls) => Promise<unknown>,
): Promise<readonly MfaMethod[]> {
  return telling(cx, () => cx.runs.run('mfa', { surface, signal }, (stage) => onStage(cx, stage, asked, own)))
}

/** Lets the person add second factors, and take them away, where a dialog is open; going back leads to what it shows. */
export const enrollOnStage = (cx: KitContext, stage: Stage): Promise<readonly MfaMethod[]> =>
  telling(cx, () => {
    const asked = { ...enrollmentOf(cx), canGoBack: true }
    return onStage(cx, stage, asked, (flow, calls) => enrollFactors(flow, calls, undefined, asked))
  })

async function onStage(
  cx: KitContext,
  stage: Stage,
  asked: ApprovalRequests['mfa'],
  own: (flow: MfaContext, calls: EnrollCalls) => Promise<unknown>,
): Promise<void> {
  const services = await cx.services()
  const flow: WalletFlow = { ...cx.flow(stage), wallets: services.wallets }
  const embedded = await untilLoaded(flow, services.wallets.embedded)
  if (embedded === 'back') throw new Closed('The person turned back')
  if (isStrict(cx)) {
    await approve(flow, 'mfa', 'mfa', async (show) => show(asked))
    return
  }
  const { t, clock } = flow
  const report: MfaContext['report'] = (cause) => cause instanceof KitError && flow.report(cause)
  await own({ stage, t, clock, report }, callsOf(cx, services, embedded.factors, stage))
}

/** Tells the host what has changed once `run` is over, and of what was changed before it was left. */
async function telling(cx: KitContext, run: () => Promise<unknown>): Promise<readonly MfaMethod[]> {
  const { mfaMethods: before } = requirePerson(cx)
  try {
    await run()
  } catch (cause) {
    await announced(cx, before).catch(() => {})
    throw cause
  }
  return announced(cx)
}

/** Lets the person add second factors, and take them away. */
export const enroll = (
  cx: KitContext,
  { method, ...place }: MfaOptions & { method?: MfaMethod },
): Promise<readonly MfaMethod[]> => {
  return inDialog(cx, place, enrollmentOf(cx, method), (flow, calls) => enrollFactors(flow, calls, method))
}

function enrollmentOf(cx: KitContext, method?: MfaMethod) {
  const { offered, smsIsLogin, country } = offers(cx)
  return {
    action: 'enroll' as const,
    offered: [...offered],
    smsIsLogin,
    ...(method && { method }),
    ...(country && { country }),
  }
}

/** Removes one factor, once the person has agreed and is verified. */
export const remove = (
  cx: KitContext,
  method: MfaMethod,
  place: MfaOptions,
): Promise<readonly MfaMethod[]> => {
  requireKnown(method)
  return inDialog(cx, place, { action: 'remove', method }, async (flow, calls) => {
    const person = await calls.person(flow.stage.signal)
    if (!(await removeFactor(flow, calls, method, person))) throw canceled()
  })
}

/** Shows new recovery codes. */
export const recoveryCodes = async (cx: KitContext, place: MfaOptions): Promise<void> => {
  await inDialog(cx, place, { action: 'recovery-codes' }, async (flow, calls) => {
    const error = await showRecoveryCodes(flow, calls)
    if (error !== undefined) throw new KitError('unknown_mfa_error', error)
  })
}

/** Begins enrolling a factor without a screen of the kit, in a compatible app. */
export async function initEnrollment(
  cx: KitContext,
  input: { method: 'totp' } | { method: 'sms'; phoneNumber: string },
): Promise<{ secret?: string; authUrl?: string }> {
  const factors = await headless(cx)
  if (input.method === 'totp') return factors.initTotp()
  if (input.method !== 'sms') throw unsupported()
  await factors.initSms(plainPhone(input.phoneNumber))
  return {}
}

/** Finishes that, with the proof that the factor works. */
export async function submitEnrollment(
  cx: KitContext,
  input: EnrollmentInput,
): Promise<readonly MfaMethod[]> {
  const factors = await headless(cx)
  if (input.method === 'totp') await factors.submitTotp(plainCode(input.code))
  else if (input.method === 'sms')
    await factors.submitSms(plainPhone(input.phoneNumber), plainCode(input.code))
  else if (input.method === 'passkey') await factors.submitPasskeys(input.credentialIds)
  else throw unsupported()
  return announced(cx)
}

/** Removes a factor without asking whether the person means it. */
export async function unenroll(
  cx: KitContext,
  method: MfaMethod,
  { removeForLogin, signal }: MfaOptions & { removeForLogin?: boolean },
): Promise<readonly MfaMethod[]> {
  requireKnown(method)
  const factors = await headless(cx)
  await factors.unenroll(method, { removeForLogin, signal })
  return announced(cx)
}

async function headless(cx: KitContext): Promise<FactorCalls> {
  requirePerson(cx)
  if (isStrict(cx))
    throw new KitError(
      'invalid_request_arguments',
      "In this app people set up second factors in the wallet's own pages. Call mfa.enroll() or mfa.remove().",
    )
  const { wallets } = await cx.services()
  return (await wallets.embedded()).factors
}

/** What the app offers, and what the page knows of the person. */
function offers(cx: KitContext) {
  const { app, host, methods } = cx.app.known()
  const user = requirePerson(cx)
  return {
    offered: mfaMethods.filter((method) => app.mfaMethods.includes(method)),
    smsIsLogin: methods.includes('sms') && user.linkedAccounts.some(({ type }) => type === 'phone'),
    country: host.intl?.defaultCountry,
  }
}

function callsOf(
  cx: KitContext,
  { http, session, secondFactors }: Services,
  factors: FactorCalls,
  stage: Stage,
): EnrollCalls {
  const { offered, smsIsLogin, country } = offers(cx)
  return {
    appName: cx.app.known().appName,
    country,
    offered,
    async person(signal) {
      const [{ methods, recoveryCodesLeft }] = await Promise.all([
        getMfa(http(), { signal }),
        session.refreshUser({ signal }),
      ])
      const passkeys = (session.user.get()?.linkedAccounts ?? []).flatMap((account) =>
        account.type === 'passkey' ? [{ id: account.credentialId, name: passkeyName(account) }] : [],
      )
      return { methods: methods.filter(isMfaMethod), passkeys, smsIsLogin, recoveryCodesLeft }
    },
    initTotp: factors.initTotp,
    enrollTotp: factors.submitTotp,
    initSms: factors.initSms,
    enrollSms: factors.submitSms,
    addPasskey: async (signal) => void (await (await secondFactors()).passkey('add', signal)),
    async enrollPasskeys(passkeys, signal) {
      await factors.submitPasskeys(
        passkeys.map(({ id }) => id),
        signal,
      )
      return true
    },
    remove: (method, signal) => factors.unenroll(method, { signal }),
    newRecoveryCodes: factors.recoveryCodes,
    agreeing: (work) => work(stage),
    failureOf: enrollFailureOf,
  }
}

function requireKnown(method: MfaMethod): void {
  if (!isMfaMethod(method)) throw unsupported()
}
const unsupported = () => new KitError('unsupported_mfa_method', 'Unsupported MFA method')
const canceled = () => new KitError('mfa_canceled', 'MFA canceled')
