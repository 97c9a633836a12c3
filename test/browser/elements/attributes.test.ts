import { expect } from '@open-wc/testing'
import type { LoginModal } from '../../../elements/login-modal.ts'
import { fakeKit } from './support/fake-kit.ts'
import { clear, dialogOf, drawn, opened, place, until, within } from './support/page.ts'

const make = (markup: string): LoginModal => {
  const box = document.createElement('div')
  box.innerHTML = markup
  document.body.append(box)
  return box.firstElementChild as LoginModal
}

describe('attributes and properties', () => {
  afterEach(clear)

  it('reads text attributes as properties and does not write properties back', () => {
    const element = make(
      '<login-modal app-id="a" client-id="c" api-url="u" vault-url="v" accent="#fff"></login-modal>',
    )
    const { appId, clientId, apiUrl, vaultUrl, accent } = element
    expect({ appId, clientId, apiUrl, vaultUrl, accent }).to.deep.equal({
      appId: 'a',
      clientId: 'c',
      apiUrl: 'u',
      vaultUrl: 'v',
      accent: '#fff',
    })
    element.accent = '#000'
    expect(element.getAttribute('accent')).to.equal('#fff')
    element.removeAttribute('accent')
    expect(element.accent).to.equal(undefined)
  })

  for (const name of ['open', 'inline'] as const) {
    it(`takes ${name} by presence, with any value, and reflects it`, () => {
      const element = document.createElement('login-modal')
      expect(element[name]).to.equal(false)
      for (const value of ['', 'true', 'false', name]) {
        element.setAttribute(name, value)
        expect(element[name], `${name}="${value}"`).to.equal(true)
        element.removeAttribute(name)
        expect(element[name]).to.equal(false)
      }
      element[name] = true
      expect(element.getAttribute(name)).to.equal('')
      element[name] = undefined as unknown as boolean
      expect(element.hasAttribute(name)).to.equal(false)
    })
  }

  it('falls back from an unknown theme, and warns once', () => {
    const said: unknown[] = []
    const { warn } = console
    console.warn = (...words) => said.push(words.join(' '))
    try {
      for (let i = 0; i < 2; i++)
        expect(make('<login-modal theme="purple"></login-modal>').theme).to.equal('auto')
    } finally {
      console.warn = warn
    }
    expect(said).to.have.length(1)
    expect(said[0]).to.contain('theme="purple"')
  })

  it('reflects theme, and takes undefined for the default', () => {
    const element = document.createElement('login-modal')
    element.theme = 'dark'
    expect(element.getAttribute('theme')).to.equal('dark')
    element.setAttribute('theme', 'light')
    expect(element.theme).to.equal('light')
    element.theme = undefined
    expect(element.hasAttribute('theme')).to.equal(false)
    expect(element.theme).to.equal('auto')
  })

  it('never shows objects in the markup', () => {
    const element = make('<login-modal></login-modal>')
    const kit = fakeKit()
    element.kit = kit
    element.config = { loginMethods: ['email'] }
    element.copy = { 'common.back': 'Zurück' }
    expect(element.outerHTML).to.equal('<login-modal></login-modal>')
    expect(element.kit).to.equal(kit)
  })

  it('hands config and words to the kit, also later', async () => {
    const { element, kit } = place()
    element.config = { loginMethods: ['email'] }
    await until(() => kit.configured.length === 1)
    element.copy = { 'common.back': 'Zurück' }
    await until(() => kit.configured.length === 2)
    expect(kit.configured[1]).to.deep.equal({ config: element.config, copy: element.copy })
  })

  it('takes properties that were set before it was defined', async () => {
    const kit = fakeKit()
    const early = document.createElement('early-login-modal') as LoginModal
    Object.assign(early, { kit, inline: true, theme: 'dark', appId: 'b', open: true, user: 'mine' })
    document.body.append(early)
    const { define } = await import('../../../elements/all.ts')
    define({ prefix: 'early-' })
    expect(Object.keys(early)).to.deep.equal([])
    expect(early.inline).to.equal(true)
    expect(early.getAttribute('theme')).to.equal('dark')
    expect(early.appId).to.equal('b')
    expect(early.kit).to.equal(kit)
    expect(early.user).to.equal(null)
    await until(() => early.shadowRoot?.querySelector('[data-heading]'))
  })

  it('constructs as the platform asks: no attributes, no children, one open root', () => {
    const element = new (customElements.get('login-modal') as new () => LoginModal)()
    expect(element.attributes.length).to.equal(0)
    expect(element.childNodes.length).to.equal(0)
    expect(element.shadowRoot?.mode).to.equal('open')
    const copy = element.cloneNode() as LoginModal
    expect(copy.shadowRoot).to.not.equal(element.shadowRoot)
  })

  it('opens and closes by attribute and by property', async () => {
    const { element, kit } = place()
    element.setAttribute('open', '')
    await until(() => dialogOf(element)?.open)
    element.removeAttribute('open')
    await until(() => !dialogOf(element))
    expect(kit.isModalOpen).to.equal(false)
    element.open = true
    await until(() => dialogOf(element)?.open)
    element.open = false
    await until(() => !dialogOf(element))
  })

  it('does nothing when open is set and unset in one go', async () => {
    const { element, kit } = place()
    await drawn()
    element.open = true
    element.open = false
    await drawn()
    expect(kit.isModalOpen).to.equal(false)
  })

  it('shows its states', async () => {
    const { element, kit } = place()
    expect(element.matches(':state(open)')).to.equal(false)
    await opened(element)
    expect(element.matches(':state(open)')).to.equal(true)
    kit.flow = async () => {}
    element.close()
    await until(() => !element.matches(':state(open)'))
    const { somebody } = await import('./support/fake-kit.ts')
    kit.setUser(somebody)
    expect(element.matches(':state(signed-in)')).to.equal(true)
    kit.setUser(null)
    expect(element.matches(':state(signed-in)')).to.equal(false)
  })

  it('is hidden by the hidden attribute, and has a box only in the page', () => {
    const element = make('<login-modal></login-modal>')
    expect(getComputedStyle(element).display).to.equal('contents')
    element.inline = true
    expect(getComputedStyle(element).display).to.equal('block')
    element.hidden = true
    expect(getComputedStyle(element).display).to.equal('none')
    element.inline = false
    expect(getComputedStyle(element).display).to.equal('none')
  })

  it('takes the whole theme from --lk-accent alone, as from the attribute', async () => {
    const themeOf = async (dress: (element: LoginModal) => void) => {
      const { element } = place()
      dress(element)
      await opened(element)
      const style = getComputedStyle(await until(() => within(element, '[data-heading]')))
      const theme = ['accent', 'accent-hover', 'accent-subtle', 'accent-text', 'on-accent', 'border'].map(
        (name) => style.getPropertyValue(`--_${name}`),
      )
      element.close()
      await clear()
      return theme
    }
    const usual = await themeOf(() => {})
    const byAttribute = await themeOf((element) => element.setAttribute('accent', '#FFE14A'))
    const byProperty = await themeOf((element) => element.style.setProperty('--lk-accent', '#FFE14A'))
    expect(byProperty).to.deep.equal(byAttribute)
    expect(byProperty).not.to.deep.equal(usual)
  })
})
