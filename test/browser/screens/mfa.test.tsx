/** What the screens of second factors do. */
import { expect } from '@open-wc/testing'
import { authenticator } from '../../../src/mfa/enroll/authenticator.tsx'
import { chooseMethod } from '../../../src/mfa/enroll/choose-method.tsx'
import { mfaPasskeys } from '../../../src/mfa/enroll/passkeys.tsx'
import { recoveryCodes } from '../../../src/mfa/enroll/recovery-codes.tsx'
import { mfaCode } from '../../../src/mfa/enter-code.tsx'
import { mfaLoading } from '../../../src/mfa/loading.tsx'
import { removeMethod } from '../../../src/mfa/remove/remove.tsx'
import { chooseVerification } from '../../../src/mfa/verify/choose-verification.tsx'
import { enterRecoveryCode } from '../../../src/mfa/verify/enter-recovery-code.tsx'
import { verifyPasskey } from '../../../src/mfa/verify/verify-passkey.tsx'
import { type Mounted, mount, painted, type, unmountAll, until } from './mount.tsx'

const button = ({ all }: Mounted, words: string) => {
  const found = all('button').find((each) => each.textContent?.includes(words) || each.ariaLabel === words)
  if (!found) throw new Error(`There is no button '${words}'`)
  return found
}
const rows = ({ all }: Mounted) => all('[part=row]').map((row) => row.textContent)
const said = ({ root }: Mounted) => root.querySelector('[role=alert]')?.textContent?.trim()
const none = {
  offered: ['totp', 'sms', 'passkey'],
  enrolled: [],
  smsIsLogin: false,
  recoveryCodesLeft: 0,
  back: true,
} as const

afterEach(unmountAll)

describe('the list of verification methods', () => {
  it('recommends the authenticator app, and enrols what is pressed', async () => {
    const screen = mount()
    await screen.ask(chooseMethod, none)
    expect(rows(screen)).to.deep.equal(['Authenticator appRecommended', 'SMS', 'Passkey'])
    button(screen, 'Passkey').click()
    await painted()
    expect(screen.answers).to.deep.equal([{ enroll: 'passkey' }])
  })

  it('can’t enrol SMS where that is the login, and says so', async () => {
    const screen = mount()
    await screen.ask(chooseMethod, { ...none, smsIsLogin: true })
    expect(rows(screen)[1]).to.equal('SMSYou log in with this phoneDisabled')
    button(screen, 'SMS').click()
    await painted()
    expect(screen.answers).to.deep.equal([])
  })

  it('makes every row but the one that is busy faint', async () => {
    const screen = mount()
    await screen.ask(chooseMethod, { ...none, enrolled: ['totp'], recoveryCodesLeft: 7 })
    button(screen, 'Recovery codes').click()
    const opacities = () => screen.all('[part=row]').map((row) => Number(getComputedStyle(row).opacity))
    await until(() => opacities()[1] === 0.5, 'the rows are faint')
    expect(opacities()).to.deep.equal([0.5, 0.5, 0.5, 1])
    // A faint row is hard to read, and says that it can't be used.
    expect(screen.all('[part=row]:not([aria-disabled=true])')).to.deep.equal([])
  })

  it('removes what is enabled by a button that names it', async () => {
    const screen = mount()
    await screen.ask(chooseMethod, { ...none, enrolled: ['totp', 'sms'], recoveryCodesLeft: 7 })
    expect(rows(screen)).to.deep.equal([
      'Authenticator appEnabled',
      'SMSEnabled',
      'Passkey',
      'Recovery codes7 left',
    ])
    button(screen, 'Remove SMS').click()
    await painted()
    expect(screen.answers).to.deep.equal([{ remove: 'sms' }])
  })
})

describe('a verification method that is being removed', () => {
  it('shows that it is', async () => {
    const screen = mount()
    await screen.ask(chooseMethod, { ...none, enrolled: ['totp', 'sms'], recoveryCodesLeft: 7 })
    button(screen, 'Remove SMS').click()
    const buttons = () => screen.all('[part=row]').map((row) => row.querySelectorAll('button').length)
    await until(() => buttons()[1] === 0, 'a spinner in the place of the button')
    expect(buttons()[0]).to.equal(1)
    expect(screen.all('[part=row]')[1]?.querySelectorAll('svg circle')).to.have.length(1)
  })
})

