import { expect } from '@open-wc/testing'
import { defineElement } from '../../../elements/define.ts'
import { LoginModal } from '../../../elements/login-modal.ts'
import { version } from '../../../src/lib/version.ts'
import { limit } from '../../support/limit.ts'
import { soak } from '../../support/soak.ts'
import { fakeKit } from './support/fake-kit.ts'
import { clear, dialogOf, drawn, headingOf, opened, place, until, within } from './support/page.ts'

const openings = soak(50, 200)

const hostile = `
* { color: red !important; display: none; font: 40px serif !important; box-sizing: content-box !important;
    visibility: hidden !important; letter-spacing: 9px !important; text-transform: uppercase !important }
html, body { display: block }
login-modal { position: fixed; width: 1px; opacity: 0; transform: scale(0); filter: blur(9px) }
dialog, button, input, h2, div, form { display: none !important; background: red !important }
`
const adopted = (css: string) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }
}
const warnings = (work: () => void): string[] => {
  const said: string[] = []
  const { warn } = console
  console.warn = (...words) => said.push(words.join(' '))
  try {
    work()
  } finally {
    console.warn = warn
  }
  return said
}

describe('isolation', () => {
  afterEach(clear)

  it('lets no style of the page in', async () => {
    const { element } = place()
    const looks = [
      'color',
      'fontSize',
      'display',
      'visibility',
      'letterSpacing',
      'textTransform',
      'backgroundColor',
    ]
    const parts = ['dialog', '[part=dialog]', '[data-heading]', 'input', '#next']
    const seen = () =>
      parts.map((part) => {
        const style = getComputedStyle(within(element, part) as Element)
        return [part, ...looks.map((name) => Reflect.get(style, name)), style.fontFamily]
      })
    await opened(element)
    const plain = seen()
    const undo = adopted(hostile)
    try {
      expect(seen()).to.deep.equal(plain)
      const { width } = (dialogOf(element) as Element).getBoundingClientRect()
      expect(width).to.be.greaterThan(340)
    } finally {
      undo()
    }
    element.close()
  })

  it('puts no style element anywhere, and nothing on window', async () => {
    const styles = () => document.querySelectorAll('style').length
    const before = [styles(), Object.keys(window).length]
    const { element } = place()
    await opened(element)
    expect([styles(), Object.keys(window).length]).to.deep.equal(before)
    expect(element.shadowRoot?.querySelectorAll('style, [style*="expression"]').length).to.equal(0)
    expect(element.shadowRoot?.adoptedStyleSheets.length).to.be.greaterThan(1)
    element.close()
  })

  it('keeps two dialogs of two kits apart', async () => {
    const { element: one } = place(fakeKit('one'))
    const { element: two } = place(fakeKit('two'))
    await opened(one)
    await opened(two)
    expect(one.shadowRoot?.adoptedStyleSheets.at(-1)).to.not.equal(two.shadowRoot?.adoptedStyleSheets.at(-1))
    two.close()
    await until(() => !dialogOf(two))
    expect(headingOf(one)).to.equal('First screen')
    expect(dialogOf(one)?.matches(':modal')).to.equal(true)
    one.close()
  })

  it(`leaves nothing behind after ${openings} openings`, async function () {
    this.timeout(limit(60_000))
    /** A listener that is added twice is there once. */
    const kept = new Map<string, Set<unknown>>()
    const listeners = () => [...kept].map(([type, each]) => [type, each.size])
    const originals = [document, window].map((target) => {
      const { addEventListener: add, removeEventListener: remove } = target
      target.addEventListener = function (this: EventTarget, ...args: unknown[]) {
        const [type, listener, options] = args as [string, unknown, AddEventListenerOptions | undefined]
        if (!options?.once) kept.set(type, (kept.get(type) ?? new Set()).add(listener))
        return Reflect.apply(add, this, args)
      } as typeof add
      target.removeEventListener = function (this: EventTarget, ...args: unknown[]) {
        kept.get(args[0] as string)?.delete(args[1])
        return Reflect.apply(remove, this, args)
      } as typeof remove
      return () => Object.assign(target, { addEventListener: add, removeEventListener: remove })
    })
    const rejections: unknown[] = []
    const note = (event: PromiseRejectionEvent) => rejections.push(event.reason)
    window.addEventListener('unhandledrejection', note)
    try {
      const { element, kit } = place()
      const once = async () => {
        element.login()
        await until(() => element.open)
        element.close()
        await until(() => !kit.isModalOpen)
      }
      await once()
      await until(() => !dialogOf(element))
      const sheets = element.shadowRoot?.adoptedStyleSheets.length
      const counts = kit.counts()
      const nodes = document.querySelectorAll('*').length
      const before = listeners()
      for (let i = 0; i < openings; i++) await once()
      await until(() => !dialogOf(element))
      await drawn()
      expect(element.shadowRoot?.childNodes.length).to.equal(0)
      expect(element.shadowRoot?.adoptedStyleSheets.length).to.equal(sheets)
      expect(kit.counts()).to.deep.equal(counts)
      expect(document.querySelectorAll('*').length).to.equal(nodes)
      expect(listeners()).to.deep.equal(before)
      expect(rejections).to.deep.equal([])
    } finally {
      window.removeEventListener('unhandledrejection', note)
      for (const undo of originals) undo()
    }
  })
})

describe('definition', () => {
  afterEach(clear)

  it('is silent when the same version comes twice', () => {
    expect(warnings(() => defineElement(LoginModal))).to.deep.equal([])
    class Twin extends LoginModal {}
    expect(warnings(() => defineElement(Twin))).to.deep.equal([])
    expect(customElements.get('login-modal')).to.equal(LoginModal)
  })

  it('warns once, with both numbers, when another version comes second', () => {
    class Newer extends LoginModal {
      static override readonly version: string = '9.9.9'
    }
    const said = warnings(() => {
      defineElement(Newer)
      defineElement(Newer)
    })
    expect(said).to.have.length(1)
    expect(said[0]).to.contain('9.9.9').and.to.contain(version)
    expect(customElements.get('login-modal')).to.equal(LoginModal)
  })

  it('takes a prefix, beside the plain name', async () => {
    defineElement(LoginModal, { prefix: 'acme-' })
    const element = document.createElement('acme-login-modal') as LoginModal
    expect(element).to.be.instanceOf(LoginModal)
    element.kit = fakeKit()
    document.body.append(element)
    await opened(element)
    expect(headingOf(element)).to.equal('First screen')
    element.close()
  })

  it('never throws', () => {
    expect(warnings(() => defineElement(LoginModal, { prefix: 'Not A Tag ' }))).to.have.length(1)
  })

  it('carries the version of the package', async () => {
    const { version: packaged } = await (await fetch('/package.json')).json()
    expect(LoginModal.version).to.equal(packaged)
  })
})
