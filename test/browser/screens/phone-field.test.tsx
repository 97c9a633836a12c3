import { expect } from '@open-wc/testing'
import axe from 'axe-core'
import { defineScreen } from '../../../src/dialog/screen.ts'
import { landing } from '../../../src/login/landing/landing.tsx'
import { mfaPhone } from '../../../src/mfa/enroll/enter-phone.tsx'
import { LazyPhoneField } from '../../../src/ui/fields/phone-field/lazy.tsx'
import PhoneField from '../../../src/ui/fields/phone-field/phone-field.tsx'
import { atRest } from './axe.ts'
import { type Mounted, mount, painted, type, unmountAll, until } from './mount.tsx'

const app = { name: 'Harbor' }
const method = { id: 'sms', kind: 'phone-field', recent: false } as const
type Phone = { value?: string; country?: string; error?: string }

async function asked(phone: Phone = {}, more: Partial<Parameters<typeof landing.view>[0]> = {}) {
  const mounted = mount()
  await mounted.ask(landing, {
    app,
    page: 'main',
    methods: [method],
    ...more,
    phone: { value: '', country: 'US', ...phone },
  })
  await until(() => mounted.root.querySelector('input[type=tel]'), 'the phone field')
  await painted()
  return mounted
}
const input = ({ find }: Mounted) => find<HTMLInputElement>('input[type=tel]')
const button = ({ find }: Mounted) => find<HTMLButtonElement>('button[aria-haspopup]')
const menu = ({ root }: Mounted) => root.querySelector<HTMLElement>('[popover]')
const search = ({ find }: Mounted) => find<HTMLInputElement>('[role=combobox]')
const options = ({ all }: Mounted) => all('[role=option]')
const active = (screen: Mounted) =>
  screen.root.getElementById(search(screen).getAttribute('aria-activedescendant') ?? '')
const alert = ({ root }: Mounted) => root.querySelector('[role=alert]')?.textContent?.trim()
const submit = ({ all }: Mounted) => all('button[type=submit]')[0]

/** One key at the caret, as a browser does it: the text, then the event. */
async function key(screen: Mounted, text: string, inputType = 'insertText') {
  const el = input(screen)
  const start = el.selectionStart ?? 0
  const end = el.selectionEnd ?? start
  const from = inputType === 'deleteContentBackward' && start === end ? start - 1 : start
  el.setRangeText(text, Math.max(0, from), end, 'end')
  el.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType, data: text || null }))
  await painted()
}
async function keys(screen: Mounted, text: string) {
  for (const each of text) await key(screen, each)
}
const press = async (target: Element, name: string) => {
  const event = new KeyboardEvent('keydown', { key: name, bubbles: true, composed: true, cancelable: true })
  target.dispatchEvent(event)
  await painted()
  return event
}

describe('a phone field that is on its way', () => {
  afterEach(unmountAll)
  // Comes first here: one that has arrived is there at once from then on.
  const late = defineScreen<{ load: () => Promise<typeof PhoneField> }, string>('late', {
    view: ({ load, answer }) => (
      <div data-box>
        <LazyPhoneField load={load} value="" asked={answer} busy={false} inert={false} onSubmit={answer} />
      </div>
    ),
  })

  it('has its height from the beginning, and can be asked for again where it does not come', async () => {
    const pending: { resolve(field: typeof PhoneField): void; reject(cause: Error): void }[] = []
    const load = () =>
      new Promise<typeof PhoneField>((resolve, reject) => void pending.push({ resolve, reject }))
    const screen = mount()
    await screen.ask(late, { load })
    const height = screen.find('[data-box]').clientHeight
    pending[0]?.reject(new TypeError('Failed to fetch dynamically imported module'))
    await until(() => screen.all('[part=row]').length > 0, 'the row')
    const [row] = screen.all('[part=row]')
    expect(row?.textContent).to.contain('Continue with phone')
    expect(row?.textContent).to.contain("couldn't be loaded")
    row?.focus()
    row?.click()
    await until(() => pending.length === 2, 'another try')
    pending[1]?.resolve(PhoneField)
    await until(() => screen.root.querySelector('input[type=tel]'), 'the phone field')
    await painted()
    expect(screen.focuses('input[type=tel]')).to.equal(true)
    expect(screen.find('[data-box]').clientHeight).to.equal(height)
  })
})

