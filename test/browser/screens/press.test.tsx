/** A press in the vault's pages counts for what was in view, for hands, keys and screen readers, on screens of every size. */
import { expect } from '@open-wc/testing'
import { sendKeys, sendMouse, setViewport } from '@web/test-runner-commands'
import { all } from '../../../demo/gallery/screens.ts'
import type { ApprovalLook } from '../../../src/protocol/frame/approval.ts'
import { type Mounted, mountVault, painted, unmountAll, until } from './mount.tsx'

const hostOf = () => document.querySelector('[data-approval]') as HTMLElement
const holdOf = () => hostOf().getAttribute('data-hold')
const isLive = () => until(() => holdOf() === null, 'the button lives')
const isHeld = (why: string) => until(() => holdOf() === why, `the button is held: ${why}`)
const approving = ({ find }: Mounted) => find('[data-approves]')

async function show(screen: string, example: string, look: Partial<ApprovalLook> = {}): Promise<Mounted> {
  const entry = all[screen]
  const shown = entry?.examples[example]
  if (!entry || !shown) throw new Error(`The gallery has no ${screen} ${example}`)
  const mounted = mountVault(look, true)
  await mounted.ask(entry.screen, shown.props)
  return mounted
}
/** Presses where a button is, whatever it takes. */
async function pressAt(target: Element) {
  const { x, y, width, height } = target.getBoundingClientRect()
  await sendMouse({ type: 'click', position: [Math.round(x + width / 2), Math.round(y + height / 2)] })
  await painted()
}
/** The clock stands still during an act, however slow the machine is. */
async function atOnce<T>(act: () => Promise<T>): Promise<T> {
  const began = performance.now()
  performance.now = () => began
  try {
    return await act()
  } finally {
    Reflect.deleteProperty(performance, 'now')
  }
}
/** Scrolls through everything, as a reader does. */
async function readAll({ all }: Mounted) {
  for (const each of all('[data-essential]'))
    for (const block of ['start', 'end'] as const) {
      each.scrollIntoView({ block })
      // A box of its own, to the end of its padding.
      if (block === 'end') each.parentElement?.scrollTo(0, each.parentElement.scrollHeight)
      await painted()
    }
}
const words = ({ root }: Mounted) => root.querySelector('[part=footer]')?.textContent ?? ''

const approvals = [
  ['sign-message', 'rest', 'sign'],
  ['sign-message', 'long message', 'sign'],
  ['sign-typed-data', 'rest', 'sign'],
  ['approve-transaction', 'transfer', 'approve'],
  ['remove-device', 'another', 'remove'],
  ['account-change', 'link a long address', 'approve'],
  ['account-change', 'transfer, wallets are lost', 'approve'],
  ['remove-vault-passkey', 'asking', 'remove'],
  ['confirm-drive', 'a long account', 'confirm'],
  ['give-permission', 'calls on two networks', 'accept'],
] as const

