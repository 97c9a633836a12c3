/** What pages ask of second factors, in compatible apps. In strict ones the vault asks the person itself (`../approval/mfa`). */
import { type FrameCall, type FrameCalls, frameEvents, type MfaPurpose } from '../../protocol/frame/calls.ts'
import type { VaultContext } from '../context.ts'
import { type MfaAsked, VaultError } from '../errors.ts'
import {
  beginSms,
  beginTotp,
  enrolPasskeys,
  enrolSms,
  enrolTotp,
  fetchMfa,
  type MfaGiven,
  newRecoveryCodes,
  unenrol,
  unlinkPasskey,
  verifyMfa,
} from '../server/mfa.ts'
import type { Token } from '../token.ts'
import { wrongMfa } from './errors.ts'
import type { MfaProof } from './proofs.ts'

type MfaEvent =
  | typeof frameEvents.verifyMfa
  | typeof frameEvents.initMfaEnrollment
  | typeof frameEvents.submitMfaEnrollment
  | typeof frameEvents.unenrollMfa
  | typeof frameEvents.newMfaRecoveryCodes
  | typeof frameEvents.unlinkPasskey
type MfaCall = Extract<FrameCall, { event: MfaEvent }>
type Given = Pick<FrameCalls[typeof frameEvents.verifyMfa]['data'], 'mfaMethod' | 'mfaCode' | 'relyingParty'>

/** Does what a page asks of second factors. */
export async function performMfa(
  cx: VaultContext,
  token: Token,
  { event, data }: MfaCall,
): Promise<FrameCalls[MfaEvent]['answer']> {
  switch (event) {
    case frameEvents.verifyMfa:
      await showMfa(cx, token, 'export')
      return {}
    case frameEvents.initMfaEnrollment:
      if (data.method === 'totp') return { method: 'totp', ...(await beginTotp(cx, token)) }
      if (data.method !== 'sms') throw unsupported()
      await beginSms(cx, token, required(data.phoneNumber))
      return { method: 'sms' }
    case frameEvents.submitMfaEnrollment:
      if (data.method === 'totp') await enrolTotp(cx, token, required(data.code))
      else if (data.method === 'sms')
        await enrolSms(cx, token, required(data.phoneNumber), required(data.code))
      else if (data.method === 'passkey')
        await enrolPasskeys(cx, token, required(data.credentialIds), data.removeForLogin)
      else throw unsupported()
      return {}
    case frameEvents.unenrollMfa:
      if (data.method === 'passkey') await enrolPasskeys(cx, token, [], false)
      else if (data.method === 'totp' || data.method === 'sms') await unenrol(cx, token, data.method)
      else throw unsupported()
      return {}
    case frameEvents.newMfaRecoveryCodes:
      return { codes: [...(await newRecoveryCodes(cx, token))] }
    case frameEvents.unlinkPasskey:
      await unlinkPasskey(cx, token, data.credentialId, data)
      return {}
  }
}

/** Has a second factor shown, unless that was done for the same purpose just now. Somebody without one has nothing to show. */
export async function showMfa(cx: VaultContext, token: Token, purpose: MfaPurpose): Promise<void> {
  if (cx.mfa.good(token.user, purpose)) return
  const { methods } = await fetchMfa(cx, token)
  const asked = { purpose, methods }
  if (methods.length > 0) await cx.prove(asked, token, wrongMfa(asked))
}

/** Has the server judge what a page brought along. Throws a `VaultError` `invalid_request_arguments` for what can't be judged. */
export const proveWith = (cx: VaultContext, token: Token, asked: MfaAsked, given: Given): Promise<MfaProof> =>
  verifyMfa(cx, token, asked, readGiven(given))

function readGiven({ mfaMethod: method, mfaCode: code, relyingParty }: Given): MfaGiven {
  if (method === 'passkey' && typeof code === 'object') return { method, response: code, relyingParty }
  if (method !== 'totp' && method !== 'sms' && method !== 'recovery') throw unsupported()
  if (typeof code === 'string') return { method, code }
  throw new VaultError('invalid_request_arguments', 'Invalid MFA code')
}

const unsupported = () => new VaultError('invalid_request_arguments', 'Unsupported MFA method')

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new VaultError('invalid_request_arguments', 'The request is incomplete')
  return value
}
