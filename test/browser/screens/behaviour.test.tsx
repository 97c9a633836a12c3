/** What single screens and the panel around them do. */
import { expect } from '@open-wc/testing'
import { sendMouse } from '@web/test-runner-commands'
import { entry } from '../../../src/account/entry.tsx'
import { confirmRemoval } from '../../../src/account/unlink/confirm-removal.tsx'
import { allowlistRejected } from '../../../src/app/failure/allowlist.tsx'
import { failure } from '../../../src/app/failure/failure.tsx'
import { crossApp } from '../../../src/login/cross-app/cross-app.tsx'
import { type LandingProps, landing } from '../../../src/login/landing/landing.tsx'
import { starting } from '../../../src/login/landing/starting.tsx'
import { passkey } from '../../../src/login/passkey/passkey.tsx'
import { terms } from '../../../src/login/terms/terms.tsx'
import { asking, linkConflict } from '../../../src/login/transfer/link-conflict.tsx'
import { removeMethod } from '../../../src/mfa/remove/remove.tsx'
import { signMessage } from '../../../src/signing/message/sign-message.tsx'
import { mail } from '../../../src/ui/icons/landing.ts'
import { uiLimits } from '../../../src/ui/limits.ts'
import { panelLimits } from '../../../src/ui/panel/limits.ts'
import { walletCreated } from '../../../src/wallets/embedded/create/created.tsx'
import { walletsLimits } from '../../../src/wallets/limits.ts'
import { automaticRecovery } from '../../../src/wallets/recovery/automatic-recovery.tsx'
import { type Mounted, mount, painted, type, unmountAll, until } from './mount.tsx'

const main: LandingProps = {
  app: { name: 'Harbor' },
  page: 'main',
  methods: [
    { id: 'email', kind: 'email-field', recent: false },
    { id: 'wallet', kind: 'row', label: 'Wallet', recent: true },
  ],
  more: 'options',
  email: { value: '', plusAllowed: false },
}
const field = ({ find }: Mounted) => find<HTMLInputElement>('input[type=email]')
const alert = ({ root }: Mounted) => root.querySelector('[role=alert]')?.textContent
const button = ({ all }: Mounted, words: string) => {
  const found = all('button').find((each) => each.textContent?.includes(words) || each.ariaLabel === words)
  if (!found) throw new Error(`There is no button '${words}'`)
  return found
}
const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const message = { message: 'Hello', origin: 'https://a.example', address, cancellable: true }

/** Lets no screen that arrives take presses before `end`, however slow the machine is. */
function holdArrivals() {
  const { setTimeout } = window
  const waiting: (() => void)[] = []
  const held = (run: () => void, delay?: number, ...rest: unknown[]) =>
    delay === panelLimits.pressIgnored ? waiting.push(run) * 0 : setTimeout(run, delay, ...rest)
  window.setTimeout = held as typeof window.setTimeout
  ends.push(() => {
    window.setTimeout = setTimeout
  })
  return {
    end() {
      for (const run of waiting.splice(0)) run()
    },
  }
}
const ends: (() => void)[] = []

afterEach(() => {
  for (const end of ends.splice(0)) end()
  unmountAll()
})

