/** People who have a second factor, and are verified by it. */
import type { CDPSession, Locator, Page } from '@playwright/test'
import { OTP } from 'otplib'
import type { LoginModal } from '../../../src/index.ts'
import { ownSignIn } from '../../support/own-sign-in.ts'
import { inDialog } from './approval.ts'
import { startAuthenticator } from './authenticator.ts'
import { type Demo, expect, mailedCode } from './demo.ts'
import { untilClosed } from './embedded.ts'

const otp = new OTP()
/** A code of somebody's app; each is good once, so the next one is of the step after it. */
export function createApp(secret: string): () => string {
  let step = 0
  return () => {
    // The server takes the step before, too; what is typed in the last seconds of a step is judged in the next one.
    const now = Math.floor((Date.now() + 6_000) / 30_000)
    step = Math.max(step + 1, now - 1)
    return otp.generateSync({ secret, epoch: step * 30 })
  }
}

export const boxes = (page: Page) => inDialog(page, (place) => place.getByLabel(/^Confirmation code/))
export const button = (page: Page, name: string) =>
  inDialog(page, (place) => place.getByRole('button', { name, exact: true }))
/** A row of a list, whose name may have a chip behind it. */
export const row = (page: Page, name: RegExp): Promise<Locator> =>
  inDialog(page, (place) => place.getByRole('button', { name }))

/**
 * What comes of a call that the page makes now: `done`, or the code of its failure. What is signed is a sign-in at the page itself, so that
 * a strict app's frame asks for factors.
 */
export async function outcomeOf(page: Page, call: 'sign' | 'export' | 'prompt') {
  const address = (await page.locator('#address').textContent()) ?? ''
  const message = call === 'sign' ? ownSignIn(page.url(), address) : ''
  return page.evaluate(
    async ([call, message]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      if (!kit) throw new Error('There is no kit')
      const calls = {
        sign: () => kit.signMessage({ message }),
        export: () => kit.exportWallet(),
        prompt: () => kit.mfa.prompt(),
      }
      return calls[call]().then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
    },
    [call, message] as const,
  )
}

/** Sets an authenticator app up from the intro on, and resolves with what gives its codes. */
export async function throughApp(page: Page): Promise<() => string> {
  await (await button(page, 'Continue')).click()
  await (await row(page, /^Authenticator app/)).click()
  const place = await inDialog(page, (place) => place.locator('[data-secret]'))
  const code = createApp(((await place.textContent()) ?? '').replaceAll(' ', ''))
  await (await button(page, 'Continue')).click()
  await (await boxes(page)).pressSequentially(code())
  await (await button(page, 'Done')).click()
  return code
}

/** The same from the page's button, until the dialog has closed. */
export async function enrollApp(page: Page): Promise<() => string> {
  await page.locator('#enroll-factor').click()
  const code = await throughApp(page)
  await untilClosed(page)
  await expect(page.locator('#factor-list')).toHaveText('totp')
  return code
}

/** The same by a page's own code, which compatible apps let it do. */
export async function enrollAppAtOnce(page: Page): Promise<() => string> {
  const secret = await page.evaluate(async () => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    return (await kit?.mfa.initEnrollment({ method: 'totp' }))?.secret ?? ''
  })
  const code = createApp(secret)
  await submitEnrollment(page, { method: 'totp', code: code() })
  return code
}

/** A number that gets text messages, added to a person likewise. Resolves with what reads the next message to it. */
export async function enrollPhoneAtOnce(page: Page, demo: Demo): Promise<(since: number) => Promise<string>> {
  const phoneNumber = `+1201555${String(Math.floor(1_000 + Math.random() * 8_999))}`
  const text = (since: number) => mailedCode(demo, phoneNumber, since)
  const since = Date.now() - 1_000
  await page.evaluate(async (phoneNumber) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    await kit?.mfa.initEnrollment({ method: 'sms', phoneNumber })
  }, phoneNumber)
  await submitEnrollment(page, { method: 'sms', phoneNumber, code: await text(since) })
  return text
}

const submitEnrollment = (
  page: Page,
  input: { method: 'totp'; code: string } | { method: 'sms'; phoneNumber: string; code: string },
) =>
  page.evaluate(async (input) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    await kit?.mfa.submitEnrollment(input)
  }, input)

/**
 * Gives a page passkeys that its user has on all of their devices. Resolves with what reads those that are there then.
 * @param options.isUserVerified whether they show who touches them
 */
export async function withPasskeys(
  page: Page,
  credentials: readonly Passkey[] = [],
  { isUserVerified = true }: { isUserVerified?: boolean } = {},
): Promise<() => Promise<Passkey[]>> {
  const { cdp, authenticatorId } = await startAuthenticator(page, isUserVerified)
  for (const credential of credentials)
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
  return () => readPasskeys(cdp, authenticatorId)
}
type Passkey = Awaited<ReturnType<typeof readPasskeys>>[number]
const readPasskeys = async (cdp: CDPSession, authenticatorId: string) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials

/** Another device that verifies whoever touches it, in place of the one before. Resolves with what takes it away. */
export async function addAuthenticator(page: Page): Promise<() => Promise<void>> {
  const { cdp, authenticatorId } = await startAuthenticator(page)
  return async () => {
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  }
}
