import { Closed, type Stage } from '../../../dialog/stage.ts'
import type { EnrollCalls, MfaContext } from '../../../mfa/calls.ts'
import { enrollFactors, showRecoveryCodes } from '../../../mfa/enroll/flow.ts'
import { mfaPasskeys } from '../../../mfa/enroll/passkeys.tsx'
import { isMfaMethod, type MfaMethod, type MfaPerson } from '../../../mfa/methods.ts'
import { removeFactor } from '../../../mfa/remove/flow.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { VaultError } from '../../errors.ts'
import { showMfa } from '../../mfa/perform.ts'
import {
  beginSms,
  beginTotp,
  enrolPasskeys,
  enrolSms,
  enrolTotp,
  fetchMfa,
  fetchPasskeys,
  newRecoveryCodes,
  unenrol,
} from '../../server/mfa.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { failureOf } from './failures.ts'

type Asked = ApprovalRequests['mfa']

/**
 * Lets a person add second factors and take them away, and has them verified. No page sees a secret, a code or a recovery code. A
 * factor is given up, and passkeys become one, in the vault's own window alone.
 */
export const secondFactors: PurposeFlow<'mfa'> = async (cx) => {
  const { vault, stage, t } = cx
  const asked = cx.asked.get()
  const flow: MfaContext = { stage, t, clock: vault.clock, report: cx.shown }
  const calls = callsOf(cx, asked)
  switch (asked.action) {
    case 'verify':
      await showMfa(vault, await cx.token(), asked.purpose)
      break
    case 'enroll':
      await cx.approving(
        'high',
        (on) => enrollFactors({ ...flow, stage: on }, calls, asked.method, asked),
        'factors',
      )
      break
    case 'remove': {
      const person = await calls.person(stage.signal)
      if (!person.methods.includes(asked.method))
        throw new VaultError('invalid_request_arguments', 'The person has no such factor')
      if (!(await removeFactor(flow, calls, asked.method, person))) throw new Closed('The person cancelled')
      break
    }
    case 'recovery-codes': {
      const error = await showRecoveryCodes(flow, calls)
      if (error !== undefined) throw new VaultError('error', 'There are no new recovery codes')
    }
  }
  return { done: true }
}

function callsOf(cx: ApprovalContext<'mfa'>, asked: Asked): EnrollCalls {
  const { vault } = cx
  const enrolling = asked.action === 'enroll' ? asked : undefined
  const canGoBack = enrolling !== undefined
  const changed = <T>(work: () => Promise<T>) => cx.commit(work, () => ({ done: true }))
  return {
    appName: vault.settings.appName,
    country: enrolling?.country,
    offered: enrolling?.offered ?? [],
    async person(): Promise<MfaPerson> {
      const token = await cx.token()
      const [{ methods, recoveryCodesLeft }, passkeys] = await Promise.all([
        fetchMfa(vault, token),
        fetchPasskeys(vault, token),
      ])
      return {
        methods: methods.filter(isMfaMethod),
        passkeys,
        smsIsLogin: enrolling?.smsIsLogin ?? false,
        recoveryCodesLeft,
      }
    },
    initTotp: async () => beginTotp(vault, await cx.token()),
    enrollTotp: (code) => changed(async () => enrolTotp(vault, await cx.token(), code)),
    initSms: async (phone) => beginSms(vault, await cx.token(), phone),
    enrollSms: (phone, code) => changed(async () => enrolSms(vault, await cx.token(), phone, code)),
    async addPasskey(signal) {
      const { change } = await cx.passkey('add', signal)
      if (typeof change !== 'string') return
      const { approveAccountChange } = await import('../account-change/flow.ts')
      await approveAccountChange(cx, change)
    },
    // A page can bring a passkey of somebody else's, and cover what the frame says of it.
    async enrollPasskeys(passkeys) {
      const agreed = async (on: Stage) => {
        if ((await on.ask(mfaPasskeys, { passkeys, agreeing: true })) !== 'enable') return false
        const ids = passkeys.map(({ id }) => id)
        await changed(async () => enrolPasskeys(vault, await cx.token(), ids, undefined))
        return true
      }
      const stake = passkeys.map(({ name }) => name).join(', ')
      try {
        return await cx.approving('high', agreed, { purpose: 'passkeys', stake, canGoBack })
      } catch (cause) {
        // The list of passkeys is where they were before.
        if (!(cause instanceof Closed) || cx.stage.signal.aborted) throw cause
        return false
      }
    },
    remove: (method: MfaMethod) =>
      changed(async () => {
        const token = await cx.token()
        if (method === 'passkey') await enrolPasskeys(vault, token, [], false)
        else await unenrol(vault, token, method)
      }),
    newRecoveryCodes: () => changed(async () => newRecoveryCodes(vault, await cx.token())),
    agreeing: (work) => cx.approving('high', work, { purpose: 'factor', canGoBack }),
    failureOf,
  }
}
