import { expect } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'
import { entries, show } from './entries.ts'
import { unmountAll, until } from './mount.tsx'

const shown = (id: string, name: string) => {
  const entry = entries.find((each) => each.screen.id === id && each.name === name)
  if (!entry) throw new Error(`There is no example "${name}" of ${id}`)
  return show(entry)
}
const invisible = /^(transparent|rgba\(.*, 0\))$/

describe('where the system forces its colours', () => {
  before(() => emulateMedia({ forcedColors: 'active', colorScheme: 'dark', reducedMotion: 'reduce' }))
  after(() => emulateMedia({ forcedColors: 'none', colorScheme: 'light', reducedMotion: 'no-preference' }))
  afterEach(unmountAll)

  it('every control shows that it has the focus', async () => {
    for (const [id, name] of [
      ['landing', 'several methods'],
      ['enter-code', 'empty'],
      ['account-settings', 'full'],
      ['finish-password', 'rest'],
      ['sign-message', 'rest'],
      ['link-conflict', 'ask'],
    ] as const) {
      const { all } = await shown(id, name)
      for (const control of all('button,a[href],input')) {
        control.focus({ focusVisible: true } as FocusOptions)
        const ringed = all('*').some((el) => {
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(el)
          return outlineStyle === 'solid' && outlineWidth === '2px' && !invisible.test(outlineColor)
        })
        expect(ringed, `${id}: ${control.getAttribute('aria-label') ?? control.textContent}`).to.equal(true)
      }
      unmountAll()
    }
  })

  it('a success and a failure are drawn in another colour than what is under them', async () => {
    for (const [id, name] of [
      ['password-result', 'success'],
      ['failure', 'retry'],
    ] as const) {
      const { root } = await shown(id, name)
      const ground = getComputedStyle(root.querySelector('[part=dialog]') as Element).backgroundColor
      const [disc, mark] = ['circle', 'circle ~ path'].map((shape) =>
        getComputedStyle(root.querySelector(`[part=body] ${shape}`) as Element),
      )
      expect(disc?.fill).to.equal('none')
      expect(mark?.stroke).to.not.equal(ground)
      unmountAll()
    }
  })

  it('the digits and the caret of a code are seen in its boxes alone', async () => {
    const { find } = await shown('enter-code', 'empty')
    const { color, caretColor } = getComputedStyle(find('input[name=code]'))
    expect(
      [color, caretColor].every((each) => invisible.test(each)),
      `${color}, ${caretColor}`,
    ).to.equal(true)
  })

  it('a provider’s black mark is white on a black page, also in the light theme', async () => {
    const { all, find } = await shown('add-account', 'some')
    const row = () => all('[part=row]').find((each) => each.textContent?.includes('GitHub'))
    await until(() => row()?.querySelector('svg path'), 'the mark is loaded')
    const mark = () => getComputedStyle(row()?.querySelector('svg path') as Element).fill
    await until(() => mark() === getComputedStyle(find('h2')).color, `the mark is as the text, not ${mark()}`)
  })
})