describe('the phone field', () => {
  afterEach(unmountAll)

  it('is one real input, as phones and password managers want it', async () => {
    const screen = await asked()
    const el = input(screen)
    expect(screen.all('input')).to.have.length(1)
    expect(el.autocomplete).to.equal('tel')
    expect(el.inputMode).to.equal('tel')
    expect(el.form?.noValidate).to.equal(true)
    expect(el.dir).to.equal('ltr')
  })

  it('formats what is typed, and answers with the whole number once it can be one', async () => {
    const screen = await asked()
    await keys(screen, '213373425')
    expect(input(screen).value).to.equal('(213) 373-425')
    submit(screen)?.click()
    await painted()
    expect(screen.answers).to.deep.equal([])
    await keys(screen, '3')
    expect(input(screen).value).to.equal('(213) 373-4253')
    submit(screen)?.click()
    await painted()
    expect(screen.answers).to.deep.equal([{ phone: '+12133734253' }])
  })

  it('shows all of a number beside the button that sends it', async () => {
    const screen = await asked()
    await keys(screen, '2025550123')
    expect(submit(screen)?.textContent).to.equal('Submit')
    expect(input(screen).scrollWidth).to.be.at.most(input(screen).clientWidth)
  })

  it('gives a number also as people write it', async () => {
    const screen = mount()
    await screen.ask(mfaPhone, { appName: 'Harbor', value: '+4915123456789' })
    await until(() => submit(screen), 'the button')
    submit(screen)?.click()
    await painted()
    expect(screen.answers).to.deep.equal([{ phone: '+4915123456789', shown: '+49 1512 3456789' }])
  })

  it('leaves the caret where somebody types or deletes in the middle', async () => {
    const screen = await asked({ value: '+12133734253' })
    input(screen).setSelectionRange(7, 7)
    await key(screen, '', 'deleteContentBackward')
    expect([input(screen).value, input(screen).selectionStart]).to.deep.equal(['(213) 734-253', 4])
    await key(screen, '9')
    expect([input(screen).value, input(screen).selectionStart]).to.deep.equal(['(213) 973-4253', 7])
  })

  it('deletes through brackets and spaces, one key for one digit', async () => {
    const screen = await asked()
    await keys(screen, '2133')
    for (const left of ['(213)', '21', '2', '']) {
      await key(screen, '', 'deleteContentBackward')
      expect(input(screen).value).to.equal(left)
    }
  })

  it('turns to the country of a number that is pasted or filled in', async () => {
    const screen = await asked()
    await key(screen, '+49 151 12345678', 'insertFromPaste')
    expect(button(screen).textContent).to.equal('DE +49')
    expect(input(screen).value).to.equal('1511 2345678')
    input(screen).value = '+16045551234'
    input(screen).dispatchEvent(new Event('input', { bubbles: true }))
    await painted()
    expect(button(screen).textContent).to.equal('CA +1')
    input(screen).form?.requestSubmit()
    await painted()
    expect(screen.answers).to.deep.equal([{ phone: '+16045551234' }])
  })

  it('begins with the country of the app, and with the number that the host knows', async () => {
    const german = await asked({ country: 'de' })
    expect(button(german).textContent).to.equal('DE +49')
    const unknown = await asked({ country: 'nowhere' })
    expect(button(unknown).textContent).to.equal('US +1')
    const prefilled = await asked({ value: '+33612345678' })
    expect(button(prefilled).textContent).to.equal('FR +33')
    expect(submit(prefilled)?.textContent).to.equal('Submit')
  })

  for (const [text, words] of [
    ['', 'Please enter a valid phone number.'],
    ['hello', 'Please enter a valid phone number.'],
    ['213', 'This phone number is too short.'],
    ['2133734253999', 'This phone number is too long.'],
    ['+999123456789', 'No country uses this calling code.'],
  ] as const)
    it(`says of '${text}': ${words}`, async () => {
      const screen = await asked()
      await key(screen, text, 'insertFromPaste')
      input(screen).form?.requestSubmit()
      await painted()
      expect(alert(screen)).to.equal(words)
      expect(input(screen).getAttribute('aria-invalid')).to.equal('true')
      const described = input(screen).getAttribute('aria-describedby') ?? ''
      expect(screen.root.getElementById(described)?.textContent).to.equal(words)
      expect(screen.answers).to.deep.equal([])
      await key(screen, '1')
      expect(input(screen).getAttribute('aria-invalid')).to.equal(null)
    })

  for (const nothing of ['\u200b', '()', '- -', '\u200e\u2060', '（）'])
    it(`says so when nothing is left of the pasted text ${JSON.stringify(nothing)}`, async () => {
      const screen = await asked()
      await key(screen, nothing, 'insertFromPaste')
      expect(alert(screen)).to.equal('Please enter a valid phone number.')
      await key(screen, '2')
      expect(input(screen).getAttribute('aria-invalid')).to.equal(null)
    })

  it('shows what the server said, and is busy and inert like the other ways in', async () => {
    const screen = await asked({ value: '+12133734253', error: 'Please enter a valid phone number.' })
    expect(alert(screen)).to.equal('Please enter a valid phone number.')
    const height = input(screen).closest('[part=field]')?.clientHeight
    await key(screen, '', 'deleteContentBackward')
    expect(input(screen).closest('[part=field]')?.clientHeight).to.equal(height)
    await key(screen, '3')
    submit(screen)?.click()
    await painted()
    expect(input(screen).readOnly).to.equal(true)
    expect(button(screen).getAttribute('aria-disabled')).to.equal('true')
    button(screen).click()
    await painted()
    expect(menu(screen)).to.equal(null)
  })

  it('keeps what was typed, and its country, over the other ways in', async () => {
    const methods = [method]
    const screen = await asked({}, { more: 'options', methods })
    await key(screen, '+44', 'insertText')
    await keys(screen, '7400')
    const props = { app, methods, more: 'options', phone: { value: '', country: 'US' } } as const
    screen.all('[part=body] button').at(-1)?.click()
    await painted()
    await screen.ask(landing, { ...props, page: 'more', methods: [] })
    await screen.ask(landing, { ...props, page: 'main' })
    await until(
      () => screen.root.querySelector('[data-layer]:not([inert]) input[type=tel]'),
      'the field again',
    )
    expect(button(screen).textContent).to.equal('GB +44')
    expect(input(screen).value.replace(/\D/g, '')).to.match(/7400$/)
  })
})

