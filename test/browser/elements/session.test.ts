import { expect } from '@open-wc/testing'
import { createKit } from '../../../elements/create-kit.ts'
import type { LoginModal } from '../../../elements/login-modal.ts'
import { sessionKey } from '../../../src/session/keys.ts'
import { clear, drawn, record, until } from './support/page.ts'

const idOf = (letter: string) => letter.repeat(25)
const add = (appId: string) => {
  const element = document.createElement('login-modal')
  element.appId = appId
  element.apiUrl = location.origin
  const seen = record(element, 'lk-ready', 'lk-error')
  document.body.append(element)
  return { element, seen }
}
/** How often the chunk of a module of ours was fetched. */
const fetched = (module: string) =>
  performance.getEntriesByType('resource').filter(({ name }) => name.includes(`/${module}-`)).length

describe('an element and the real kit', () => {
  const kits: LoginModal['kit'][] = []
  afterEach(async () => {
    localStorage.clear()
    await clear()
    for (const kit of kits.splice(0)) kit?.destroy()
  })

  it('fetches nothing of React for a session that this browser remembers, but the kit', async () => {
    for (const name of ['token', 'refresh'] as const) {
      const appId = idOf(name.charAt(0))
      localStorage.setItem(sessionKey(appId, name), 'x.y.z')
      const { element } = add(appId)
      await until(() => element.kit)
      kits.push(element.kit)
    }
    await drawn()
    expect(fetched('view')).to.equal(0)
  })

  it('fetches no kit where storage is blocked', async () => {
    const usual = Object.getOwnPropertyDescriptor(window, 'localStorage') as PropertyDescriptor
    Object.defineProperty(window, 'localStorage', {
      configurable: true,
      get: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
    try {
      const { element, seen } = add(idOf('b'))
      await until(() => seen.length === 1)
      expect(seen[0]?.name).to.equal('lk-ready')
      expect(element.kit).to.equal(undefined)
    } finally {
      Object.defineProperty(window, 'localStorage', usual)
    }
  })

  it('is one kit for the element, for the script, and for a second script', async () => {
    const { element } = add(idOf('c'))
    const kit = createKit({ appId: idOf('c'), apiUrl: location.origin })
    kits.push(kit)
    await until(() => element.kit === kit)
    expect(
      createKit({ appId: idOf('c'), apiUrl: location.origin, copy: { 'common.back': 'Zurück' } }),
    ).to.equal(kit)
    expect(kit.copy.get()).to.deep.equal({ 'common.back': 'Zurück' })
  })

  it('throws for a script that gives a wrong app id, with a code', () => {
    expect(() => createKit({ appId: 'short', apiUrl: location.origin }))
      .to.throw()
      .with.property('code', 'invalid_configuration')
  })

  it('is loaded by a method, and its failures are reported', async () => {
    const { element, seen } = add(idOf('d'))
    expect(await element.getAccessToken()).to.equal(null)
    kits.push(element.kit)
    await until(() => seen.some(({ name }) => name === 'lk-error'))
  })

  it('preloads the dialog when somebody points at the element', async () => {
    const { element } = add(idOf('e'))
    await drawn()
    expect(element.kit).to.equal(undefined)
    element.dispatchEvent(new PointerEvent('pointerenter'))
    await until(() => element.kit && fetched('view') === 1)
    kits.push(element.kit)
  })

  it('loads the dialog by itself when the page is idle and asks for that', async () => {
    const { element } = add(idOf('f'))
    element.setAttribute('preload', '')
    await until(() => element.kit)
    kits.push(element.kit)
    expect(element.preload).to.equal('')
    expect(element.open).to.equal(false)
  })

  it('loads the dialog when somebody points at what the page names, in any root, and not before', async () => {
    const { element } = add(idOf('g'))
    const card = document.createElement('div')
    card.attachShadow({ mode: 'open' }).innerHTML = '<button class="sign-in"><b>Log in</b></button>'
    document.body.append(card)
    element.preload = '.sign-in'
    await drawn()
    expect(element.kit).to.equal(undefined)
    const pointAt = (target?: Element | null) =>
      target?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }))
    pointAt(document.body)
    await drawn()
    expect(element.kit).to.equal(undefined)
    pointAt(card.shadowRoot?.querySelector('b'))
    await until(() => element.kit)
    kits.push(element.kit)
  })

  it('loads the dialog when the focus comes to what the page names, also after the element was away', async () => {
    const { element } = add(idOf('h'))
    element.preload = '#later'
    await drawn()
    element.remove()
    await drawn()
    const button = document.createElement('button')
    button.id = 'later'
    document.body.append(button)
    button.focus()
    await drawn()
    expect(element.kit).to.equal(undefined)
    document.body.append(element)
    await drawn()
    button.blur()
    button.focus()
    await until(() => element.kit)
    kits.push(element.kit)
  })

  it('leaves it at a warning when what should be pointed at is no selector', async () => {
    const { element } = add(idOf('i'))
    element.preload = '..'
    await drawn()
    expect(element.kit).to.equal(undefined)
    element.preload = undefined
    expect(element.preload).to.equal(undefined)
  })
})
