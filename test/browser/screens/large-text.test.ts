import { expect } from '@open-wc/testing'
import { emulateMedia, setViewport } from '@web/test-runner-commands'
import { limit } from '../../support/limit.ts'
import { eachOf, soak } from '../../support/soak.ts'
import { atRest } from './axe.ts'
import { entries, show } from './entries.ts'
import { unmountAll, until } from './mount.tsx'

/** Words that stand in two lines, though nothing but a letter comes between these. */
function brokenIn(el: Element): string[] {
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { data } = node as Text
    for (const { 0: word, index } of data.matchAll(/[\p{L}\p{M}’']+/gu)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) broken.push(word)
    }
  }
  return broken
}

/** The short run looks at every second screen: at the one of two for words, and at the other for what is hidden. */
const step = soak(2, 1)
const every = step === 1 ? 'every screen' : 'every second screen'

/** Longer ones are made up, to see that they break at all. */
const longestWord = 15
const english = (word: string) => word.length <= longestWord

describe('with text twice as large, on the smallest phone', () => {
  before(async () => {
    await emulateMedia({ reducedMotion: 'reduce' })
    await setViewport({ width: 320, height: 640 })
  })
  after(async () => {
    await emulateMedia({ reducedMotion: 'no-preference' })
    await setViewport({ width: 800, height: 600 })
  })
  afterEach(unmountAll)

  it(`${every}: no word of a title or a button breaks inside`, async function () {
    this.timeout(limit(120_000))
    const found: string[] = []
    const looked = entries.filter(({ isFirst, name }) => isFirst || /fail|wrong|denied/.test(name))
    for (const entry of eachOf(looked, step)) {
      const { all, root } = await show(entry, { textScale: 2 })
      await atRest(root)
      for (const el of all('h2,[part~=button]'))
        for (const word of brokenIn(el).filter(english))
          found.push(`${entry.screen.id}, ${entry.name}: ${word}`)
      unmountAll()
    }
    expect(found).to.deep.equal([])
  })

  it('the dots of what a button is doing stay with the word', async () => {
    const waits = entries.filter(
      ({ screen, name }) => screen.id === 'password-recovery' && name === 'recovering',
    )
    expect(waits).to.have.length(1)
    for (const entry of waits) {
      const { find } = await show(entry, { textScale: 2 })
      await until(() => find('[part~=button-primary]').textContent?.includes('...'), 'it says what it does')
      const words = find('[part~=button-primary] span:last-child')
      const { height } = words.getBoundingClientRect()
      expect(height).to.be.below(2 * Number.parseFloat(getComputedStyle(words).lineHeight))
      unmountAll()
    }
  })

  it('a title of two lines keeps clear of the handle', async () => {
    const entry = entries.find(({ screen }) => screen.id === 'wallet-list')
    if (!entry) throw new Error('There is no such screen')
    const { find, root } = await show(entry, { textScale: 2 })
    const title = find('[part=title]')
    expect(title.getClientRects()).to.have.length(1)
    const { top, height } = title.getBoundingClientRect()
    expect(height).to.be.above(1.5 * Number.parseFloat(getComputedStyle(title).lineHeight))
    const panel = root.querySelector('[part=dialog]')?.getBoundingClientRect().top ?? 0
    expect(top - panel).to.be.at.least(16)
  })

  it('the chips of all wallets begin where the names begin', async () => {
    const entry = entries.find(({ screen, name }) => screen.id === 'wallet-list' && name === 'many')
    if (!entry) throw new Error('There is no such example')
    const { all } = await show(entry, { textScale: 2 })
    const starts = all('[part=chip]').map((chip) => {
      const label = chip.closest('[part=row]')?.querySelector('[part=row-icon] + span')
      return chip.getBoundingClientRect().left - (label?.getBoundingClientRect().left ?? 0)
    })
    expect(starts).to.have.length(2)
    for (const start of starts) expect(start).to.be.closeTo(0, 1)
  })

  it('the icon of an error is in the middle of its first line', async () => {
    const entry = entries.find(({ screen, name }) => screen.id === 'rename-passkey' && name === 'refused')
    if (!entry) throw new Error('There is no such example')
    const { find } = await show(entry, { textScale: 2 })
    const words = find('[id$="-e"]')
    const icon = words.querySelector('svg')?.getBoundingClientRect() ?? new DOMRect()
    const { lineHeight } = getComputedStyle(words)
    const middle = words.getBoundingClientRect().top + Number.parseFloat(lineHeight) / 2
    expect(icon.top + icon.height / 2).to.be.closeTo(middle, 1)
  })

  it('the initial of an app without a picture is in the middle of its circle', async () => {
    const entry = entries.find(({ screen, name }) => screen.id === 'cross-app' && /no picture/.test(name))
    if (!entry) throw new Error('There is no such example')
    const { all } = await show(entry, { textScale: 2 })
    const find = () => all('[data-layer] span[aria-hidden]').find((el) => el.textContent === 'H')
    await until(find, 'the initial')
    const initial = find()
    if (!initial) throw new Error('There is no initial')
    const letter = document.createRange()
    letter.selectNodeContents(initial)
    const [box, drawn] = [initial.getBoundingClientRect(), letter.getBoundingClientRect()]
    expect(drawn.top + drawn.height / 2).to.be.closeTo(box.top + box.height / 2, 1)
    expect(drawn.left + drawn.width / 2).to.be.closeTo(box.left + box.width / 2, 1)
  })

  it('no name of a wallet or a verification method breaks inside, and none is squeezed by what stands beside it', async () => {
    for (const [id, name] of [
      ['wallet-list', 'exactly four'],
      ['wallet-list', 'to connect another'],
      ['wallet-list', 'all wallets'],
      ['mfa-methods', 'all enrolled'],
    ] as const) {
      const entry = entries.find((each) => each.screen.id === id && each.name === name)
      if (!entry) throw new Error(`There is no example "${name}" of ${id}`)
      const { all } = await show(entry, { textScale: 2 })
      for (const row of all('[part=row],li')) expect(brokenIn(row), `${id}, ${name}`).to.deep.equal([])
      unmountAll()
    }
  })

  it('no example of what to type is cut', async () => {
    for (const [id, name] of [
      ['landing', 'email only'],
      ['landing', 'phone field'],
      ['enter-address', 'link email'],
      ['enter-address', 'link phone'],
    ] as const) {
      const entry = entries.find((each) => each.screen.id === id && each.name === name)
      if (!entry) throw new Error(`There is no example "${name}" of ${id}`)
      const { root } = await show(entry, { textScale: 2 })
      await until(() => root.querySelector('input'), 'the field')
      const input = root.querySelector('input')
      if (!input) throw new Error('There is no field')
      const { font } = getComputedStyle(input, '::placeholder')
      const drawing = new OffscreenCanvas(1, 1).getContext('2d')
      if (!drawing) throw new Error('Nothing can be measured here')
      drawing.font = font
      expect(drawing.measureText(input.placeholder).width, `${id}, ${name}`).to.be.at.most(input.clientWidth)
      unmountAll()
    }
  })

  it('the address of a page breaks between its parts, where the text has its usual size', async () => {
    for (const entry of entries.filter(({ screen }) => screen.id === 'in-app-browser')) {
      const { find } = await show(entry)
      expect(brokenIn(find('[data-card]')), entry.name).to.deep.equal([])
      unmountAll()
    }
  })

  it(`${every}: a line says where a body hides something, and only there`, async function () {
    this.timeout(limit(120_000))
    await setViewport({ width: 320, height: 568 })
    let hiding = 0
    const looked = entries.filter(({ isFirst, screen }) => isFirst || screen.id === 'approve-transaction')
    for (const entry of eachOf(looked.slice(step - 1), step)) {
      const { root } = await show(entry)
      await atRest(root)
      const body = root.querySelector('[part=body]')
      const footer = root.querySelector('[part=body] + [part=footer]')
      if (body && footer) {
        const hides = body.scrollHeight - body.clientHeight - body.scrollTop >= 2
        if (hides) hiding++
        const drawn = getComputedStyle(footer).boxShadow !== 'none'
        expect(drawn, `${entry.screen.id}, ${entry.name}`).to.equal(hides)
      }
      unmountAll()
    }
    expect(hiding).to.be.above(0)
    await setViewport({ width: 320, height: 640 })
  })

  it('a whole row fades where the list of login methods hides some', async () => {
    await setViewport({ width: 320, height: 568 })
    const entry = entries.find(({ screen, name }) => screen.id === 'landing' && name === 'grouped')
    if (!entry) throw new Error('There is no such example')
    const { all, root } = await show(entry)
    await atRest(root)
    const list = all('[part=body] div').find((el) => el.style.getPropertyValue('--_b'))
    if (!list) throw new Error('Nothing is hidden')
    expect(getComputedStyle(list).maskImage.replaceAll(' ', '')).to.match(/-48px/)
    await setViewport({ width: 320, height: 640 })
  })

  it('recovery codes can be copied without scrolling', async () => {
    await setViewport({ width: 320, height: 568 })
    const entry = entries.find(({ screen }) => screen.id === 'mfa-recovery-codes')
    if (!entry) throw new Error('There is no such screen')
    for (const textScale of [1, 2]) {
      const { all, find } = await show(entry, { textScale })
      const copy = all('button').find(({ textContent }) => textContent?.includes('Copy'))
      const { top, bottom } = copy?.getBoundingClientRect() ?? new DOMRect(0, 0, 0, Number.POSITIVE_INFINITY)
      expect(bottom).to.be.at.most(innerHeight)
      expect(top).to.be.at.least(find('[part=body]').getBoundingClientRect().bottom - 1)
      unmountAll()
    }
  })
})

describe('where a script runs from right to left', () => {
  afterEach(unmountAll)

  it('the code of an error is a number all the same', async () => {
    const entry = entries.find(({ screen }) => screen.id === 'transaction-failed')
    if (!entry) throw new Error('There is no such screen')
    const { all } = await show(entry, { dir: 'rtl' })
    const code = all('dd bdi').find((el) => el.textContent === '-32000')
    if (!code) throw new Error('There is no code')
    expect(getComputedStyle(code).direction).to.equal('ltr')
  })
})