describe('the secret of an authenticator app', () => {
  const made = { secret: 'ABCD', authUrl: 'otpauth://totp/Harbor:ada?secret=ABCD&issuer=Harbor' }
  const link = ({ find }: Mounted) => find<HTMLAnchorElement>('[part=footer] a')
  /** What the style sheets say of an element where the pointer is a finger. */
  const touched = ({ root }: Mounted, element: Element) =>
    root.adoptedStyleSheets
      .flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSMediaRule && /pointer:\s*coarse/.test(rule.conditionText))
      .flatMap((rule) => [...(rule as CSSMediaRule).cssRules])
      .filter((rule): rule is CSSStyleRule => rule instanceof CSSStyleRule)
      .filter((rule) => element.matches(rule.selectorText))
      .map(({ style }) => style.display)
      .filter(Boolean)

  it('opens in the app by a link where the pointer is a finger, and nowhere else', async () => {
    const screen = mount()
    await screen.ask(authenticator, made)
    const open = link(screen)
    expect([open.textContent, open.href, open.target]).to.deep.equal([
      'Open my authenticator app',
      made.authUrl,
      '',
    ])
    expect(getComputedStyle(open).display).to.equal('none')
    expect(touched(screen, open)).to.deep.equal(['grid'])
  })

  it('opens in the app without leaving a frame, which its page would blank', async () => {
    Object.defineProperty(window, 'parent', { value: {}, configurable: true })
    try {
      const screen = mount()
      await screen.ask(authenticator, made)
      expect(link(screen).target).to.equal('_blank')
    } finally {
      Object.defineProperty(window, 'parent', { value: window, configurable: true })
    }
  })

  it('is a code and a key alone where the server’s address is none of an app', async () => {
    const screen = mount()
    await screen.ask(authenticator, { ...made, authUrl: 'javascript:alert(1)' })
    expect(screen.all('a')).to.deep.equal([])
  })
})

describe('the ways to be verified', () => {
  const verifications = ['totp', 'sms', 'passkey', 'recovery'] as const

  it('are a list, of which one is chosen', async () => {
    const screen = mount()
    await screen.ask(chooseVerification, { verifications })
    expect(rows(screen)).to.deep.equal(['Authenticator app', 'SMS', 'Passkey', 'Recovery code'])
    button(screen, 'SMS').click()
    await painted()
    expect(screen.answers).to.deep.equal([{ verify: 'sms' }])
  })

  it('make room for the reason once nothing more can be chosen', async () => {
    const screen = mount()
    const blocked =
      'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.'
    await screen.ask(chooseVerification, { verifications, blocked })
    await until(() => said(screen) === blocked, 'the words')
    expect(rows(screen)).to.deep.equal([])
    button(screen, 'Not now').click()
    await painted()
    expect(screen.answers).to.deep.equal(['not-now'])
  })
})

describe('a wait for second factors', () => {
  it('says for what it is', async () => {
    const screen = mount()
    await screen.ask(mfaLoading, { what: 'methods' })
    const words = () => screen.find('[data-heading]').textContent
    expect(words()).to.equal('Loading your verification methods')
    await screen.ask(mfaLoading, { what: 'code' })
    await until(() => words() === 'Sending your code', 'the words')
  })
})

describe('the six digits of a second factor', () => {
  const input = ({ find }: Mounted) => find<HTMLInputElement>('input[name=code]')

  it('are numbers, and six of them', async () => {
    const screen = mount()
    await screen.ask(mfaCode, { use: 'verify', via: 'totp' })
    type(input(screen), 'a')
    await until(() => said(screen) === 'Passcode can only be numbers', 'the words')
    type(input(screen), '491')
    input(screen).form?.requestSubmit()
    await until(() => said(screen) === 'Passcode must be exactly 6 numbers', 'the words')
    expect(screen.answers).to.deep.equal([])
    type(input(screen), '491072')
    await painted()
    expect(screen.answers).to.deep.equal([{ code: '491072' }])
  })

  it('are taken no more once that is blocked; only ‘Not now’ is left', async () => {
    const screen = mount()
    const blocked = 'You have exceeded the time limit for code entry. Please try again in 30 seconds.'
    await screen.ask(mfaCode, { use: 'verify', via: 'sms', others: true, blocked })
    await until(() => said(screen) === blocked, 'the words')
    type(input(screen), '491072')
    button(screen, 'Choose another method').click()
    await painted()
    expect(screen.answers).to.deep.equal([])
    expect(input(screen).readOnly).to.equal(true)
    button(screen, 'Not now').click()
    await painted()
    expect(screen.answers).to.deep.equal(['not-now'])
  })

  it('of a factor that is being enrolled have a way back, and no other way', async () => {
    const screen = mount()
    await screen.ask(mfaCode, { use: 'enroll', via: 'totp' })
    expect(screen.all('button').map((each) => each.ariaLabel ?? each.textContent)).to.not.include('Not now')
    button(screen, 'Back').click()
    await painted()
    expect(screen.answers).to.deep.equal(['back'])
  })
})

