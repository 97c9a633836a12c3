import { type FrameCalls, type FrameEvent, frameEvents } from '../../protocol/frame/calls.ts'
import { frameLimits } from '../../protocol/frame/limits.ts'
import type { VaultProxy } from './proxy.ts'

/** What the vault does about second factors in compatible apps; a strict one asks the person in its own pages. */
export interface FactorCalls {
  /** Has the person verified, for whatever comes within a minute. */
  verify(signal?: AbortSignal): Promise<void>
  initTotp(signal?: AbortSignal): Promise<{ readonly secret: string; readonly authUrl: string }>
  /** @param phone in the international form */
  initSms(phone: string, signal?: AbortSignal): Promise<void>
  submitTotp(code: string, signal?: AbortSignal): Promise<void>
  submitSms(phone: string, code: string, signal?: AbortSignal): Promise<void>
  /** Makes these passkeys, and no other, factors. */
  submitPasskeys(credentialIds: readonly string[], signal?: AbortSignal): Promise<void>
  /** @param removeForLogin passkeys that are no longer factors can't be used to log in either */
  unenroll(
    method: 'totp' | 'sms' | 'passkey',
    options?: { readonly removeForLogin?: boolean | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<void>
  recoveryCodes(signal?: AbortSignal): Promise<readonly string[]>
}

export function createFactorCalls(proxy: VaultProxy, accessToken: () => Promise<string>): FactorCalls {
  const ask = async <E extends FrameEvent>(
    event: E,
    data: Omit<FrameCalls[E]['data'], 'accessToken'>,
    signal: AbortSignal | undefined,
  ) => {
    const asked = { accessToken: await accessToken(), ...data } as unknown as FrameCalls[E]['data']
    return proxy.ask(event, asked, { ready: frameLimits.readyForAction, signal })
  }
  const submit = async (data: object, signal: AbortSignal | undefined) =>
    void (await ask(frameEvents.submitMfaEnrollment, data as { method: string }, signal))
  return {
    verify: async (signal) => void (await ask(frameEvents.verifyMfa, {}, signal)),
    async initTotp(signal) {
      const begun = await ask(frameEvents.initMfaEnrollment, { method: 'totp' }, signal)
      return { secret: begun.secret ?? '', authUrl: begun.authUrl ?? '' }
    },
    initSms: async (phoneNumber, signal) =>
      void (await ask(frameEvents.initMfaEnrollment, { method: 'sms', phoneNumber }, signal)),
    submitTotp: (code, signal) => submit({ method: 'totp', code }, signal),
    submitSms: (phoneNumber, code, signal) => submit({ method: 'sms', phoneNumber, code }, signal),
    submitPasskeys: (credentialIds, signal) => submit({ method: 'passkey', credentialIds }, signal),
    async unenroll(method, { removeForLogin = false, signal } = {}) {
      if (method === 'passkey') await submit({ method, credentialIds: [], removeForLogin }, signal)
      else await ask(frameEvents.unenrollMfa, { method }, signal)
    },
    recoveryCodes: async (signal) => (await ask(frameEvents.newMfaRecoveryCodes, {}, signal)).codes,
  }
}