describe('press', () => {
  afterEach(async () => {
    unmountAll()
    await setViewport({ width: 800, height: 600 })
  })

  for (const [screen, example, answer] of approvals)
    it(`${screen}, ${example}: is answered once all of it was in view, and then by one press`, async () => {
      await setViewport({ width: 420, height: 680 })
      const shown = await atOnce(async () => {
        const mounted = await show(screen, example)
        expect(approving(mounted).ariaDisabled).to.equal('true')
        return mounted
      })
      await until(() => holdOf() !== 'early' || shown.answers.length > 0, 'the second is over')
      await readAll(shown)
      await isLive()
      await until(() => approving(shown).ariaDisabled !== 'true', 'it is drawn as such')
      await pressAt(approving(shown))
      await until(() => shown.answers.length > 0, 'the answer')
      expect(shown.answers).to.deep.equal([answer])
    })

  for (const [width, height, textScale] of [
    [360, 236, 1],
    [420, 300, 1],
    [320, 400, 2],
    [360, 560, 2],
  ] as const)
    it(`a transfer in ${width} by ${height} pixels with text of ${textScale}: needs scrolling, and can then be approved`, async () => {
      await setViewport({ width, height })
      const shown = await show('approve-transaction', 'transfer', { textScale })
      await isHeld('unread')
      // The end alone, with the button, is not enough.
      shown.all('[data-essential]').at(-1)?.scrollIntoView({ block: 'end' })
      await painted()
      const { bottom } = approving(shown).getBoundingClientRect()
      expect(bottom).to.be.at.most(height + 1)
      await isHeld('unread')
      await pressAt(approving(shown))
      expect(shown.answers).to.deep.equal([])
      expect(words(shown)).to.include('Scroll to see everything')
      await readAll(shown)
      await isLive()
      await pressAt(approving(shown))
      await until(() => shown.answers.length > 0, 'the answer')
      expect(shown.answers).to.deep.equal(['approve'])
    })

  it('what hides nothing but the padding of a text holds nothing back, and what hides a part of a line does', async () => {
    await setViewport({ width: 420, height: 680 })
    const shown = await show('sign-message', 'rest')
    const sheet = new CSSStyleSheet()
    shown.root.adoptedStyleSheets.push(sheet)
    const well = shown.find('[role=group]')
    const { scrollHeight } = well
    const padding = Number.parseFloat(getComputedStyle(well).paddingBlockEnd)
    /** In a window that has become smaller, everything is to be seen anew. */
    const cut = async (height: number, windowHeight: number) => {
      sheet.replaceSync(`:has(> [role=group]) { min-height: 0 !important }
        [role=group] { max-height: ${height}px !important }`)
      await setViewport({ width: 420, height: windowHeight })
    }
    await cut(scrollHeight - padding, 679)
    expect(well.scrollHeight - well.clientHeight).to.equal(padding)
    await isLive()
    await cut(scrollHeight - padding - 4, 678)
    await isHeld('unread')
  })

  it('a window that becomes smaller has to be read again', async () => {
    await setViewport({ width: 420, height: 680 })
    const shown = await show('approve-transaction', 'transfer')
    await isLive()
    await setViewport({ width: 420, height: 260 })
    await isHeld('unread')
    await pressAt(approving(shown))
    expect(shown.answers).to.deep.equal([])
  })

  it('clicking on and on approves nothing, and a second later it does', async () => {
    await setViewport({ width: 420, height: 680 })
    const shown = await show('approve-transaction', 'transfer')
    const end = performance.now() + 3_000
    while (performance.now() < end) await pressAt(approving(shown))
    expect(shown.answers).to.deep.equal([])
    expect(words(shown)).to.include('Take a moment to review this, then press again.')
    await isLive()
    await pressAt(approving(shown))
    await until(() => shown.answers.length > 0, 'the answer')
    expect(shown.answers).to.deep.equal(['approve'])
  })

  it('Tab comes to Cancel before Approve, and Enter at once approves nothing', async () => {
    await setViewport({ width: 420, height: 680 })
    const shown = await show('approve-transaction', 'transfer')
    await isLive()
    await sendKeys({ press: 'Tab' })
    for (let tabs = 0; tabs < 5 && !shown.focuses('[part=footer] button'); tabs++)
      await sendKeys({ press: 'Tab' })
    expect((shown.root.activeElement as HTMLElement).textContent).to.equal('Cancel')
    await atOnce(async () => {
      await sendKeys({ press: 'Tab' })
      expect(shown.focuses('[data-approves]')).to.equal(true)
      await sendKeys({ press: 'Enter' })
      await painted()
    })
    expect(shown.answers).to.deep.equal([])
  })

  for (const key of ['Enter', 'Space'])
    it(`${key} approves half a second after the focus is there, and once`, async () => {
      await setViewport({ width: 420, height: 680 })
      const shown = await show('approve-transaction', 'transfer')
      await isLive()
      await atOnce(async () => {
        approving(shown).focus()
        await sendKeys({ press: key })
        await painted()
      })
      expect(shown.answers).to.deep.equal([])
      await isLive()
      await sendKeys({ press: key })
      await until(() => shown.answers.length > 0, 'the answer')
      expect(shown.answers).to.deep.equal(['approve'])
    })

  it('a key held down approves nothing', async () => {
    await setViewport({ width: 420, height: 680 })
    const shown = await show('approve-transaction', 'transfer')
    approving(shown).focus()
    const end = performance.now() + 2_500
    while (performance.now() < end) await sendKeys({ down: 'Enter' })
    await sendKeys({ up: 'Enter' })
    await painted()
    expect(shown.answers).to.deep.equal([])
  })

  it('a window that gets the focus starts the second anew', async () => {
    await setViewport({ width: 420, height: 680 })
    const shown = await show('approve-transaction', 'transfer')
    for (const type of ['focus', 'blur', 'pageshow', 'resize']) {
      await isLive()
      window.dispatchEvent(new Event(type))
      expect(holdOf(), type).to.equal('early')
    }
    expect(shown.answers).to.deep.equal([])
  })

  it('a held button says why to those who can’t see it, and stays in the order of keys', async () => {
    await setViewport({ width: 360, height: 300 })
    const shown = await show('approve-transaction', 'transfer')
    const reason = () => {
      const { root } = shown
      const id = approving(shown).getAttribute('aria-describedby')
      return id ? root.getElementById(id)?.textContent : undefined
    }
    expect(approving(shown).tabIndex).to.equal(0)
    await until(() => reason()?.startsWith('Scroll to see everything'), 'the reason')
    expect(shown.root.querySelector('[role=status]')?.textContent).to.include('Scroll to see everything')
    await readAll(shown)
    await isLive()
    await until(() => reason() === undefined, 'no reason')
  })

  it('small text of a page is enlarged until it can be read', async () => {
    await setViewport({ width: 420, height: 680 })
    await show('approve-transaction', 'transfer', { textScale: 0.5 })
    const scale = Number(hostOf().style.getPropertyValue('--lk-text-scale'))
    expect(scale * 12 * devicePixelRatio).to.be.at.least(10.99)
  })

  it('Cancel is answered at once, whatever holds the other button', async () => {
    await setViewport({ width: 360, height: 236 })
    const shown = await show('approve-transaction', 'transfer')
    await until(() => !shown.root.querySelector('[data-arriving]'), 'the screen takes presses')
    const cancel = shown.all('button').find((each) => each.textContent === 'Cancel')
    if (!cancel) throw new Error('There is no Cancel')
    await pressAt(cancel)
    await until(() => shown.answers.length > 0, 'the answer')
    expect(shown.answers).to.deep.equal(['cancel'])
  })
})