describe('passkeys as a second factor', () => {
  const of = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `${i}`, name: `Key ${i}` }))
  const shown = async (count: number) => {
    const screen = mount()
    await screen.ask(mfaPasskeys, { passkeys: of(count) })
    return screen
  }
  const has = ({ all }: Mounted, words: string) =>
    all('button').some((each) => each.textContent?.includes(words))

  it('are listed: three, or two if there are more, and all of them once that is asked for', async () => {
    expect((await shown(3)).all('li').length).to.equal(3)
    unmountAll()
    const screen = await shown(4)
    expect(screen.all('li').length).to.equal(2)
    button(screen, 'View All').click()
    await painted()
    expect(screen.all('li').length).to.equal(4)
  })

  it('can be added while there are fewer than five', async () => {
    expect(has(await shown(4), 'Add new passkey')).to.equal(true)
    unmountAll()
    const full = await shown(5)
    expect(has(full, 'Add new passkey')).to.equal(false)
    expect(has(full, 'Enable passkeys')).to.equal(true)
  })

  it('have to be made first by somebody who has none', async () => {
    const screen = await shown(0)
    expect(has(screen, 'Enable passkeys')).to.equal(false)
    button(screen, 'Add a new passkey').click()
    await painted()
    expect(screen.answers).to.deep.equal(['add'])
  })
})

describe('recovery codes', () => {
  const codes = Array.from({ length: 10 }, (_, i) => `abcd${i}-12345`)

  it('are all shown, and left once they are saved', async () => {
    const screen = mount()
    await screen.ask(recoveryCodes, { codes, appName: 'Harbor' })
    expect(screen.all('li').map((each) => each.textContent)).to.deep.equal(codes)
    button(screen, 'I have saved them').click()
    await painted()
    expect(screen.answers).to.deep.equal(['saved'])
  })

  it('are read as people type them, and nothing else is sent', async () => {
    const screen = mount()
    await screen.ask(enterRecoveryCode, {})
    const field = screen.find<HTMLInputElement>('input')
    type(field, 'abcde')
    await painted()
    button(screen, 'Verify').click()
    await until(() => said(screen) === 'A recovery code looks like abcde-12345.', 'the words')
    type(field, ' ABCDE 12345 ')
    await painted()
    button(screen, 'Verify').click()
    await painted()
    expect(screen.answers).to.deep.equal([{ code: 'abcde-12345' }])
  })
})

it('a removal puts the safe way first, and says when nothing is left', async () => {
  const screen = mount()
  await screen.ask(removeMethod, { method: 'totp', last: true })
  const names = screen.all('[part=footer] button').map((each) => each.textContent)
  expect(names).to.deep.equal(['Cancel', 'Remove'])
  expect(screen.find('[part=banner]').textContent).to.equal("It's your only verification method.")
})

it('a passkey that was declined may be asked for again, and not once that is blocked', async () => {
  const screen = mount()
  await screen.ask(verifyPasskey, { state: 'failed', others: false, detail: 'Verification canceled' })
  button(screen, 'Try again').click()
  await painted()
  expect(screen.answers).to.deep.equal(['retry'])
  unmountAll()
  const over = mount()
  await over.ask(verifyPasskey, { state: 'failed', others: true, blocked: true, detail: 'No more' })
  expect(over.all('button').some((each) => each.textContent === 'Try again')).to.equal(false)
})
