/** Geometry of what stands on screens: where lines break, what keeps its place, and what gives way first. */
import { expect } from '@open-wc/testing'
import { emulateMedia, setViewport } from '@web/test-runner-commands'
import { failure } from '../../../src/app/failure/failure.tsx'
import type { ApproveTransactionProps } from '../../../src/signing/transaction/approve-transaction.tsx'
import { drives } from '../../../src/ui/icons/drives.ts'
import { chevronDown } from '../../../src/ui/icons/landing.ts'
import { providers } from '../../../src/ui/icons/providers.ts'
import { entries, show } from './entries.ts'
import { type Mounted, type mount, mountVault, press, unmountAll, until, write } from './mount.tsx'

function example(screen: string, name: string, options?: Parameters<typeof mount>[0]): Promise<Mounted> {
  const entry = entries.find((each) => each.screen.id === screen && each.name === name)
  if (!entry) throw new Error(`There is no example '${name}' of ${screen}`)
  return show(entry, options)
}
const panelOf = ({ root }: Mounted) => {
  const panel = root.querySelector('[part=dialog]')
  if (!panel) throw new Error('There is no panel')
  return panel.getBoundingClientRect()
}
const topIn = (mounted: Mounted, selector: string) =>
  Math.round(mounted.find(selector).getBoundingClientRect().top - panelOf(mounted).top)
/** The texts of the lines in which an element's text is drawn. */
function linesOf(element: Element): string[] {
  const lines: { top: number; text: string }[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let i = 0; i < (node.textContent?.length ?? 0); i++) {
      const range = document.createRange()
      range.setStart(node, i)
      range.setEnd(node, i + 1)
      const { top, width } = range.getBoundingClientRect()
      if (width === 0) continue
      const last = lines.at(-1)
      if (last && Math.abs(last.top - top) < 4) last.text += range.toString()
      else lines.push({ top, text: range.toString() })
    }
  return lines.map(({ text }) => text.trim())
}
/** Left and right end of each line of an address. */
function endsOf(address: Element) {
  const lines = new Map<number, { left: number; right: number }>()
  for (const part of address.querySelectorAll('span')) {
    const { top, left, right } = part.getBoundingClientRect()
    const line = lines.get(Math.round(top))
    lines.set(Math.round(top), {
      left: Math.round(Math.min(line?.left ?? left, left)),
      right: Math.round(Math.max(line?.right ?? right, right)),
    })
  }
  return [...lines.values()]
}
function rangeOf(element: Element): Range {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range
}
/** An element that a chunk brings. */
async function found(screen: Mounted, selector: string): Promise<Element> {
  await until(() => screen.all(selector).length > 0, `there is a ${selector}`)
  return screen.find(selector)
}
const still = () => emulateMedia({ reducedMotion: 'reduce' })
const moving = () => emulateMedia({ reducedMotion: 'no-preference' })
const distinct = (values: readonly number[]) => new Set(values.map(Math.round)).size

