/** What the screens of a wallet's password do. */
import { expect } from '@open-wc/testing'
import { uiLimits } from '../../../src/ui/limits.ts'
import { confirmPassword } from '../../../src/wallets/recovery/password/confirm-password.tsx'
import { finishPassword } from '../../../src/wallets/recovery/password/finish-password.tsx'
import { passwordRecovery } from '../../../src/wallets/recovery/password/password-recovery.tsx'
import { passwordResult } from '../../../src/wallets/recovery/password/password-result.tsx'
import { savePassword } from '../../../src/wallets/recovery/password/save-password.tsx'
import { type SetPasswordProps, setPassword } from '../../../src/wallets/recovery/password/set-password.tsx'
import { atRest } from './axe.ts'
import {
  type Mounted,
  mountIn,
  painted,
  places,
  press,
  pressKey,
  write as put,
  tooWide,
  typeText,
  unmountAll,
  until,
} from './mount.tsx'

const made = 'harbor-lantern-copper-tide'
const wish: SetPasswordProps = { reset: false, canGoBack: false, cancellable: true }
const field = ({ find }: Mounted) => find<HTMLInputElement>('input[name=password]')
const said = ({ root }: Mounted, how: 'alert' | 'status') => root.querySelector(`[role=${how}]`)?.textContent
const button = ({ all }: Mounted, words: string) => {
  const found = all('button').find((each) => each.textContent?.includes(words) || each.ariaLabel === words)
  if (!found) throw new Error(`There is no button '${words}'`)
  return found
}
const off = (screen: Mounted, words: string) => button(screen, words).ariaDisabled === 'true'
const closable = ({ all }: Mounted) => all('[aria-label=Close]').length > 0
async function write(screen: Mounted, text: string) {
  put(field(screen), text)
  await painted()
}

afterEach(unmountAll)