describe('landing', () => {
  it('has a field that password managers and passkeys know', async () => {
    const screen = mount()
    await screen.ask(landing, main)
    const it = field(screen)
    expect([it.name, it.autocomplete, it.inputMode]).to.deep.equal(['email', 'username webauthn', 'email'])
    expect(it.form?.noValidate).to.equal(true)
  })

  it('says what is wrong with an address and answers with a good one, trimmed', async () => {
    const screen = mount()
    await screen.ask(landing, main)
    for (const [typed, words] of [
      ['ada', 'Please enter a valid email address.'],
      ['ada+x@example.com', "Please enter a valid email address without a '+'."],
    ] as const) {
      type(field(screen), typed)
      field(screen).form?.requestSubmit()
      await painted()
      expect(alert(screen)).to.equal(words)
      expect(field(screen).getAttribute('aria-invalid')).to.equal('true')
      expect(screen.focuses('input[type=email]')).to.equal(true)
    }
    type(field(screen), 'ada@example.com ')
    await painted()
    expect(field(screen).getAttribute('aria-invalid')).to.equal(null)
    field(screen).form?.requestSubmit()
    await painted()
    expect(screen.answers).to.deep.equal([{ email: 'ada@example.com' }])
  })

  it('shows the same refusal of the server again', async () => {
    const screen = mount()
    const refused = { ...main, email: { value: 'ada@example.com', plusAllowed: true, error: 'No' } }
    await screen.ask(landing, refused)
    type(field(screen), 'bob@example.com')
    await painted()
    expect(screen.find('form').textContent).to.not.contain('No')
    field(screen).form?.requestSubmit()
    await painted()
    await screen.ask(landing, refused)
    expect(screen.find('form').textContent).to.contain('No')
    expect(field(screen).value).to.equal('bob@example.com')
  })

  it('turns to the other methods and back, and keeps what was typed', async () => {
    const screen = mount()
    await screen.ask(landing, main)
    type(field(screen), 'ada@exam')
    button(screen, 'More options').click()
    await screen.ask(landing, { ...main, page: 'more', more: undefined, methods: main.methods.slice(1) })
    expect(screen.focuses('[data-heading]')).to.equal(true)
    button(screen, 'Back').click()
    await screen.ask(landing, main)
    expect(screen.answers).to.deep.equal(['more', 'back'])
    expect(field(screen).value).to.equal('ada@exam')
    expect(screen.focuses('[data-heading]')).to.equal(true)
  })

  it('puts the focus into the field that took the place of its row', async () => {
    const screen = mount()
    await screen.ask(landing, {
      ...main,
      methods: [{ id: 'email', kind: 'row', label: 'Continue with email', recent: false }],
    })
    button(screen, 'Continue with email').focus()
    button(screen, 'Continue with email').click()
    await screen.ask(landing, { ...main, methods: main.methods.slice(0, 1) })
    expect(screen.answers).to.deep.equal([{ method: 'email' }])
    expect(screen.focuses('input[type=email]')).to.equal(true)
  })

  it('opens with the focus in its field, also after the wait for the configuration', async () => {
    const screen = mount()
    screen.stage.during(starting, {}, () => new Promise(() => {})).catch(() => {})
    await painted()
    await screen.ask(landing, main)
    expect(screen.focuses('input[type=email]')).to.equal(true)
  })

  for (const [pointer, place] of [
    ['none', 'input[type=email]'],
    ['fine', 'input[type=email]'],
    ['coarse', '[data-heading]'],
  ] as const)
    it(`opens with the focus in ${place} where the pointer is ${pointer}: only touch brings a keyboard up`, async () => {
      const { matchMedia } = window
      window.matchMedia = (query) =>
        query.startsWith('(pointer')
          ? ({ matches: query === `(pointer:${pointer})` } as MediaQueryList)
          : matchMedia.call(window, query)
      try {
        const screen = mount()
        await screen.ask(landing, main)
        expect(screen.focuses(place)).to.equal(true)
      } finally {
        window.matchMedia = matchMedia
      }
    })

  it('makes links of addresses that are safe, and of no others', async () => {
    const screen = mount()
    const legal = { termsUrl: 'javascript:alert(1)', privacyUrl: 'https://a.example/privacy' }
    await screen.ask(landing, { ...main, legal })
    const links = screen.all('a') as HTMLAnchorElement[]
    expect(links.map((link) => link.href)).to.deep.equal(['https://a.example/privacy'])
    expect(links[0]?.rel).to.equal('noopener noreferrer')
    expect(links[0]?.target).to.equal('_blank')
  })

  it('shows what the page has put into its slots, in place of its own', async () => {
    const screen = mount()
    for (const [slot, words] of [
      ['logo', 'Our own logo'],
      ['method', 'Our own login'],
      ['legal', 'Our own terms'],
    ] as const) {
      const own = document.createElement('span')
      own.slot = slot
      own.textContent = words
      screen.root.host.append(own)
    }
    await screen.ask(landing, { ...main, legal: { termsUrl: 'https://app.example/terms' } })
    for (const own of screen.root.host.children) expect(own.checkVisibility(), own.slot).to.equal(true)
    expect(screen.all('a').map((link) => link.checkVisibility())).to.deep.equal([false])
  })

  it('shows the initial where a logo does not come', async () => {
    const screen = mount()
    await screen.ask(landing, { ...main, app: { name: 'Harbor', logoUrl: 'data:image/png;base64,AAAA' } })
    await until(() => !screen.root.querySelector('img'), 'the broken logo to go')
    expect(screen.find('slot[name=logo]').textContent).to.equal('H')
  })
})