describe('layout of screens', () => {
  before(still)
  after(moving)
  afterEach(async () => {
    unmountAll()
    await setViewport({ width: 1280, height: 800 })
  })

  it('details: a label stands beside the first line of its value, however long that is', async () => {
    const screen = await example('account-change', 'update')
    const rows = screen.all('dl > div')
    expect(rows.length).to.be.greaterThan(1)
    for (const row of rows) {
      const [label, value] = row.children
      expect(value?.getBoundingClientRect().top, row.textContent ?? '').to.be.closeTo(
        label?.getBoundingClientRect().top ?? 0,
        2,
      )
    }
  })

  it('amounts: the longest amount stands on one line', async () => {
    const screen = await example('approve-transaction', 'longest figures')
    expect(linesOf(screen.find('p[data-essential] > span')).length).to.equal(1)
  })

  it('figures: a line ends between groups of three digits where a number needs several', async () => {
    const screen = await example('approve-transaction', 'allowance for all there is')
    const lines = screen
      .all('dd bdi')
      .map(linesOf)
      .find((each) => each.length > 1 && /^\d+$/.test(each.join('')))
    if (!lines) throw new Error('No number takes several lines')
    const rest = lines.slice(1).map((line) => line.length % 3)
    expect(rest).to.deep.equal(rest.map(() => 0))
  })

  it('figures: a short number takes one line beside a long label', async () => {
    const screen = await example('send-amount', 'solana, a new token account')
    const rent = screen.all('dd bdi').find((each) => each.textContent === '0.00203928 SOL')
    if (!rent) throw new Error('The rent is missing')
    expect(linesOf(rent)[0]).to.contain('0.00203928')
  })

  it('figures: a long number in a title breaks between groups of digits', async () => {
    const screen = await example('receive-funds', 'long figures')
    const lines = linesOf(screen.find('h2'))
    expect(lines.length).to.be.greaterThan(1)
    expect(lines.filter((line) => /^[,.]/.test(line))).to.deep.equal([])
  })

  it('facts in one line: no line begins or ends with the dot between them', async () => {
    for (const [id, name] of [
      ['send-recipient', 'empty'],
      ['send-asset', 'long names'],
      ['account-settings', 'just signed up'],
    ] as const) {
      const screen = await example(id, name)
      const dots = screen.all('span').filter((each) => each.textContent === ' · ')
      expect(dots.length, id).to.be.greaterThan(0)
      for (const dot of dots) {
        const place = dot.getBoundingClientRect()
        const line = dot.parentElement?.parentElement?.parentElement?.getBoundingClientRect()
        const fact = dot.nextSibling && dot.parentElement?.getBoundingClientRect()
        if (!line || !fact) throw new Error(`${id}: a dot stands alone`)
        // Either it is between two facts, or it begins a line and is cut off.
        expect(place.left >= line.left || place.right <= line.left + 1, `${id} ${place.left}`).to.equal(true)
        expect(place.right, id).to.be.at.most(line.right)
      }
      unmountAll()
    }
  })

  it('a flow that sends: the button that leads on stays where it is', async () => {
    const places: number[] = []
    for (const [id, name] of [
      ['send-recipient', 'empty'],
      ['send-amount', 'empty'],
      ['approve-transaction', 'transfer'],
    ] as const) {
      places.push(topIn(await example(id, name), '[part~=button-primary]'))
      unmountAll()
    }
    expect(distinct(places), places.join(', ')).to.equal(1)
  })

  it('a balance that is being read is an outline with a name', async () => {
    for (const [id, name] of [
      ['funding-method', 'before the balance is read'],
      ['receive-funds', 'before the balance is read'],
      ['wallet-balances', 'loading'],
    ] as const) {
      const screen = await example(id, name)
      const names = screen
        .all('span')
        .filter((each) => !each.children.length && each.textContent === 'Loading')
      expect(names.length, id).to.be.greaterThan(0)
      for (const each of names) {
        expect(each.getBoundingClientRect().width, id).to.equal(1)
        expect(each.nextElementSibling?.getBoundingClientRect().width, id).to.equal(64)
      }
      unmountAll()
    }
  })

  it('a receipt: all rows are equally far apart', async () => {
    const screen = await example('transaction-receipt', 'transfer')
    const tops = screen.all('dt').map((each) => each.getBoundingClientRect().top)
    const gaps = tops.slice(1).map((top, i) => top - (tops[i] ?? 0))
    expect(gaps.length).to.equal(3)
    expect(Math.max(...gaps) - Math.min(...gaps)).to.be.lessThan(3)
  })

  it('verification methods: what is enabled says so at the same place in each row', async () => {
    const screen = await example('mfa-methods', 'all enrolled')
    const tops = screen.all('[part=chip]').map((chip) => {
      const row = chip.closest('[part=row]')
      return chip.getBoundingClientRect().top - (row?.getBoundingClientRect().top ?? 0)
    })
    expect(tops.length).to.equal(3)
    expect(distinct(tops)).to.equal(1)
  })

  it('approve transaction: who asks and which wallet signs are in sight before anything is scrolled', async () => {
    const examples = entries.filter(({ screen }) => screen.id === 'approve-transaction')
    expect(examples.length).to.be.greaterThan(10)
    for (const entry of examples) {
      const screen = await show(entry)
      const body = screen.find('[part=body]').getBoundingClientRect()
      const { preview } = entry.example.props as ApproveTransactionProps
      const marks = screen.all('[part=body] bdi')
      const [origin, wallet] = [
        marks.find(({ textContent }) => textContent === preview.origin),
        marks.find(({ title }) => title === preview.wallet),
      ]
      for (const mark of [origin, wallet])
        expect(mark?.getBoundingClientRect().bottom, entry.name).to.be.within(body.top, body.bottom)
      unmountAll()
    }
  })

  it('landing: a refused address leaves the line that leads on to the other methods', async () => {
    const screen = await example('landing', 'plus refused')
    const error = screen.find('[part=field] [id$="-e"]').getBoundingClientRect()
    const or = screen.all('[part=field] div').find((each) => each.textContent === 'or')
    expect(or, 'the line').to.not.equal(undefined)
    expect(or?.getBoundingClientRect().top).to.be.at.least(error.bottom)
  })

  it('landing: the space above the logo gives way before the list has to scroll', async () => {
    const screen = await example('landing', 'wallets first')
    const list = screen.find('[part=row]').parentElement
    expect(list?.scrollHeight).to.be.at.most((list?.clientHeight ?? 0) + 1)
    const long = await example('landing', 'longest words')
    expect(topIn(long, 'h2')).to.be.lessThan(130)
  })

  it('what is happening stands in the middle, in two lines as in one', async () => {
    for (const name of ['at the bridge', 'at the bridge for long']) {
      const screen = await example('awaiting-ethereum-bridge', name)
      const { left, right } = panelOf(screen)
      const line = screen.all('p:has(svg)')[0]
      const inks = [...(line?.querySelectorAll('svg, span') ?? [])].flatMap((each) => [
        ...rangeOf(each).getClientRects(),
      ])
      const middle =
        (Math.min(...inks.map((each) => each.left)) + Math.max(...inks.map((each) => each.right))) / 2
      expect(middle, name).to.be.closeTo((left + right) / 2, 2)
      unmountAll()
    }
  })

  it('a button that leads elsewhere has its sign beside the last word, on whichever line that is', async () => {
    for (const name of ['install', 'unknown wallet']) {
      const screen = await example('install-wallet', name)
      const [sign] = screen.all('a[part~=button] svg')
      const words = [...rangeOf(sign?.closest('span')?.parentElement as Element).getClientRects()]
      const last = words.filter(({ width }) => width > 40).at(-1)
      const { left, top, bottom } = sign?.getBoundingClientRect() ?? new DOMRect()
      expect(left - (last?.right ?? 0), name).to.be.closeTo(8, 2)
      expect((top + bottom) / 2, name).to.be.closeTo(((last?.top ?? 0) + (last?.bottom ?? 0)) / 2, 3)
      unmountAll()
    }
  })

  it('words with a hyphen stay on one line', async () => {
    const screen = await example('in-app-browser', 'rest')
    const lines = linesOf(screen.find('h2 + p'))
    expect(lines.join(' ')).to.contain('in-app')
    expect(lines.filter((line) => /\p{L}-$/u.test(line))).to.deep.equal([])
  })

  it('other wallets: those of the page before are only found by a search', async () => {
    const names = (screen: Mounted) => screen.all('[part=row]').map((row) => row.textContent ?? '')
    const first = names(await example('wallet-list', 'many')).slice(0, 3)
    unmountAll()
    const screen = await example('wallet-list', 'other wallets')
    expect(names(screen).length).to.be.greaterThan(2)
    expect(names(screen).filter((name) => first.includes(name))).to.deep.equal([])
    write(screen.find<HTMLInputElement>('input'), 'metamask')
    expect(names(screen).some((name) => name.startsWith('MetaMask'))).to.equal(true)
  })

  it('a link that shows more of a list in place points down', async () => {
    for (const [id, name] of [
      ['passkeys', 'three, two shown'],
      ['mfa-passkeys', 'more than three'],
    ] as const) {
      const screen = await example(id, name)
      const arrows = screen.all('button').flatMap((button) => {
        const path = button.querySelector(':scope > span > svg path')
        return path ? [path.getAttribute('d')] : []
      })
      expect(arrows, id).to.include(chevronDown)
      unmountAll()
    }
  })

  for (const dir of ['ltr', 'rtl'] as const)
    it(`addresses: lines are flush with the side at which they begin, ${dir}`, async () => {
      const card = await example('link-conflict', 'check', { dir })
      const lines = endsOf(card.find('[data-card] bdi'))
      expect(lines.length).to.equal(2)
      expect(distinct(lines.map((line) => (dir === 'rtl' ? line.right : line.left)))).to.equal(1)
      unmountAll()
      const details = await example('approve-transaction', 'transfer', { dir })
      const value = endsOf(details.find('dd bdi[part=address]'))
      expect(distinct(value.map((line) => (dir === 'rtl' ? line.left : line.right)))).to.equal(1)
    })

  it('a screen that scrolls as a whole keeps its icon below the header', async () => {
    await setViewport({ width: 1280, height: 330 })
    const screen = await example('finish-password', 'rest')
    const header = screen.find('[data-strip]').getBoundingClientRect()
    expect(screen.find('h2').getBoundingClientRect().top).to.be.greaterThan(header.bottom)
    expect(getComputedStyle(screen.find('[data-strip]')).backgroundColor).to.not.equal('rgba(0, 0, 0, 0)')
  })

  it('the vault’s frame in a drawer has the round corners of the drawer, and nothing behind them', async () => {
    const screen = mountVault({ drawer: true }, false, 'frame')
    await screen.ask(failure, { title: 'Something failed', action: 'close' })
    const panel = getComputedStyle(screen.root.querySelector('[part=dialog]') ?? document.body)
    expect(panel.borderTopLeftRadius).to.equal('24px')
    expect(panel.borderTopRightRadius).to.equal('24px')
    expect(getComputedStyle(document.documentElement).backgroundColor).to.equal('rgba(0, 0, 0, 0)')
    expect(getComputedStyle(document.body).backgroundColor).to.equal('rgba(0, 0, 0, 0)')
  })
})

