import { expect } from '@open-wc/testing'
import { holdTimers } from '../timers.ts'
import { fakeKit } from './support/fake-kit.ts'
import {
  clear,
  dialogOf,
  drawn,
  focused,
  headingOf,
  opened,
  place,
  pressOn,
  record,
  until,
  within,
} from './support/page.ts'

const frame = async () => {
  const element = document.createElement('iframe')
  document.body.append(element)
  await until(() => element.contentDocument?.body)
  return element.contentDocument as Document
}
const typed = (element: HTMLElement) => within<HTMLInputElement>(element, 'input')

describe('an element that moves', () => {
  afterEach(clear)

  async function typing(into?: Node) {
    const placed = place(fakeKit(), into)
    const { login } = await opened(placed.element)
    const seen = record(placed.element, 'lk-open', 'lk-close', 'lk-error')
    const field = typed(placed.element) as HTMLInputElement
    field.focus()
    field.value = 'half an addr'
    const stay = async () => {
      await drawn()
      expect(typed(placed.element)).to.equal(field)
      expect(field.value).to.equal('half an addr')
      expect(dialogOf(placed.element)?.matches(':modal')).to.equal(true)
      expect(focused()).to.equal(field)
      expect(seen).to.deep.equal([])
      expect(placed.element.open).to.equal(true)
    }
    return { ...placed, login, seen, field, stay }
  }

  it('keeps its run, what was typed and the focus within the same parent', async () => {
    const { element, stay } = await typing()
    document.body.append(document.createElement('p'), element)
    await stay()
  })

  it('keeps them in another parent, and in another shadow root', async () => {
    const { element, stay } = await typing()
    const box = document.createElement('div')
    document.body.append(box)
    box.append(element)
    await stay()
    const outer = document.createElement('div')
    document.body.append(outer)
    outer.attachShadow({ mode: 'open' }).append(element)
    await stay()
  })

  it('keeps them in a move that keeps state', async () => {
    const { element, stay } = await typing()
    const box = document.createElement('div')
    document.body.append(box)
    const move = (box as Partial<{ moveBefore(node: Node, before: null): void }>).moveBefore
    if (!move) return
    move.call(box, element, null)
    await stay()
  })

  it('tells a listener that a framework takes off with it how its run ends, and no other', async () => {
    const { element, login } = await typing()
    const heard: string[] = []
    const [before, after, stranger] = ['before', 'after', 'stranger'].map((name) => () => heard.push(name))
    for (const listener of [before, after, stranger])
      element.addEventListener('lk-close', listener as () => void)
    element.removeEventListener('lk-close', stranger as () => void)
    await drawn()
    // React takes listeners off before the element, Angular after it.
    element.removeEventListener('lk-close', before as () => void)
    element.remove()
    element.removeEventListener('lk-close', after as () => void)
    await login
    await until(() => heard.length > 0)
    await drawn()
    expect(heard).to.deep.equal(['before', 'after'])
  })

  it('keeps a listener that is taken off and put on again', async () => {
    const { element, login } = await typing()
    const heard: string[] = []
    const listener = () => heard.push('close')
    element.addEventListener('lk-close', listener)
    element.removeEventListener('lk-close', listener)
    element.addEventListener('lk-close', listener)
    await drawn()
    element.close()
    await login
    await until(() => heard.length > 0)
    expect(heard).to.deep.equal(['close'])
  })

  it('continues where it was when it is re-inserted a little later', async () => {
    const { element, login, seen } = await typing()
    await pressOn(element, '#next')
    await until(() => headingOf(element) === 'Second screen')
    const timers = holdTimers()
    element.remove()
    await drawn()
    expect(dialogOf(element)).to.equal(null)
    document.body.append(element)
    await until(() => headingOf(element) === 'Second screen')
    expect(dialogOf(element)?.matches(':modal')).to.equal(true)
    timers.end()
    await drawn()
    expect(seen).to.deep.equal([])
    await pressOn(element, '#done')
    expect(await login).to.have.property('id')
  })

  it('ends its run when it stays away', async () => {
    const { element, kit, login, seen } = await typing()
    element.remove()
    expect(await login).to.have.property('code', 'exited_auth_flow')
    await until(() => seen.length === 1)
    expect(kit.isModalOpen).to.equal(false)
    expect(element.open).to.equal(false)
    document.body.append(element)
    const again = await opened(element)
    element.close()
    await again.login
  })

  it('ends what waits for its first dialog when it is removed', async () => {
    const { element } = place()
    const login = element.login().catch((error) => error)
    element.remove()
    expect(await login).to.have.property('code', 'exited_auth_flow')
  })

  it('frees the page when it is removed', async () => {
    const { element } = await typing()
    element.remove()
    const outside = document.createElement('input')
    document.body.append(outside)
    outside.focus()
    expect(document.activeElement).to.equal(outside)
  })

  it('is dressed in another document, mid-run', async () => {
    const { element, field } = await typing()
    const before = getComputedStyle(within(element, '[part=dialog]') as Element)
    const look = { width: before.width, background: before.backgroundColor }
    const other = await frame()
    other.body.append(element)
    await drawn()
    expect(element.ownerDocument).to.equal(other)
    expect(typed(element)).to.equal(field)
    const view = other.defaultView as Window
    const after = view.getComputedStyle(within(element, '[part=dialog]') as Element)
    expect(after.backgroundColor).to.equal(look.background)
    expect(view.getComputedStyle(element).display).to.equal('contents')
    expect(dialogOf(element)?.matches(':modal')).to.equal(true)
    await pressOn(element, '#next')
    await until(() => headingOf(element) === 'Second screen')
    const { login } = { login: element.login().catch((error) => error) }
    element.close()
    expect(await login).to.have.property('code', 'exited_auth_flow')
    await until(() => !dialogOf(element))
  })

  it('is dressed in another document when it was closed meanwhile', async () => {
    const { element, login } = await typing()
    element.close()
    await login
    await until(() => !dialogOf(element))
    const other = await frame()
    other.body.append(element)
    await opened(element)
    const view = other.defaultView as Window
    expect(view.getComputedStyle(dialogOf(element) as Element).position).to.equal('fixed')
    element.close()
  })
})
