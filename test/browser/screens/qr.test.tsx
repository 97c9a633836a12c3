/** What the codes on the screens say: read by a decoder that knows nothing of what made them. */
import { expect } from '@open-wc/testing'
import jsQr from 'jsqr'
import { awaitingFarcaster } from '../../../src/login/farcaster/farcaster.tsx'
import { atRest } from './axe.ts'
import { entries, show } from './entries.ts'
import { mount, unmountAll, until } from './mount.tsx'

const SCALE = 6

/** Photographs the card: the code as it is drawn, its plate, and the white around it. */
async function photograph(card: HTMLElement): Promise<ImageData> {
  const svg = card.querySelector('svg')
  if (!svg) throw new Error('There is no code on the card')
  const box = card.getBoundingClientRect()
  const canvas = document.createElement('canvas')
  canvas.width = box.width * SCALE
  canvas.height = box.height * SCALE
  const context = canvas.getContext('2d')
  if (!context) throw new Error('There is no canvas')
  context.fillStyle = getComputedStyle(card).backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
  await image.decode()
  const paint = (of: Element, draw: (x: number, y: number, width: number, height: number) => void) => {
    const { left, top, width, height } = of.getBoundingClientRect()
    draw((left - box.left) * SCALE, (top - box.top) * SCALE, width * SCALE, height * SCALE)
  }
  paint(svg, (...place) => context.drawImage(image, ...place))
  const plate = card.querySelector('span')
  if (plate) paint(plate, (...place) => context.fillRect(...place))
  return context.getImageData(0, 0, canvas.width, canvas.height)
}
const read = ({ data, width, height }: ImageData) => jsQr(data, width, height)?.data
const cardOf = (root: ShadowRoot) => root.querySelector<HTMLElement>('[part=qr]')
const isGone = (root: ShadowRoot) => root.querySelector('[part=qr] svg[style*="opacity"]') !== null

describe('a QR code', () => {
  afterEach(unmountAll)

  for (const entry of entries) {
    const uri = 'uri' in entry.example.props ? entry.example.props.uri : undefined
    if (typeof uri !== 'string' || ('mobile' in entry.example.props && entry.example.props.mobile)) continue
    if ('expired' in entry.example.props && entry.example.props.expired) continue
    for (const theme of ['light', 'dark'] as const)
      it(`of ${entry.screen.id}, ${entry.name}, ${theme}: says what the screen was given, and so does the link`, async () => {
        const { root } = await show(entry, { theme })
        await until(() => cardOf(root)?.querySelector('svg'), 'the code')
        await atRest(root)
        const card = cardOf(root) as HTMLElement
        expect(read(await photograph(card))).to.equal(uri)
        const link = root.querySelector<HTMLAnchorElement>('[data-qr] a')
        // What only an app understands is there to be copied, not to be followed.
        if (uri.startsWith('wc:'))
          expect([
            link,
            root.querySelector('[data-qr] > :last-child > :first-child')?.textContent,
          ]).to.deep.equal([null, uri])
        else
          expect([link?.textContent, link?.getAttribute('href'), link?.rel]).to.deep.equal([
            uri,
            uri,
            'noopener noreferrer',
          ])
        expect(getComputedStyle(card).backgroundColor).to.equal('rgb(255, 255, 255)')
        expect(getComputedStyle(card).forcedColorAdjust).to.equal('none')
      })
  }

  it('has a name, and white space of four modules around it inside the card', async () => {
    const { ask, root } = mount()
    await ask(awaitingFarcaster, { state: 'waiting', uri: 'https://a.example/?x', mobile: false })
    await until(() => cardOf(root)?.querySelector('svg'), 'the code')
    const card = cardOf(root) as HTMLElement
    const svg = card.querySelector('svg') as SVGSVGElement
    expect([svg.getAttribute('role'), svg.getAttribute('aria-label')]).to.deep.equal([
      'img',
      'QR code that opens the request in Farcaster',
    ])
    // The panel grows while it opens: what counts is the layout.
    const { width, height } = getComputedStyle(svg)
    expect([width, height, card.offsetWidth, card.offsetHeight]).to.deep.equal(['160px', '160px', 192, 192])
    const module = 160 / svg.viewBox.baseVal.width
    expect((card.offsetWidth - 160) / 2).to.be.at.least(4 * module)
  })

  it('gives way to its place while it is made, so that nothing moves', async () => {
    const { ask, root } = mount()
    await ask(awaitingFarcaster, { state: 'waiting', uri: 'https://a.example/?y', mobile: false })
    const frame = () => root.querySelector('[data-qr] > *') as HTMLElement
    const before = [frame().offsetTop, frame().offsetWidth, frame().offsetHeight]
    await until(() => cardOf(root)?.querySelector('svg'), 'the code')
    expect([frame().offsetTop, frame().offsetWidth, frame().offsetHeight]).to.deep.equal(before)
    expect(before.slice(1)).to.deep.equal([192, 192])
  })

  it('that has run out can’t be read, can’t be followed, and is renewed by the button over it', async () => {
    const { ask, root, find, answers } = mount()
    await ask(awaitingFarcaster, {
      state: 'failed',
      title: 'Timed out',
      detail: 'The request timed out. Try again.',
      retryable: true,
      expired: { uri: 'https://a.example/?z', mobile: false },
    })
    await until(() => isGone(root), 'the code goes pale')
    expect(getComputedStyle(root.querySelector('[data-qr] a') as Element).visibility).to.equal('hidden')
    find('[data-qr] button:not([aria-label])').click()
    await until(() => answers.length > 0, 'the answer')
    expect(answers).to.deep.equal(['retry'])
  })

  it('of a text that no code holds leaves the text to copy', async () => {
    const { ask, root } = mount()
    const uri = `https://a.example/?${'x'.repeat(3_000)}`
    await ask(awaitingFarcaster, { state: 'waiting', uri, mobile: false })
    await until(() => cardOf(root)?.parentElement?.querySelector('button'), 'another try')
    expect(root.querySelector('[data-qr] a')?.textContent).to.equal(uri)
    expect(root.querySelector('[data-qr] svg[role=img]')).to.equal(null)
  })
})

describe('the link to the app on a phone', () => {
  afterEach(unmountAll)

  it('is there before it is tapped; when nothing opens, there is a code and a way to get the app', async () => {
    const uri = 'https://a.example/?phone'
    const { ask, root, find } = mount()
    await ask(awaitingFarcaster, { state: 'waiting', uri, mobile: true })
    const link = find<HTMLAnchorElement>('[part=footer] a')
    expect([link.href, link.target, link.rel]).to.deep.equal([uri, '_blank', 'noopener noreferrer'])
    expect(cardOf(root)).to.equal(null)
    link.addEventListener('click', (event) => event.preventDefault())
    link.click()
    await until(() => cardOf(root)?.querySelector('svg'), 'the code')
    expect(read(await photograph(cardOf(root) as HTMLElement))).to.equal(uri)
    expect(root.querySelectorAll('[part=footer] a').length).to.equal(2)
  })
})