describe('gates', () => {
  it('turns the button into a link where the app wants one, and refuses an unsafe one', async () => {
    const screen = mount()
    await screen.ask(allowlistRejected, { buttonText: 'Join', link: 'https://a.example/join' })
    expect(screen.find<HTMLAnchorElement>('a').href).to.equal('https://a.example/join')
    unmountAll()
    const other = mount()
    await other.ask(allowlistRejected, { buttonText: 'Join', link: 'javascript:alert(1)' })
    button(other, 'Join').click()
    await painted()
    expect(other.answers).to.deep.equal(['again'])
  })

  it('has no close button at the terms, and Escape does not leave them', async () => {
    const screen = mount()
    await screen.ask(terms, {})
    expect(screen.all('[aria-label=Close]').length).to.equal(0)
    const dialog = screen.root.querySelector('dialog')
    expect(dialog?.getAttribute('closedby')).to.equal('none')
    dialog?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    dialog?.close()
    await painted()
    expect(dialog?.open).to.equal(true)
    expect(screen.closeRequests).to.deep.equal([])
  })

  it('offers to decline the terms as large as to accept them, and shows all of them at once', async () => {
    const screen = mount()
    await screen.ask(terms, { termsUrl: 'https://a.example/terms', privacyUrl: 'https://a.example/privacy' })
    const [accept, decline] = screen.all('[part=footer] button').map((each) => each.getBoundingClientRect())
    expect(decline?.width).to.be.closeTo(accept?.width ?? 0, 0.01)
    expect(decline?.height).to.be.closeTo(accept?.height ?? 0, 0.01)
    const body = screen.find('[part=body]')
    expect(body.scrollHeight).to.be.at.most(body.clientHeight)
  })

  it('reads a new title out when the same screen comes again with another', async () => {
    const screen = mount()
    await screen.ask(failure, { title: 'Timed out', action: 'retry' })
    button(screen, 'Try again').focus()
    button(screen, 'Try again').click()
    await screen.ask(failure, { title: 'Request failed', action: 'retry' })
    expect(screen.focuses('[data-heading]')).to.equal(true)
    expect(screen.find('[data-heading]').textContent).to.equal('Request failed')
  })
})

describe('a screen that has just arrived', () => {
  const isIgnored = (target: HTMLElement, key: string) =>
    !target.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true }),
    )

  it('ignores Enter, Space and the pointer for a moment', async () => {
    const arrivals = holdArrivals()
    const screen = mount()
    await screen.ask(landing, main)
    const row = button(screen, 'Wallet')
    expect([isIgnored(row, 'Enter'), isIgnored(row, ' '), isIgnored(row, 'a')]).to.deep.equal([
      true,
      true,
      false,
    ])
    expect(getComputedStyle(row).pointerEvents).to.equal('none')
    arrivals.end()
    expect(getComputedStyle(row).pointerEvents).to.equal('auto')
    expect(isIgnored(row, 'Enter')).to.equal(false)
  })

  it('takes Enter from somebody who has typed there', async () => {
    const screen = mount()
    await screen.ask(landing, main)
    type(field(screen), 'ada@example.com')
    expect(isIgnored(field(screen), 'Enter')).to.equal(false)
  })
})

