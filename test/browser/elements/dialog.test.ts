import { expect } from '@open-wc/testing'
import { emulateMedia, sendKeys, sendMouse, setViewport } from '@web/test-runner-commands'
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
  takesPresses,
  until,
  within,
} from './support/page.ts'
import { first, locked } from './support/screens.tsx'

const press = (key: string) => sendKeys({ press: key })
const still = (element: HTMLElement) => until(() => dialogOf(element)?.getAnimations().length === 0)

describe('the dialog', () => {
  before(() => setViewport({ width: 1000, height: 800 }))
  afterEach(async () => {
    await clear()
    await setViewport({ width: 1000, height: 800 })
    await emulateMedia({ reducedMotion: 'no-preference' })
  })

  it('is closed by Escape where that is allowed, and says so', async () => {
    const { element } = place()
    const seen = record(element, 'lk-close-request', 'lk-close')
    const { login } = await opened(element)
    await press('Escape')
    expect(await login).to.have.property('code', 'exited_auth_flow')
    await until(() => seen.length === 2)
    expect(seen[0]?.event.detail).to.deep.equal({ reason: 'escape' })
  })

  it('stays through many Escapes that the page vetoes', async () => {
    const { element } = place()
    element.addEventListener('lk-close-request', (event) => event.preventDefault())
    await opened(element)
    for (let i = 0; i < 4; i++)
      await press('Escape')
      // Where the focus has been lost, the browser itself asks for the closing.
    ;(focused() as HTMLElement).blur()
    for (let i = 0; i < 4; i++) await press('Escape')
    await drawn()
    expect(dialogOf(element)?.matches(':modal')).to.equal(true)
    element.close()
  })

  it('stays through Escapes, and has no way out, on a screen that may not be closed', async () => {
    const { element, kit } = place()
    kit.flow = (stage) => stage.ask(locked, {})
    const seen = record(element, 'lk-close-request')
    const { login } = await opened(element)
    expect(within(element, '[aria-label=Close]')).to.equal(null)
    expect(dialogOf(element)?.getAttribute('closedby')).to.equal('none')
    for (let i = 0; i < 3; i++) await press('Escape')
    ;(focused() as HTMLElement).blur()
    for (let i = 0; i < 3; i++) await press('Escape')
    await sendMouse({ type: 'click', position: [5, 5] })
    await drawn()
    expect(dialogOf(element)?.matches(':modal')).to.equal(true)
    expect(seen).to.deep.equal([])
    within(element, '#accept')?.click()
    await login
  })

  it('is closed by a click beside it, not by one inside it or by a selection that ends outside', async () => {
    const { element } = place()
    const { login } = await opened(element)
    const seen = record(element, 'lk-close-request')
    await still(element)
    await takesPresses(element)
    await sendMouse({ type: 'click', position: [500, 400] })
    await sendMouse({ type: 'move', position: [500, 400] })
    await sendMouse({ type: 'down' })
    await sendMouse({ type: 'move', position: [20, 20] })
    await sendMouse({ type: 'up' })
    await drawn()
    expect(seen).to.deep.equal([])
    await sendMouse({ type: 'click', position: [20, 20] })
    await login
    expect(seen.map(({ event }) => event.detail.reason)).to.deep.equal(['backdrop'])
  })

  it('is not closed by a press that was meant for a taller screen than the one which has just come', async () => {
    await emulateMedia({ reducedMotion: 'reduce' })
    const { element } = place()
    const { login } = await opened(element)
    const seen = record(element, 'lk-close-request')
    await takesPresses(element)
    const { top } = (dialogOf(element) as Element).getBoundingClientRect()
    const position: [number, number] = [500, Math.round(top) + 30]
    await pressOn(element, '#next')
    await until(() => headingOf(element) === 'Second screen')
    await sendMouse({ type: 'click', position })
    await takesPresses(element)
    expect(seen).to.deep.equal([])
    await sendMouse({ type: 'click', position })
    await login
    expect(seen.map(({ event }) => event.detail.reason)).to.deep.equal(['backdrop'])
  })

  it('takes the focus, keeps it, and gives it back to what had it, through nested roots', async () => {
    const outer = document.createElement('div')
    const button = document.createElement('button')
    outer.attachShadow({ mode: 'open' }).append(button)
    document.body.append(outer, document.createElement('input'))
    const { element } = place()
    button.focus()
    const { login } = await opened(element)
    await until(() => focused() === within(element, 'input'))
    for (let i = 0; i < 8; i++) {
      await press('Tab')
      const now = focused()
      expect(now === document.body || element.shadowRoot?.contains(now), `Tab ${i + 1}`).to.equal(true)
    }
    element.close()
    await login
    await until(() => !dialogOf(element))
    expect(focused()).to.equal(button)
  })

  it('gives the focus nowhere when the page has put it elsewhere, or its place is gone', async () => {
    const button = document.createElement('button')
    document.body.append(button)
    const { element } = place()
    button.focus()
    const { login } = await opened(element)
    button.remove()
    element.close()
    await login
    await until(() => !dialogOf(element))
    expect(focused()).to.equal(document.body)
  })

  it('moves the focus to the heading of each new screen', async () => {
    const { element } = place()
    const { login } = await opened(element)
    await pressOn(element, '#next')
    await until(() => focused()?.textContent === 'Second screen')
    element.close()
    await login
  })

  it('is named by the heading of its screen', async () => {
    const { element } = place()
    await opened(element)
    const id = dialogOf(element)?.getAttribute('aria-labelledby')
    expect(element.shadowRoot?.getElementById(id ?? '')?.textContent).to.equal('First screen')
    await expect(element).shadowDom.to.be.accessible()
    element.close()
  })

  it('is part of the page when it is inline: no scrim, no close button, and the page stays usable', async () => {
    const { element } = place()
    element.inline = true
    const { login } = await opened(element)
    expect(dialogOf(element)).to.equal(null)
    expect(headingOf(element)).to.equal('First screen')
    expect(within(element, '[aria-label=Close]')).to.equal(null)
    const outside = document.createElement('input')
    document.body.append(outside)
    outside.focus()
    expect(document.activeElement).to.equal(outside)
    const box = element.getBoundingClientRect()
    expect(box.width).to.be.greaterThan(300)
    expect(box.height).to.be.greaterThan(300)
    await press('Escape')
    expect(element.open).to.equal(true)
    element.open = false
    await login
    await until(() => !headingOf(element))
  })

  it('is a drawer at the bottom, as wide as a narrow page', async () => {
    await setViewport({ width: 400, height: 700 })
    const { element } = place()
    const { login } = await opened(element)
    await still(element)
    const box = (dialogOf(element) as Element).getBoundingClientRect()
    expect([box.left, box.width, box.bottom]).to.deep.equal([0, 400, 700])
    expect(document.documentElement.scrollWidth).to.equal(400)
    const drag = async (to: number) => {
      await sendMouse({ type: 'move', position: [200, Math.round(box.top) + 12] })
      await sendMouse({ type: 'down' })
      await sendMouse({ type: 'move', position: [200, Math.round(box.top) + 12 + to] })
      await sendMouse({ type: 'up' })
    }
    await drag(80)
    const isBack = () => dialogOf(element)?.getBoundingClientRect().top === box.top
    await until(isBack)
    expect(element.open).to.equal(true)
    await drag(110)
    expect(await login).to.have.property('code', 'exited_auth_flow')
  })

  it('does not lock a page in which it could not be seen', async () => {
    const closet = document.createElement('div')
    closet.style.display = 'none'
    document.body.append(closet)
    const { element } = place(fakeKit(), closet)
    const { error } = console
    console.error = () => {}
    try {
      const failure = await element.login().catch((cause) => cause)
      expect(failure).to.have.property('code', 'invalid_configuration')
    } finally {
      console.error = error
    }
    expect(dialogOf(element)).to.equal(null)
    const outside = document.createElement('input')
    document.body.append(outside)
    outside.focus()
    expect(document.activeElement).to.equal(outside)
  })

  it('is 360 wide in the middle of a wide page', async () => {
    const { element } = place()
    await opened(element)
    await still(element)
    const box = (dialogOf(element) as Element).getBoundingClientRect()
    expect([box.width, box.height, box.left]).to.deep.equal([360, 620, 320])
    element.close()
  })

  it('goes by a short fade alone from a page that wants no motion', async () => {
    await emulateMedia({ reducedMotion: 'reduce' })
    const { element } = place()
    const { login } = await opened(element)
    await still(element)
    const dialog = dialogOf(element) as Element
    let fades: Animation[] = []
    // Asking for animations brings the styles up to date, so none can be over before it was seen.
    const watching = new MutationObserver(() => {
      if (fades.length === 0) fades = dialog.getAnimations()
    })
    watching.observe(dialog, { attributes: true, subtree: true })
    element.close()
    await login
    await until(() => !dialogOf(element))
    expect(fades.map(({ effect }) => effect?.getTiming().duration)).to.deep.equal([80])
    const frames = fades.flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes())
    expect(frames.filter((frame) => 'transform' in frame)).to.deep.equal([])
  })

  it('leaves the page as it is: no style, no shift, no scrolling behind', async () => {
    const tall = document.createElement('div')
    tall.style.height = '3000px'
    document.body.append(tall)
    const width = tall.getBoundingClientRect().width
    const { element } = place()
    await opened(element)
    expect(tall.getBoundingClientRect().width).to.equal(width)
    expect(document.documentElement.getAttribute('style')).to.equal(null)
    expect(document.body.getAttribute('style')).to.equal(null)
    for (const target of [dialogOf(element), within(element, '[data-heading]')]) {
      const wheel = new WheelEvent('wheel', { deltaY: 100, bubbles: true, cancelable: true, composed: true })
      target?.dispatchEvent(wheel)
      expect(wheel.defaultPrevented).to.equal(true)
    }
    element.close()
  })

  it('keeps typing and clicks from the page behind', async () => {
    const { element } = place()
    await opened(element)
    const seen = record(document, 'keydown', 'keyup', 'click', 'pointerdown', 'focusin')
    await until(() => focused() === within(element, 'input'))
    await press('s')
    await sendMouse({ type: 'click', position: [500, 400] })
    expect(seen.map(({ name }) => name)).to.deep.equal([])
    element.close()
  })

  it('waits for a screen that is slow to come in an empty panel', async () => {
    const { element, kit } = place()
    let go = () => {}
    kit.flow = async (stage) => {
      await new Promise<void>((resolve) => {
        go = resolve
      })
      await stage.ask(first, {})
    }
    const { login } = await opened(element)
    expect(dialogOf(element)?.matches(':modal')).to.equal(true)
    expect(within(element, '[part=dialog] svg')).to.not.equal(null)
    go()
    await until(() => headingOf(element) === 'First screen')
    element.close()
    await login
  })

  it('takes the theme, the accent and changes of both', async () => {
    const kit = fakeKit()
    const { element } = place(kit)
    element.theme = 'dark'
    await opened(element)
    const surface = () => getComputedStyle(within(element, '[part=dialog]') as Element).backgroundColor
    const dark = surface()
    element.theme = 'light'
    await until(() => surface() !== dark)
    expect(surface()).to.equal('rgb(255, 255, 255)')
    document.body.style.setProperty('--lk-surface', 'rgb(1, 2, 3)')
    expect(surface()).to.equal('rgb(1, 2, 3)')
    document.body.removeAttribute('style')
    element.close()
  })
})
