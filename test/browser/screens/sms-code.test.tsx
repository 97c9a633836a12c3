import { expect } from '@open-wc/testing'
import { enterCode } from '../../../src/login/code/enter-code.tsx'
import { mountIn, painted, places, unmountAll } from './mount.tsx'

type Found = { code: string } | null

/** A browser that reads text messages: each request for a code, to be answered by hand. */
function reader() {
  const requests: { otp: unknown; signal: AbortSignal; settle(found: Found): void; fail(): void }[] = []
  const real = navigator.credentials.get
  navigator.credentials.get = (options) =>
    new Promise((resolve, reject) => {
      const { otp, signal } = options as unknown as { otp: unknown; signal: AbortSignal }
      requests.push({
        otp,
        signal,
        settle: (found) => resolve(found as unknown as Credential),
        fail: () => reject(new DOMException('Declined', 'NotAllowedError')),
      })
    })
  const had = 'OTPCredential' in window
  if (!had) Object.assign(window, { OTPCredential: class {} })
  const end = () => {
    navigator.credentials.get = real
    if (!had) Reflect.deleteProperty(window, 'OTPCredential')
  }
  return { requests, end }
}

const sms = { to: '+49 1511 2345678', via: 'sms', resendIn: 0 } as const

for (const place of places)
  describe(`a code that comes as a text message, in the ${place}`, () => {
    let browser: ReturnType<typeof reader>
    beforeEach(() => {
      browser = reader()
    })
    afterEach(() => {
      browser.end()
      unmountAll()
    })

    it('is taken out of the message by a browser that can', async () => {
      const screen = mountIn(place)
      await screen.ask(enterCode, sms)
      expect(browser.requests.map(({ otp }) => otp)).to.deep.equal([{ transport: ['sms'] }])
      browser.requests[0]?.settle({ code: '491072' })
      await painted()
      expect(screen.answers).to.deep.equal([{ code: '491072' }])
      expect(screen.all('[part=code-box]').map((box) => box.textContent)).to.deep.equal([...'491072'])
    })

    it('is waited for again after a wrong one, and no longer once the screen is left', async () => {
      const screen = mountIn(place)
      await screen.ask(enterCode, sms)
      browser.requests[0]?.settle({ code: '491072' })
      await painted()
      await screen.ask(enterCode, { ...sms, error: 'Invalid or expired verification code' })
      expect(browser.requests).to.have.length(2)
      expect(browser.requests[1]?.signal.aborted).to.equal(false)
      unmountAll()
      await painted()
      expect(browser.requests[1]?.signal.aborted).to.equal(true)
      expect(screen.answers).to.have.length(1)
    })

    it('is typed by a person who declines, and one sent by mail is not looked for', async () => {
      const screen = mountIn(place)
      await screen.ask(enterCode, sms)
      browser.requests[0]?.fail()
      await painted()
      expect(screen.find<HTMLInputElement>('input[name=code]').autocomplete).to.equal('one-time-code')
      expect(screen.answers).to.deep.equal([])
      const mail = mountIn(place)
      await mail.ask(enterCode, { ...sms, to: 'ada@example.com', via: 'email' })
      expect(browser.requests).to.have.length(1)
    })
  })
