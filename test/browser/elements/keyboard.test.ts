import { expect } from '@open-wc/testing'
import { keepAboveKeyboard, type VisibleArea } from '../../../src/ui/panel/touch.ts'
import { clear, dialogOf, opened, place, until } from './support/page.ts'

/** What can be seen of a page, which a test makes smaller as a keyboard does. */
function visibleArea(given: Partial<Pick<VisibleArea, 'scale' | 'height' | 'offsetTop'>> = {}) {
  const area = Object.assign(new EventTarget(), {
    scale: 1,
    height: window.innerHeight,
    offsetTop: 0,
    ...given,
  })
  return {
    area: area as unknown as VisibleArea,
    becomes(changes: typeof given) {
      Object.assign(area, changes)
      area.dispatchEvent(new Event('resize'))
    },
  }
}

async function openDialog(): Promise<HTMLElement> {
  const { element } = place()
  await opened(element)
  const dialog = (await until(() => dialogOf(element))) as HTMLElement
  // Where it ends up, not on its way there.
  dialog.style.transition = 'none'
  for (const animation of dialog.getAnimations({ subtree: true })) animation.finish()
  return dialog
}
const bottomOf = (dialog: HTMLElement) => dialog.getBoundingClientRect().bottom

describe('a dialog on a phone', () => {
  let end = () => {}
  afterEach(async () => {
    end()
    await clear()
  })

  it('moves above the keyboard, and back when that is gone', async () => {
    const dialog = await openDialog()
    const before = bottomOf(dialog)
    const { area, becomes } = visibleArea()
    end = keepAboveKeyboard(dialog, area)
    expect(bottomOf(dialog)).to.equal(before)
    const seen = Math.round(window.innerHeight / 2)
    becomes({ height: seen })
    // Its height takes a moment.
    await until(() => bottomOf(dialog) <= seen && dialog.getBoundingClientRect().top >= 0)
    becomes({ height: window.innerHeight })
    await until(() => bottomOf(dialog) === before)
  })

  it('is above a keyboard that was there before it', async () => {
    const dialog = await openDialog()
    const seen = Math.round(window.innerHeight / 2)
    end = keepAboveKeyboard(dialog, visibleArea({ height: seen }).area)
    await until(() => bottomOf(dialog) <= seen)
  })

  it('stays where it is while somebody zooms in, or once it is no longer followed', async () => {
    const dialog = await openDialog()
    const before = bottomOf(dialog)
    const { area, becomes } = visibleArea()
    end = keepAboveKeyboard(dialog, area)
    becomes({ scale: 2, height: window.innerHeight / 2 })
    expect(bottomOf(dialog)).to.equal(before)
    end()
    becomes({ scale: 1, height: window.innerHeight / 2 })
    expect(bottomOf(dialog)).to.equal(before)
  })
})
