import { expect } from '@open-wc/testing'
import { failure } from '../../../src/app/failure/failure.tsx'
import { enterCode } from '../../../src/login/code/enter-code.tsx'
import { fieldLimits } from '../../../src/ui/fields/limits.ts'
import { holdTimers } from '../timers.ts'
import {
  type Mounted,
  mountIn,
  type Place,
  painted,
  places,
  press,
  pressKey,
  tooWide,
  write as type,
  unmountAll,
  until,
} from './mount.tsx'

const sent = { to: 'ada@example.com', via: 'email', resendIn: 0 } as const
const wrong = 'Invalid or expired verification code'
const input = ({ find }: Mounted) => find<HTMLInputElement>('input[name=code]')
const boxes = ({ all }: Mounted) => all('[part=code-box]').map((box) => box.textContent)
/** The places of the boxes that are drawn as the current one. */
const current = ({ all }: Mounted) =>
  all('[part=code-box]').flatMap((box, i) => (box.hasAttribute('data-current') ? [i] : []))
const alert = ({ root }: Mounted) => root.querySelector('[role=alert]')?.textContent?.trim()
const paste = (target: EventTarget, text: string) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', text)
  const event = new ClipboardEvent('paste', {
    clipboardData,
    bubbles: true,
    composed: true,
    cancelable: true,
  })
  // A browser inserts what is pasted unless somebody else has taken it.
  if (target.dispatchEvent(event) && target instanceof HTMLInputElement) type(target, target.value + text)
}

/** What an input method does before a person has chosen one of the texts that it offers. */
function compose(target: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(target, text)
  target.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, isComposing: true }))
}

async function askedIn(place: Place, props: Partial<Parameters<typeof enterCode.view>[0]> = {}) {
  const mounted = mountIn(place)
  await mounted.ask(enterCode, { ...sent, ...props })
  return mounted
}