describe('wallet created', () => {
  it('continues on its own', async () => {
    const screen = mount()
    await screen.ask(walletCreated, { address, isNewUser: true })
    const bar = screen.find('[data-bar]').getAnimations()[0]
    expect(bar?.effect?.getComputedTiming().endTime).to.equal(walletsLimits.walletCreatedVisible)
    expect(screen.answers).to.deep.equal([])
    bar?.finish()
    await until(() => screen.answers.length, 'the answer')
    expect(screen.answers).to.deep.equal(['continue'])
  })

  it('continues on its own under a pointer that rests on it, and on what can be pressed there', async () => {
    for (const words of ['Copy address', 'Continue']) {
      const screen = mount()
      await screen.ask(walletCreated, { address, isNewUser: true })
      await until(() => !button(screen, words).closest('[data-arriving]'), 'the screen takes presses')
      const { x, y, width, height } = button(screen, words).getBoundingClientRect()
      await sendMouse({ type: 'move', position: [Math.round(x + width / 2), Math.round(y + height / 2)] })
      await painted()
      expect(button(screen, words).matches(':hover')).to.equal(true)
      const bar = screen.find('[data-bar]').getAnimations()[0]
      expect(bar?.playState).to.equal('running')
      bar?.finish()
      await until(() => screen.answers.length, 'the answer')
      expect(screen.answers).to.deep.equal(['continue'])
      unmountAll()
    }
  })

  it('waits while somebody is at the address with the keyboard', async () => {
    const screen = mount()
    await screen.ask(walletCreated, { address, isNewUser: true })
    const bar = screen.find('[data-bar]').getAnimations()[0]
    expect(bar?.playState).to.equal('running')
    button(screen, 'Copy address').focus()
    await painted()
    expect(button(screen, 'Copy address').matches(':focus-visible')).to.equal(true)
    expect(bar?.playState).to.equal('paused')
    button(screen, 'Continue').focus()
    await painted()
    expect(bar?.playState).to.equal('running')
  })
})

describe('sign message', () => {
  it('can be signed at once when all of it is in sight', async () => {
    const screen = mount()
    await screen.ask(signMessage, message)
    button(screen, 'Sign and continue').click()
    await painted()
    expect(screen.answers).to.deep.equal(['sign'])
    await until(() => screen.root.textContent?.includes('Signing...'), 'the busy words')
    await screen.ask(signMessage, { ...message, done: true })
    expect(screen.root.textContent).to.contain('Success')
  })

  it('can be signed only after the end of a long one has been in sight', async () => {
    const screen = mount()
    await screen.ask(signMessage, { ...message, message: 'A line of the message.\n'.repeat(80) })
    const sign = button(screen, 'Sign and continue')
    sign.click()
    await painted()
    expect(screen.answers).to.deep.equal([])
    expect(sign.getAttribute('aria-disabled')).to.equal('true')
    const well = screen.find('[role=group]')
    expect(well.tabIndex).to.equal(0)
    expect(well.clientHeight).to.be.at.most(uiLimits.previewHeight)
    well.scrollTop = well.scrollHeight
    await until(() => !sign.hasAttribute('aria-disabled'), 'signing to be possible')
    sign.click()
    await painted()
    expect(screen.answers).to.deep.equal(['sign'])
  })

  it('shows what is invisible, and no markup', async () => {
    const screen = mount()
    await screen.ask(signMessage, { ...message, message: 'a\u202Eb<img src=x onerror=alert(1)>' })
    expect(screen.find('[role=group]').textContent).to.equal('aU+202Eb<img src=x onerror=alert(1)>')
    expect(screen.all('img').length).to.equal(0)
  })

  it('can be left only where the app allows it', async () => {
    const screen = mount()
    await screen.ask(signMessage, { ...message, cancellable: false })
    expect(screen.all('[aria-label=Close]').length).to.equal(0)
    expect(screen.all('button').some((each) => each.textContent === 'Cancel')).to.equal(false)
  })
})