describe('look of screens', () => {
  before(still)
  after(moving)
  afterEach(unmountAll)

  it('steps of a flow: icon and title stay where they are, and short screens are low', async () => {
    const flows = {
      password: [
        ['set-password', 'empty'],
        ['save-password', 'rest'],
        ['confirm-password', 'rest'],
        ['finish-password', 'rest'],
        ['password-result', 'success'],
      ],
      'login with a code': [
        ['enter-code', 'empty'],
        ['terms', 'both'],
        ['wallet-created', 'new user'],
      ],
      'login with a provider': [
        ['awaiting-oauth', 'verifying'],
        ['awaiting-oauth', 'denied'],
        ['awaiting-oauth', 'done'],
      ],
      'account conflict': [
        ['link-conflict', 'ask'],
        ['link-conflict', 'check'],
      ],
    } as const
    for (const [flow, steps] of Object.entries(flows)) {
      const places: string[] = []
      for (const [id, name] of steps) {
        const screen = await example(id, name)
        places.push(`${Math.round(panelOf(screen).height)} ${topIn(screen, 'h2')}`)
        unmountAll()
      }
      expect(new Set(places).size, `${flow}: ${places.join(', ')}`).to.equal(1)
      expect(places[0]).to.match(/^480 /)
    }
  })

  it('setting a password: each step says which of how many it is', async () => {
    const steps = ['set-password', 'save-password', 'confirm-password', 'finish-password']
    for (const [i, id] of steps.entries()) {
      const entry = entries.find((each) => each.screen.id === id)
      const screen = await example(id, entry?.name ?? '')
      expect(screen.find('[data-strip]').textContent).to.contain(`Step ${i + 1} of 4`)
      unmountAll()
    }
  })

  it('landing: a lone field has a visible main button on a low screen', async () => {
    const screen = await example('landing', 'email only')
    const button = screen.find('[part~=button-primary]')
    expect(button.textContent).to.equal('Submit')
    expect(screen.all('button[type=submit]').length).to.equal(1)
    expect(Math.round(panelOf(screen).height)).to.equal(480)
    write(screen.find<HTMLInputElement>('input'), 'ada@example.com')
    await press(button)
    expect(screen.answers).to.deep.equal([{ email: 'ada@example.com' }])
  })

  it('account settings: lists are cards under a name, and sessions stand in one section with devices', async () => {
    const screen = await example('account-settings', 'full')
    const framed = screen.all('[part=row]').filter((row) => getComputedStyle(row).borderTopWidth !== '0px')
    expect(framed.length).to.equal(0)
    expect(screen.find('[part=body] bdi').textContent).to.equal('ada@example.com')
    const sections = screen.all('[part=body] > div > section')
    const last = sections.at(-1)
    expect([...(last?.querySelectorAll('h3,h4') ?? [])].map((each) => each.textContent)).to.deep.equal([
      'Browsers and devices',
      "Where you're logged in",
      'Devices that can use your wallets',
    ])
  })

  it('typed data: a plain value has no type under its name', async () => {
    const screen = await example('sign-typed-data', 'a permit without a limit')
    const names = screen.all('dt').map((dt) => dt.textContent)
    expect(names).to.include('spender')
    expect(names.filter((name) => /address|uint\d/.test(name ?? ''))).to.deep.equal([])
  })

  it('provider marks: squares are drawn smaller than discs, and none is wider than the others by much', () => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    document.body.append(svg)
    const sizeOf = ({ box, shapes }: (typeof providers)[string]) => {
      const path = document.createElementNS(svg.namespaceURI, 'path') as SVGPathElement
      path.setAttribute('d', shapes.map(([d]) => d).join(' '))
      svg.replaceChildren(path)
      const { width, height } = path.getBBox()
      const scale = 24 / Number(box.split(' ')[2])
      return [width * scale, height * scale] as const
    }
    const widest = Object.entries({ ...providers, ...drives }).map(([name, mark]) => {
      const size = Math.max(...sizeOf(mark))
      expect(size, name).to.be.within(17, 22.5)
      return [name, size] as const
    })
    svg.remove()
    const sizes = new Map<string, number>(widest)
    for (const square of ['instagram', 'farcaster', 'linkedin'])
      for (const disc of ['spotify', 'telegram', 'github'])
        expect(sizes.get(square), square).to.be.lessThan((sizes.get(disc) ?? 0) - 1)
  })

  it('provider marks: the one of Google has no hole where its parts overlap', async () => {
    const screen = await example('landing', 'google recent')
    const blue = await found(screen, 'path[d^="M12 10H22.31"]')
    expect((blue as unknown as SVGPathElement).isPointInFill(new DOMPoint(20, 13))).to.equal(true)
  })

  it('networks: a known one has its mark before its name, on the line of its label', async () => {
    const screen = await example('transaction-receipt', 'transfer')
    const mark = await found(screen, 'dd svg')
    const row = mark.closest('dl > div')
    expect(row?.textContent).to.equal('NetworkBase')
    const [label, name] = ['dt', 'bdi'].map((part) => row?.querySelector(part)?.getBoundingClientRect())
    const { left, right, top, bottom } = mark.getBoundingClientRect()
    expect([Math.round(right - left), Math.round((name?.left ?? 0) - right)]).to.deep.equal([16, 8])
    expect(name?.top).to.be.closeTo(label?.top ?? 0, 1)
    expect((top + bottom) / 2).to.be.closeTo(((name?.top ?? 0) + (name?.bottom ?? 0)) / 2, 1.5)
  })

  it('networks: one that the page alone names has no mark', async () => {
    const known = await example('transaction-receipt', 'transfer')
    await found(known, 'dd svg')
    unmountAll()
    const screen = await example('approve-transaction', 'Solana, network claimed')
    const row = screen.all('dl > div').find((each) => each.textContent?.startsWith('Network'))
    expect([row?.textContent, row?.querySelector('svg')]).to.deep.equal([
      'NetworkDevnet, according to this page',
      null,
    ])
  })

  it('a choice that is processed makes the others faint', async () => {
    const screen = await example('funding-quotes', 'continuing')
    const opacities = () => screen.all('label').map((label) => getComputedStyle(label).opacity)
    await until(() => opacities().includes('0.5'), 'the others are faint')
    expect(opacities()).to.deep.equal(['1', '0.5', '0.5'])
  })

  it('a field that refuses what was typed has the colour of an error also while it has the focus', async () => {
    const ringOf = async (name: string) => {
      const screen = await example('rename-passkey', name)
      screen.find('input').focus()
      const { outlineStyle, outlineColor, borderColor } = getComputedStyle(
        screen.find('input').parentElement as Element,
      )
      unmountAll()
      expect(outlineStyle, name).to.equal('solid')
      return { outlineColor, borderColor }
    }
    const rest = await ringOf('no name yet')
    const refused = await ringOf('refused')
    expect(refused.outlineColor).to.equal(refused.borderColor)
    expect(refused.outlineColor).not.to.equal(rest.outlineColor)
  })

  it('an amount that can’t be used says why, and nothing else', async () => {
    const screen = await example('funding-amount', 'too many decimals')
    const field = screen.find('[part=field]').textContent
    expect(field).to.contain('USDC has at most 6 decimals.').and.not.to.contain('Enter an amount above 0.')
  })
})
