import type { LoginModal, MfaEnroll } from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/** The second factors of the person who is logged in. @param failed told what came of a call that failed */
export function factors(
  { login, protection }: { login: LoginModal; protection: MfaEnroll },
  failed: (what: string, cause: unknown) => void,
): void {
  const attempt = (what: string, work: () => Promise<unknown>) => async () => {
    try {
      // Somebody may be faster than the element's code.
      if (!protection.matches(':defined')) await customElements.whenDefined('mfa-enroll')
      await work()
    } catch (cause) {
      failed(what, cause)
    }
    show()
  }

  function show(): void {
    const methods = login.user?.mfaMethods ?? []
    byId('factors').hidden = !login.user
    byId('factor-list').textContent = methods.length > 0 ? methods.join(', ') : 'None yet.'
    byId<HTMLButtonElement>('verify-person').disabled = methods.length === 0
  }

  byId('enroll-factor').addEventListener(
    'click',
    attempt('enroll()', () => protection.enroll()),
  )
  byId('verify-person').addEventListener(
    'click',
    attempt('prompt()', async () => protection.kit?.mfa.prompt()),
  )
  for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
  protection.addEventListener('lk-mfa', show)
}