describe('the theme', () => {
  const colour = (screen: Mounted, token: string) => {
    const probe = document.createElement('i')
    probe.style.background = `var(--_${token})`
    screen.find('[part=footer]').append(probe)
    return getComputedStyle(probe).backgroundColor
  }

  it('gives way to what the page sets, on the element or above it, token by token', async () => {
    const screen = mount()
    await screen.ask(failure, { title: 'Timed out', action: 'close' })
    const host = screen.root.host as HTMLElement
    const derived = ['accent', 'accent-hover', 'danger'].map((token) => colour(screen, token))
    expect(derived).to.deep.equal(['rgb(79, 86, 224)', 'rgb(71, 74, 212)', 'rgb(238, 85, 82)'])
    host.style.setProperty('--lk-accent', 'rgb(0, 128, 0)')
    document.documentElement.style.setProperty('--lk-danger', 'rgb(1, 2, 3)')
    expect(colour(screen, 'accent')).to.equal('rgb(0, 128, 0)')
    expect(colour(screen, 'accent-hover')).to.not.equal(derived[1])
    expect(colour(screen, 'danger')).to.equal('rgb(1, 2, 3)')
    host.style.setProperty('--lk-accent-hover', 'rgb(4, 5, 6)')
    expect(colour(screen, 'accent-hover')).to.equal('rgb(4, 5, 6)')
    const fill = () => getComputedStyle(screen.find('[part~=button-primary]')).backgroundColor
    await until(() => fill() === 'rgb(0, 128, 0)', 'the button to change its colour')
    document.documentElement.style.removeProperty('--lk-danger')
  })

  it('scales text without cutting it, and lets the panel grow with it', async () => {
    const screen = mount()
    const host = screen.root.host as HTMLElement
    host.style.setProperty('--lk-text-scale', '2')
    await screen.ask(failure, { title: 'Timed out', action: 'close' })
    expect(getComputedStyle(screen.find('[data-heading]')).fontSize).to.equal('40px')
    for (const each of screen.all('[part~=button],h2,p'))
      expect(each.scrollWidth).to.be.at.most(each.clientWidth + 2)
  })

  it('draws the initial of an app without a picture as large as the title below', async () => {
    const screen = mount()
    await screen.ask(crossApp, { phase: 'window', name: 'Harbor' })
    const initial = () => screen.all('span').find(({ textContent }) => textContent === 'H')
    await until(initial, 'the initial')
    const size = (el: Element | undefined) => el && getComputedStyle(el).fontSize
    expect(size(initial())).to.equal(size(screen.find('[data-heading]')))
  })
})

describe('the panel', () => {
  it('leaves the focus alone in a page, until somebody has used it', async () => {
    const before = document.createElement('input')
    document.body.append(before)
    before.focus()
    const screen = mount({ inline: true })
    await screen.ask(landing, main)
    expect(document.activeElement === before).to.equal(true)
    expect(screen.all('[aria-label=Close]').length).to.equal(0)
    type(field(screen), 'ada@example.com')
    await painted()
    field(screen).form?.requestSubmit()
    await screen.ask(failure, { title: 'Timed out', action: 'close' })
    expect(screen.focuses('[data-heading]')).to.equal(true)
    before.remove()
  })

  it('removes the old screen, which can’t be reached while it leaves', async () => {
    const screen = mount()
    await screen.ask(landing, main)
    screen.stage.scene.get()?.answer('more')
    await screen.ask(failure, { title: 'Timed out', action: 'close' })
    const layers = () => [...screen.root.querySelectorAll('[data-layer]')]
    for (const old of layers().slice(1))
      expect([old.hasAttribute('inert'), old.ariaHidden]).to.deep.equal([true, 'true'])
    await until(() => layers().length === 1, 'the old screen to go')
  })

  it('asks to close by Escape, button and backdrop, and closes nothing itself', async () => {
    const arrivals = holdArrivals()
    const screen = mount()
    await screen.ask(landing, main)
    const dialog = screen.root.querySelector('dialog')
    if (!dialog) throw new Error('There is no dialog')
    field(screen).dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }),
    )
    button(screen, 'Close').click()
    const press = () => {
      dialog.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
      dialog.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    }
    // As early as this it is the second half of the double click that has opened the dialog.
    press()
    arrivals.end()
    press()
    // A press that began in the panel is none on the backdrop.
    field(screen).dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }))
    dialog.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    await painted()
    expect(screen.closeRequests).to.deep.equal(['escape', 'button', 'backdrop'])
    expect(dialog.open).to.equal(true)
  })

  it('writes to its live regions, and says the same words a second time', async () => {
    const screen = mount()
    await screen.ask(landing, main)
    const region = screen.root.querySelector('[role=alert]')
    const heard: (string | null)[] = []
    new MutationObserver(() => heard.push(region?.textContent ?? null)).observe(region as Node, {
      childList: true,
    })
    for (let i = 0; i < 2; i++) {
      field(screen).form?.requestSubmit()
      await painted()
    }
    expect(heard.length).to.equal(2)
    expect(new Set(heard.map((words) => words?.trim())).size).to.equal(1)
  })

  it('takes what it has said out of its live regions when another screen comes', async () => {
    const screen = mount()
    await screen.ask(landing, main)
    field(screen).form?.requestSubmit()
    await painted()
    expect(alert(screen)).not.to.equal('')
    await screen.ask(walletCreated, { address, isNewUser: true })
    expect(alert(screen)).to.equal('')
    expect(screen.root.querySelector('[role=status]')?.textContent).to.equal('')
  })
})