for (const place of places)
  describe(`the code screen in the ${place}`, () => {
    const asked = (props?: Parameters<typeof askedIn>[1]) => askedIn(place, props)
    afterEach(unmountAll)

    it('has one real input, as phones and password managers want it', async () => {
      const screen = await asked()
      expect(screen.all('input').length).to.equal(1)
      const it = input(screen)
      expect(it.type).to.equal('text')
      expect(it.autocomplete).to.equal('one-time-code')
      expect(it.inputMode).to.equal('numeric')
      expect(it.pattern).to.equal('[0-9]*')
      expect(it.form?.noValidate).to.equal(true)
    })

    it('sends a code once, by itself, when its last digit is typed', async () => {
      const screen = await asked()
      for (const typed of ['4', '49', '491', '4910', '49107']) {
        type(input(screen), typed)
        await painted()
      }
      expect(screen.answers).to.deep.equal([])
      expect(boxes(screen)).to.deep.equal(['4', '9', '1', '0', '7', ''])
      type(input(screen), '491072')
      type(input(screen), '491072')
      input(screen).form?.requestSubmit()
      await painted()
      expect(screen.answers).to.deep.equal([{ code: '491072' }])
    })

    it('spreads a pasted code, with its space, over the boxes', async () => {
      const screen = await asked()
      paste(input(screen), ' 491 072')
      await painted()
      expect(boxes(screen).join('')).to.equal('491072')
      expect(screen.answers).to.deep.equal([{ code: '491072' }])
    })

    it('takes typing and pasting that happens on its heading', async () => {
      const screen = mountIn(place)
      await screen.ask(failure, { title: 'Before', action: 'close' })
      await press(screen.find('[part=footer] button'))
      await screen.ask(enterCode, sent)
      const heading = screen.find('[data-heading]')
      expect(screen.focuses('[data-heading]')).to.equal(true)
      await pressKey('4')
      expect(screen.focuses('input[name=code]')).to.equal(true)
      heading.focus()
      paste(heading, '491-072')
      await painted()
      expect(screen.answers).to.deep.equal(['close', { code: '491072' }])
    })

    it('takes digits back one by one', async () => {
      const screen = await asked()
      for (const text of ['491', '49', '4', '']) {
        type(input(screen), text)
        await painted()
        expect(boxes(screen).join('')).to.equal(text)
        expect(current(screen)).to.deep.equal([text.length])
      }
    })

    it('refuses what is no digit, and says so until the next one', async () => {
      const screen = await asked()
      type(input(screen), '49')
      await painted()
      type(input(screen), '49a')
      await painted()
      expect(boxes(screen).join('')).to.equal('49')
      expect(input(screen).value).to.equal('49')
      expect(screen.root.textContent).to.contain('Code should be numeric')
      expect(alert(screen)).to.equal('Code should be numeric')
      expect(input(screen).getAttribute('aria-invalid')).to.equal('true')
      type(input(screen), '491')
      await painted()
      expect(input(screen).getAttribute('aria-invalid')).to.equal(null)
    })

    it('after an error empties its boxes, and keeps the words until something is typed', async () => {
      const screen = await asked()
      type(input(screen), '491072')
      await painted()
      const began = performance.now()
      await screen.ask(enterCode, { ...sent, error: wrong })
      expect(boxes(screen).join('')).to.equal('491072')
      expect(alert(screen)).to.equal(wrong)
      const describedBy = input(screen).getAttribute('aria-describedby') ?? ''
      expect(screen.find(`[id="${describedBy}"]`).textContent).to.equal(wrong)
      await until(() => boxes(screen).join('') === '', 'the boxes to empty themselves')
      expect(performance.now() - began).to.be.at.least(fieldLimits.codeErrorReset - 100)
      expect(screen.all('form')[0]?.textContent).to.contain(wrong)
      type(input(screen), '5')
      await painted()
      expect(screen.all('form')[0]?.textContent).to.not.contain(wrong)
    })

    it('says the same error again, and takes the next code before the boxes are empty', async () => {
      const timers = holdTimers()
      const screen = await asked()
      for (const code of ['491072', '491073']) {
        type(input(screen), input(screen).value + code)
        await painted()
        await screen.ask(enterCode, { ...sent, error: wrong })
        expect(alert(screen)).to.equal(wrong)
      }
      expect(screen.answers).to.deep.equal([{ code: '491072' }, { code: '491073' }])
      type(input(screen), `${input(screen).value}7`)
      await painted()
      expect(boxes(screen).join('')).to.equal('7')
      timers.end()
      await painted()
      expect(boxes(screen).join('')).to.equal('7')
    })

    it('shows success with the digits still there, even after an error', async () => {
      const screen = await asked({ error: wrong })
      type(input(screen), '491072')
      await painted()
      await screen.ask(enterCode, { ...sent, error: wrong, accepted: true })
      expect(boxes(screen).join('')).to.equal('491072')
      expect(screen.all('form')[0]?.textContent).to.not.contain(wrong)
      expect(screen.root.querySelector('[role=status]')?.textContent).to.contain('Code accepted')
      type(input(screen), '49107')
      await painted()
      expect(boxes(screen).join('')).to.equal('491072')
    })

    it('locks resending while it runs, and again when it is shown again with the same time', async () => {
      const screen = await asked({ resendIn: 1_500 })
      const button = () => screen.all('[part=footer] button')[0]
      expect(button()?.textContent).to.equal('Code sent')
      await press(button())
      await until(() => button()?.textContent === 'Resend code', 'resending to be possible')
      expect(screen.answers).to.deep.equal([])
      await press(button())
      await press(button())
      expect(screen.answers).to.deep.equal(['resend'])
      await screen.ask(enterCode, { ...sent, resendIn: 1_500 })
      expect(button()?.textContent).to.equal('Code sent')
      await until(() => button()?.textContent === 'Resend code', 'resending to be possible again')
    })

    it('is typed and taken back with the keys alone, at the end wherever the caret was put', async () => {
      const screen = await asked()
      input(screen).focus()
      for (const key of ['4', '9', '1', 'ArrowLeft', 'ArrowLeft', '0', 'Backspace', '7']) await pressKey(key)
      expect(boxes(screen)).to.deep.equal(['4', '9', '1', '7', '', ''])
      expect(screen.answers).to.deep.equal([])
    })

    it('finds the one code of a message that is pasted as a whole', async () => {
      const screen = await asked()
      paste(input(screen), 'Your code is 123 456. It is good for 10 minutes.')
      await painted()
      expect(boxes(screen).join('')).to.equal('123456')
      expect(screen.answers).to.deep.equal([{ code: '123456' }])
    })

    it('takes what a password manager or a phone fills in at once, and the digits of any keyboard', async () => {
      for (const filled of ['491072', '４９１０７２', '٤٩١٠٧٢']) {
        const screen = await asked()
        type(input(screen), filled)
        await painted()
        expect(screen.answers).to.deep.equal([{ code: '491072' }])
        unmountAll()
      }
    })

    it('is checked where nothing more can be typed, and says that it is', async () => {
      const screen = await asked()
      type(input(screen), '491072')
      await until(() => input(screen).readOnly, 'the input to take nothing more')
      await until(() => screen.root.querySelector('[role=status]')?.textContent, 'it to say that it checks')
      input(screen).focus()
      await pressKey('Backspace')
      expect(boxes(screen).join('')).to.equal('491072')
    })

    it('stays left to right where all else is right to left, and fits with text twice as large', async () => {
      for (const look of [{ dir: 'rtl' }, { textScale: 2 }] as const) {
        const screen = mountIn(place, look)
        await screen.ask(enterCode, sent)
        type(input(screen), '491')
        await painted()
        const lefts = screen.all('[part=code-box]').map((box) => box.getBoundingClientRect().left)
        expect(lefts).to.deep.equal([...lefts].sort((a, b) => a - b))
        expect(boxes(screen)).to.deep.equal(['4', '9', '1', '', '', ''])
        expect(tooWide(screen)).to.deep.equal([])
        unmountAll()
      }
    })
  })

/** A script can play an input method where no guard keeps its events away; in the vault a journey does it with a real one. */
describe('the code screen under an input method', () => {
  const asked = () => askedIn('page')
  afterEach(unmountAll)

  it('leaves full-width digits alone until an input method has put them in, and takes them then', async () => {
    const screen = await asked()
    for (const composed of ['４', '４９', '４９１０７２']) {
      compose(input(screen), composed)
      await painted()
      expect(input(screen).value).to.equal(composed)
      expect(boxes(screen).join('')).to.equal(composed.normalize('NFKC'))
    }
    expect(screen.answers).to.deep.equal([])
    input(screen).dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
    await painted()
    expect(input(screen).value).to.equal('491072')
    expect(screen.answers).to.deep.equal([{ code: '491072' }])
  })

  it('says what is no digit only once an input method has put it in', async () => {
    const screen = await asked()
    compose(input(screen), 'に')
    await painted()
    expect(screen.root.textContent).not.to.contain('Code should be numeric')
    input(screen).dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
    await painted()
    expect(screen.root.textContent).to.contain('Code should be numeric')
    expect(input(screen).value).to.equal('')
  })
})