describe('the country picker', () => {
  afterEach(unmountAll)

  async function opened(phone: Phone = {}) {
    const screen = await asked(phone)
    button(screen).click()
    await painted()
    return screen
  }

  it('opens under the field, within the panel, with the app’s country first and chosen', async () => {
    const screen = await opened({ country: 'DE' })
    const rows = options(screen)
    expect(rows[0]?.textContent).to.equal('GermanyDE+49')
    expect(rows[0]?.getAttribute('aria-selected')).to.equal('true')
    expect(rows.length).to.be.greaterThan(240)
    expect(rows[1]?.offsetHeight).to.equal(40)
    expect(button(screen).getAttribute('aria-expanded')).to.equal('true')
    expect(screen.focuses('[role=combobox]')).to.equal(true)
    await Promise.all((menu(screen)?.getAnimations() ?? []).map((animation) => animation.finished))
    const box = menu(screen)?.getBoundingClientRect()
    const panel = screen.root.querySelector('[part=dialog]')?.getBoundingClientRect()
    const frame = input(screen).parentElement?.getBoundingClientRect()
    if (!box || !panel || !frame) throw new Error('Nothing to measure')
    expect(box.height).to.be.at.most(188)
    expect(box.left).to.be.closeTo(frame.left, 1)
    expect(box.width).to.be.closeTo(frame.width, 1)
    expect(box.top).to.be.greaterThan(frame.bottom)
    expect(box.bottom).to.be.at.most(panel.bottom)
  })

  it('is searched by name, code and calling code', async () => {
    const screen = await opened()
    for (const [query, first] of [
      ['swit', 'SwitzerlandCH+41'],
      ['+49', 'GermanyDE+49'],
      ['fr', 'FranceFR+33'],
    ] as const) {
      type(search(screen), query)
      await painted()
      expect(options(screen)[0]?.textContent).to.equal(first)
      expect(active(screen)).to.equal(options(screen)[0])
    }
    type(search(screen), 'atlantis')
    await painted()
    expect(options(screen)).to.deep.equal([])
    expect(menu(screen)?.textContent).to.equal('No country found')
    expect(screen.root.querySelector('[role=status]')?.textContent).to.equal('No country found')
    await press(search(screen), 'Enter')
    expect(menu(screen)).to.not.equal(null)
  })

  it('is worked by the keyboard: arrows, Enter, and a letter on the button', async () => {
    const screen = await asked({ value: '+12133734253' })
    button(screen).focus()
    await press(button(screen), 's')
    expect(search(screen).value).to.equal('s')
    type(search(screen), 'switz')
    await painted()
    await press(search(screen), 'Enter')
    expect(menu(screen)).to.equal(null)
    expect(button(screen).textContent).to.equal('CH +41')
    expect(screen.focuses('input[type=tel]')).to.equal(true)
    expect(input(screen).value.replace(/\D/g, '')).to.equal('2133734253')
    expect(screen.answers).to.deep.equal([])

    button(screen).focus()
    await press(button(screen), 'ArrowDown')
    const first = active(screen)?.textContent
    await press(search(screen), 'ArrowDown')
    expect(active(screen)?.textContent).to.not.equal(first)
    await press(search(screen), 'ArrowUp')
    expect(active(screen)?.textContent).to.equal(first)
    for (let row = 0; row < 12; row++) await press(search(screen), 'ArrowDown')
    const list = screen.find('[role=listbox]').getBoundingClientRect()
    const row = active(screen)?.getBoundingClientRect()
    expect(row && row.bottom <= list.bottom + 1 && row.top >= list.top - 1).to.equal(true)
  })

  it('closes with Escape without closing the dialog, and gives the focus back', async () => {
    const screen = await opened()
    const event = await press(search(screen), 'Escape')
    expect(event.defaultPrevented).to.equal(true)
    expect(menu(screen)).to.equal(null)
    expect(screen.focuses('button[aria-haspopup]')).to.equal(true)
    expect(screen.closeRequests).to.deep.equal([])
    await press(button(screen), 'Escape')
    expect(screen.closeRequests).to.deep.equal(['escape'])
  })

  it('closes when the focus moves elsewhere, and takes a click', async () => {
    const screen = await opened()
    input(screen).focus()
    await painted()
    expect(menu(screen)).to.equal(null)
    expect(screen.focuses('input[type=tel]')).to.equal(true)
    button(screen).click()
    await painted()
    options(screen)
      .find((row) => row.textContent?.includes('France'))
      ?.click()
    await painted()
    expect(button(screen).textContent).to.equal('FR +33')
  })

  it('closes without the dialog when somebody presses beside it', async () => {
    const screen = await opened()
    await until(() => !screen.root.querySelector('[data-arriving]'), 'the screen takes presses')
    const dialog = screen.root.querySelector('dialog')
    const pointer = { bubbles: true, composed: true }
    for (const closed of [[], ['backdrop']]) {
      dialog?.dispatchEvent(new PointerEvent('pointerdown', pointer))
      menu(screen)?.hidePopover()
      await painted()
      dialog?.dispatchEvent(new MouseEvent('click', pointer))
      await painted()
      expect(menu(screen)).to.equal(null)
      expect(screen.closeRequests).to.deep.equal(closed)
    }
  })

  it('names countries in the language of the page', async () => {
    document.documentElement.lang = 'de'
    const screen = await opened({ country: 'DE' })
    document.documentElement.lang = ''
    expect(options(screen)[0]?.textContent).to.equal('DeutschlandDE+49')
  })

  for (const theme of ['light', 'dark'] as const)
    it(`has no violation that axe knows, ${theme}`, async () => {
      const screen = mount({ theme })
      await screen.ask(landing, { app, page: 'main', methods: [method], phone: { value: '' } })
      await until(() => screen.root.querySelector('input[type=tel]'), 'the phone field')
      // Colours are measured when all has come to rest.
      await atRest(screen.root)
      for (const query of [undefined, '', 'swi', 'atlantis']) {
        if (query === '') button(screen).click()
        await painted()
        if (query) type(search(screen), query)
        await atRest(screen.root)
        const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
        const { violations } = await axe.run(screen.root.host, { runOnly, resultTypes: ['violations'] })
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
        expect(found).to.deep.equal([])
      }
    })
})