describe('filled red', () => {
  const red = ({ all }: Mounted) => all('[part~=button-danger]').map(({ textContent }) => textContent)

  it('is not on the screen of an account that somebody only looks at', async () => {
    for (const action of ['remove', 'remove-device'] as const) {
      const screen = mount()
      await screen.ask(entry, { icon: mail, title: 'ada@example.com', facts: [], actions: [action] })
      expect(red(screen)).to.deep.equal([])
    }
  })

  it('is on the confirmation of a removal, below what takes it back', async () => {
    const screen = mount()
    await screen.ask(confirmRemoval, { kind: 'account', account: 'ada@example.com' })
    expect(screen.all('[part=footer] button').map(({ textContent }) => textContent)).to.deep.equal([
      'Cancel',
      'Remove',
    ])
    expect(red(screen)).to.deep.equal(['Remove'])
  })

  it('is gone, with the warning, once an account was transferred or a factor removed', async () => {
    const transferred = mount()
    await transferred.ask(linkConflict, { ...asking, done: true })
    expect(transferred.find('[data-heading]').textContent).to.equal('Account transferred')
    expect(transferred.find('[part=footer]').textContent).to.contain('Success!')
    const removed = mount()
    await removed.ask(removeMethod, { method: 'totp', last: true, done: true })
    expect(removed.find('[data-heading]').textContent).to.equal('Verification method removed')
    for (const screen of [transferred, removed])
      expect([red(screen), screen.all('[part=banner]').length]).to.deep.equal([[], 0])
  })
})

describe('the screen of a passkey', () => {
  afterEach(unmountAll)

  it('keeps the button that somebody is pressing when the browser answers meanwhile', async () => {
    const screen = mount()
    await screen.ask(passkey, { doing: 'login', signUp: true, state: 'waiting' })
    const pressed = screen.find('[part=footer] button')
    expect(pressed.textContent).to.equal('Sign up with a passkey')
    const [title, detail] = ['Something went wrong', 'Passkey request timed out or rejected by user.']
    await screen.ask(passkey, {
      ...{ doing: 'login', signUp: true, state: 'failed' },
      ...{ title, detail, retryable: true },
    })
    await until(() => screen.all('[part=footer] button').length === 2, 'the browser has answered')
    expect([pressed.isConnected, pressed.textContent]).to.deep.equal([true, 'Sign up with a passkey'])
  })
})

describe('a button whose meaning changes', () => {
  const failed = { error: { title: 'Something went wrong', detail: 'Unable to set recovery on wallet' } }
  const takesPresses = (screen: Mounted, words: string) =>
    until(() => !button(screen, words).closest('[data-arriving]'), 'the screen takes presses')

  it('takes no press that began on what it meant before', async () => {
    const screen = mount()
    await screen.ask(automaticRecovery, {})
    await takesPresses(screen, 'Confirm')
    const { x, y, width, height } = button(screen, 'Confirm').getBoundingClientRect()
    await sendMouse({ type: 'move', position: [Math.round(x + width / 2), Math.round(y + height / 2)] })
    await sendMouse({ type: 'down' })
    await screen.ask(automaticRecovery, failed)
    await takesPresses(screen, 'Try again')
    await sendMouse({ type: 'up' })
    await painted()
    expect(screen.answers).to.deep.equal([])
    button(screen, 'Try again').click()
    await until(() => screen.answers.length > 0, 'the press is answered')
    expect(screen.answers).to.deep.equal(['retry'])
  })
})
