import { expect } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'
import { contrast } from '../../../styles/palette.ts'
import { atRest, violationsIn } from './axe.ts'
import { entries, show } from './entries.ts'
import { unmountAll } from './mount.tsx'

const shown = (id: string, name: string) => {
  const entry = entries.find((each) => each.screen.id === id && each.name === name)
  if (!entry) throw new Error(`There is no example "${name}" of ${id}`)
  return show(entry)
}
/** The type of the command has no contrast yet; the browser below has. */
const wanting = (contrast: 'more' | 'no-preference') =>
  emulateMedia({ contrast, reducedMotion: 'reduce' } as Parameters<typeof emulateMedia>[0])

/** WCAG contrast of two colours, in whatever notation. */
function ratio(one: string, other: string): number {
  const [a, b] = [one, other].map((colour) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d')
    if (!canvas) throw new Error('There is no canvas')
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((channel) => {
      const v = channel / 255
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
    })
    return { luminance: 0.2126 * r + 0.7152 * g + 0.0722 * b }
  })
  return a && b ? contrast(a, b) : 0
}

describe('where a person asks for more contrast', () => {
  before(() => wanting('more'))
  after(async () => {
    await wanting('no-preference')
    await emulateMedia({ reducedMotion: 'no-preference' })
  })
  afterEach(unmountAll)

  for (const theme of ['light', 'dark'] as const) {
    it(`quiet words have a contrast of 7, and the edge of a row has one of 3, in the ${theme} theme`, async () => {
      const { find, root, setTheme } = await shown('account-settings', 'full')
      setTheme(theme)
      await atRest(root)
      const ground = getComputedStyle(find('[part=row]')).backgroundColor
      const muted = find('[part=row] span span span')
      expect(ratio(getComputedStyle(muted).color, ground), muted.textContent ?? '').to.be.above(7)
      expect(ratio(getComputedStyle(find('[part=row]')).borderTopColor, ground)).to.be.above(3)
    })

    it(`a link and a hint have a contrast of 7, and no other colour has too little, in the ${theme} theme`, async () => {
      const { find, root, setTheme } = await shown('landing', 'plus refused')
      setTheme(theme)
      await atRest(root)
      const ground = getComputedStyle(find('[part=row]')).backgroundColor
      for (const el of [find('[part=footer] div'), find('a[href]')])
        expect(ratio(getComputedStyle(el).color, ground), el.textContent ?? '').to.be.above(7)
      expect(await violationsIn(root)).to.deep.equal([])
    })
  }

  it('the focus is drawn thicker', async () => {
    const { all } = await shown('sign-message', 'rest')
    for (const control of all('button,a[href],input')) {
      control.focus({ focusVisible: true } as FocusOptions)
      expect(getComputedStyle(control).outlineWidth, control.textContent ?? '').to.equal('3px')
    }
  })

  it('a preview and a banner show where they end', async () => {
    for (const [id, name, what] of [
      ['sign-message', 'rest', ':has(> [role=group])'],
      ['mfa-remove', 'failed', '[part=banner]'],
    ] as const) {
      const { find, root } = await shown(id, name)
      const { borderTopColor } = getComputedStyle(find(what))
      const ground = getComputedStyle(root.querySelector('[part=dialog]') as Element).backgroundColor
      expect(ratio(borderTopColor, ground), id).to.be.above(3)
      unmountAll()
    }
  })
})