for (const place of places)
  describe(`in the ${place}`, () => {
    describe('set password', () => {
      it('is a real field for a new password, in a form, that no spelling service reads', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, { ...wish, address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' })
        const it = field(screen)
        expect([it.type, it.autocomplete, it.spellcheck]).to.deep.equal(['password', 'new-password', false])
        expect(it.form?.noValidate).to.equal(true)
        const owner = screen.find<HTMLInputElement>('input[name=username]')
        expect([owner.value, owner.autocomplete, owner.form === it.form]).to.deep.equal([
          '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
          'username',
          true,
        ])
      })

      it('says what is wrong once the field was left, and takes nothing that is wrong', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, wish)
        expect(off(screen, 'Continue')).to.equal(true)
        await write(screen, 'tide')
        expect(field(screen).getAttribute('aria-invalid')).to.equal(null)
        expect(off(screen, 'Continue')).to.equal(true)
        field(screen).form?.requestSubmit()
        await painted()
        expect(screen.find('form').textContent).to.contain('Password must be at least 6 characters')
        expect(said(screen, 'alert')).to.equal('Password must be at least 6 characters')
        expect(field(screen).getAttribute('aria-invalid')).to.equal('true')
        await write(screen, 'tide and wind ä')
        expect(screen.find('form').textContent).to.contain('Invalid characters used ( SPACE ä )')
        expect(screen.answers).to.deep.equal([])
        await write(screen, 'tide-and-wind')
        expect(off(screen, 'Continue')).to.equal(false)
        await press(button(screen, 'Continue'))
        expect(screen.answers).to.deep.equal([{ password: 'tide-and-wind' }])
      })

      it('moves nothing when it says what is wrong', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, wish)
        await atRest(screen.root)
        const places = () =>
          [field(screen), button(screen, 'Generate')].map((el) => el.getBoundingClientRect().top)
        const before = places()
        await write(screen, 'abc')
        await pressKey('Enter')
        await until(
          () => field(screen).ariaInvalid === 'true' || field(screen).matches('[aria-invalid]'),
          'it says so',
        )
        await painted()
        expect(places()).to.deep.equal(before)
      })

      it('says it at Enter as well, which the button that can’t be pressed keeps to itself', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, wish)
        await write(screen, 'tide')
        await pressKey('Enter')
        await painted()
        expect(field(screen).getAttribute('aria-invalid')).to.equal('true')
      })

      it('waits with its complaint while the person goes to a button of the field', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, wish)
        await write(screen, 'tide')
        button(screen, 'Show password').focus()
        await painted()
        expect(field(screen).getAttribute('aria-invalid')).to.equal(null)
        button(screen, 'Continue').focus()
        await painted()
        expect(field(screen).getAttribute('aria-invalid')).to.equal('true')
      })

      it('measures while one types, and tells it', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, wish)
        expect(screen.find('form').textContent).to.contain('At least 6 characters')
        for (const [password, strength] of [
          ['abcdef', 'Weak'],
          ['Copper-lantern7', 'Medium'],
          ['Copper-lantern-7-harbor-tide', 'Strong'],
        ] as const) {
          await write(screen, password)
          expect(screen.find('form').textContent).to.contain(strength)
          expect(said(screen, 'status')).to.equal(`Strength: ${strength}`)
        }
      })

      it('shows and hides what was typed', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, wish)
        await write(screen, 'tide-and-wind')
        await press(button(screen, 'Show password'))
        expect(field(screen).type).to.equal('text')
        expect([field(screen).value, field(screen).autocomplete]).to.deep.equal([
          'tide-and-wind',
          'new-password',
        ])
        await press(button(screen, 'Hide password'))
        expect(field(screen).type).to.equal('password')
      })

      it('makes one up, readable, until the person changes it', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, wish)
        await press(button(screen, 'Generate'))
        const { value, type } = field(screen)
        expect(value).to.match(/^[a-z]+(-[a-z]+){3}$/)
        expect(type).to.equal('text')
        // It is seen, and not spoken into the room.
        expect(said(screen, 'status')).to.equal('A new password was generated and is shown')
        await write(screen, `${value}-7`)
        expect(field(screen).type).to.equal('password')
        await press(button(screen, 'Continue'))
        expect(screen.answers).to.deep.equal([{ password: `${value}-7` }])
      })

      it('has what was chosen before, when somebody comes back', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, { ...wish, value: 'tide-and-wind', canGoBack: true })
        expect(field(screen).value).to.equal('tide-and-wind')
        await press(button(screen, 'Back'))
        expect(screen.answers).to.deep.equal(['back'])
      })

      it('is typed, seen and sent with the keys alone', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, wish)
        field(screen).focus()
        for (const key of 'tide-7') await pressKey(key)
        expect(field(screen).value).to.equal('tide-7')
        await pressKey('Tab')
        await pressKey('Enter')
        expect(field(screen).type).to.equal('text')
        field(screen).focus()
        await pressKey('Enter')
        expect(screen.answers).to.deep.equal([{ password: 'tide-7' }])
      })

      it('fits with text twice as large, in both directions', async () => {
        for (const look of [{ textScale: 2 }, { textScale: 2, dir: 'rtl' }] as const) {
          const screen = mountIn(place, look)
          await screen.ask(setPassword, { ...wish, canGoBack: true })
          await write(screen, 'tide')
          await press(button(screen, 'Show password'))
          expect(field(screen).type).to.equal('text')
          expect(tooWide(screen)).to.deep.equal([])
          unmountAll()
        }
      })

      it('can neither be left nor closed in the automatic flow', async () => {
        const screen = mountIn(place)
        await screen.ask(setPassword, { ...wish, cancellable: false })
        expect(closable(screen)).to.equal(false)
        expect(screen.all('[aria-label=Back]').length).to.equal(0)
      })
    })

    describe('save password', () => {
      const clipboard = (writeText: (text: string) => Promise<void>) => {
        const real = Object.getOwnPropertyDescriptor(Navigator.prototype, 'clipboard')
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
        return () => {
          Reflect.deleteProperty(navigator, 'clipboard')
          if (real) Object.defineProperty(Navigator.prototype, 'clipboard', real)
        }
      }

      it('keeps the password veiled until somebody wants to see it', async () => {
        const screen = mountIn(place)
        await screen.ask(savePassword, { password: made })
        expect(screen.root.textContent).to.not.contain(made)
        await press(button(screen, 'Show password'))
        expect(screen.root.textContent).to.contain(made)
      })

      it('copies it, says so, and clears the clipboard after a while', async () => {
        const written: string[] = []
        const restore = clipboard(async (text) => void written.push(text))
        const timers: [() => void, number][] = []
        const real = globalThis.setTimeout
        const screen = mountIn(place)
        await screen.ask(savePassword, { password: made })
        globalThis.setTimeout = ((work: () => void, ms = 0) =>
          ms === uiLimits.secretOnClipboard ? timers.push([work, ms]) : real(work, ms)) as typeof setTimeout
        try {
          await press(button(screen, 'Copy'))
          await until(() => said(screen, 'status') === 'Copied', 'it to say that it was copied')
        } finally {
          globalThis.setTimeout = real
        }
        expect(written).to.deep.equal([made])
        expect(timers.length).to.equal(1)
        unmountAll()
        for (const [work] of timers) work()
        await painted()
        restore()
        expect(written).to.deep.equal([made, ''])
      })

      it('selects it where the clipboard refuses', async () => {
        const restore = clipboard(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
        const screen = mountIn(place)
        await screen.ask(savePassword, { password: made })
        await press(button(screen, 'Copy'))
        await until(() => screen.root.textContent?.includes(made), 'the password to be shown')
        restore()
        expect(said(screen, 'status')).to.equal('Press and hold to copy')
      })

      it('gives it as a file whose address is given up again', async () => {
        const files: { name: string; text: Promise<string> }[] = []
        const blobs = new Map<string, Blob>()
        const revoked: string[] = []
        const { createObjectURL, revokeObjectURL } = URL
        const { click } = HTMLAnchorElement.prototype
        const real = globalThis.setTimeout
        URL.createObjectURL = (blob) => {
          blobs.set('blob:one', blob as Blob)
          return 'blob:one'
        }
        URL.revokeObjectURL = (url) => revoked.push(url)
        HTMLAnchorElement.prototype.click = function () {
          files.push({ name: this.download, text: blobs.get(this.href)?.text() ?? Promise.resolve('') })
        }
        globalThis.setTimeout = ((work: () => void, ms = 0) =>
          real(work, ms === uiLimits.downloadUrlLife ? 0 : ms)) as typeof setTimeout
        try {
          const screen = mountIn(place)
          await screen.ask(savePassword, { password: made })
          await press(button(screen, 'Download'))
          await until(() => revoked.length, 'the address to be given up')
          expect(revoked).to.deep.equal(['blob:one'])
          expect(files[0]?.name).to.equal('wallet-password.txt')
          const text = await files[0]?.text
          expect(text).to.contain(made)
          expect(text).to.contain(location.host)
        } finally {
          Object.assign(URL, { createObjectURL, revokeObjectURL })
          HTMLAnchorElement.prototype.click = click
          globalThis.setTimeout = real
        }
      })

      it('continues, and goes back', async () => {
        for (const [words, answer] of [
          ['Continue', 'continue'],
          ['Back', 'back'],
        ] as const) {
          const screen = mountIn(place)
          await screen.ask(savePassword, { password: made, cancellable: false })
          expect(closable(screen)).to.equal(false)
          await press(button(screen, words))
          expect(screen.answers).to.deep.equal([answer])
          unmountAll()
        }
      })
    })

    describe('confirm password', () => {
      it('continues only with the same password', async () => {
        const screen = mountIn(place)
        await screen.ask(confirmPassword, { password: made })
        expect(field(screen).autocomplete).to.equal('new-password')
        expect(off(screen, 'Continue')).to.equal(true)
        field(screen).form?.requestSubmit()
        await write(screen, made.toUpperCase())
        expect(off(screen, 'Continue')).to.equal(true)
        field(screen).form?.requestSubmit()
        await painted()
        expect(screen.answers).to.deep.equal([])
        await write(screen, made)
        expect(off(screen, 'Continue')).to.equal(false)
        field(screen).form?.requestSubmit()
        await painted()
        expect(screen.answers).to.deep.equal(['continue'])
      })

      it('says that they do not match as soon as they no longer can, or once the field was left', async () => {
        const screen = mountIn(place)
        await screen.ask(confirmPassword, { password: made })
        const shown = () => screen.find('form').textContent?.includes('Passwords do not match')
        await write(screen, 'harb')
        expect(shown()).to.equal(false)
        await write(screen, 'harbour')
        expect(shown()).to.equal(true)
        expect(said(screen, 'alert')).to.equal('Passwords do not match')
        await write(screen, 'harb')
        expect(shown()).to.equal(false)
        field(screen).focus()
        field(screen).blur()
        await painted()
        expect(shown()).to.equal(true)
      })
    })

    describe('finish password', () => {
      const words =
        'I understand that if I lose my password and device, I will lose access to my account and my assets.'

      it('sets it only once the person has agreed', async () => {
        const screen = mountIn(place)
        await screen.ask(finishPassword, { cancellable: true })
        expect(off(screen, 'Set Password')).to.equal(true)
        await press(button(screen, 'Set Password'))
        expect(screen.answers).to.deep.equal([])
        const box = screen.find<HTMLInputElement>('input[type=checkbox]')
        expect(box.labels?.[0]?.textContent).to.equal(words)
        await press(box.labels?.[0])
        await painted()
        expect(box.checked).to.equal(true)
        await press(button(screen, 'Set Password'))
        expect(screen.answers).to.deep.equal(['set'])
        // The vault draws it a frame later.
        await until(() => box.ariaDisabled === 'true', 'a box that can’t be changed')
        await press(box)
        await painted()
        expect(box.checked).to.equal(true)
      })

      it('has a way out where the person has begun it, and none in the automatic flow', async () => {
        const screen = mountIn(place)
        await screen.ask(finishPassword, { cancellable: true })
        expect(closable(screen)).to.equal(true)
        await press(button(screen, 'Cancel'))
        expect(screen.answers).to.deep.equal(['cancel'])
        unmountAll()
        const other = mountIn(place)
        await other.ask(finishPassword, { cancellable: false })
        expect(closable(other)).to.equal(false)
        expect(other.all('button').map((each) => each.ariaLabel ?? each.textContent)).to.deep.equal([
          'Back',
          'Set Password',
        ])
      })
    })

    describe('password result', () => {
      it('continues on its own after a success if asked to, without a way to interfere', async () => {
        const screen = mountIn(place)
        await screen.ask(passwordResult, { ok: true, closes: true })
        expect(closable(screen)).to.equal(false)
        await until(() => screen.answers.length, 'the answer')
        expect(screen.answers).to.deep.equal(['close'])
      })

      it('waits for somebody to read a failure', async () => {
        const screen = mountIn(place)
        await screen.ask(passwordResult, { ok: false, detail: 'No', closes: true })
        expect(closable(screen)).to.equal(false)
        expect(screen.find('[data-heading]').textContent).to.equal('Something went wrong')
        expect(screen.all('[data-bar]').length).to.equal(0)
        await press(screen.find('[part=footer] button'))
        await painted()
        expect(screen.answers).to.deep.equal(['close'])
      })
    })

    describe('password recovery', () => {
      const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

      it('is a field for the password that is known, of this wallet', async () => {
        const screen = mountIn(place)
        await screen.ask(passwordRecovery, { address })
        expect([field(screen).type, field(screen).autocomplete]).to.deep.equal([
          'password',
          'current-password',
        ])
        expect(screen.find<HTMLInputElement>('[autocomplete=username]').value).to.equal(address)
      })

      it('takes any password but none', async () => {
        const screen = mountIn(place)
        await screen.ask(passwordRecovery, { address })
        field(screen).form?.requestSubmit()
        await painted()
        expect(screen.answers).to.deep.equal([])
        await write(screen, 'ä b')
        field(screen).form?.requestSubmit()
        await painted()
        expect(screen.answers).to.deep.equal([{ password: 'ä b' }])
      })

      it('keeps what was typed, and says the same refusal a second time', async () => {
        const screen = mountIn(place)
        const refused = { address, error: 'Invalid recovery password, please try again.' }
        await screen.ask(passwordRecovery, { address })
        for (let i = 0; i < 2; i++) {
          await write(screen, `tide${i}`)
          expect(field(screen).getAttribute('aria-invalid')).to.equal(null)
          field(screen).form?.requestSubmit()
          await painted()
          await screen.ask(passwordRecovery, refused)
          expect(field(screen).getAttribute('aria-invalid')).to.equal('true')
          expect(said(screen, 'alert')?.trim()).to.equal(refused.error)
          expect(field(screen).value).to.equal(`tide${i}`)
        }
      })

      it('selects a password that was refused, so that the next one replaces it', async () => {
        const screen = mountIn(place)
        await screen.ask(passwordRecovery, { address })
        await write(screen, 'tide')
        await press(button(screen, 'Recover wallet'))
        await until(() => field(screen).readOnly, 'the password is checked')
        await screen.ask(passwordRecovery, { address, error: 'Invalid recovery password, please try again.' })
        await until(() => field(screen).selectionStart === 0, 'the password is selected')
        await typeText('wind')
        expect(field(screen).value).to.equal('wind')
        expect(field(screen).getAttribute('aria-invalid')).to.equal(null)
      })
    })
  })
