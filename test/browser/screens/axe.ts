import { expect } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'
import axe from 'axe-core'
import { entries, show } from './entries.ts'
import { painted, unmountAll } from './mount.tsx'

export const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Those of them that look at colours, which are all that a theme changes. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** axe on every example of every screen, counted. Each theme has a file of its own: together they take minutes. */
export function checkAll(theme: 'light' | 'dark', runOnly = rules) {
  describe(`axe${runOnly === rules ? '' : ', by its rules of colour'}, in the ${theme} theme,`, () => {
    let checked = 0
    before(() => emulateMedia({ reducedMotion: 'reduce' }))
    afterEach(unmountAll)
    after(async () => {
      await emulateMedia({ reducedMotion: 'no-preference' })
      console.log(
        `axe: ${checked} of ${entries.length} gallery entries (${theme}) without a violation of ${runOnly === rules ? 'any rule' : runOnly.join(' or ')}`,
      )
    })

    for (const entry of entries)
      it(`finds nothing wrong in ${entry.screen.id}: ${entry.name}`, async () => {
        const { root } = await show(entry, { theme })
        await atRest(root)
        const { violations } = await axe.run(root.host, { runOnly, resultTypes: ['violations'] })
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
        expect(found).to.deep.equal([])
        checked++
      })
  })
}

/** Colours are measured as they are once nothing moves any longer; endless animations, such as a spinner, go on. */
export async function atRest(root: ShadowRoot): Promise<void> {
  await painted()
  const ending = root
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && endOf(effect) <= 2_000)
  for (const animation of ending) animation.finish()
}
/** Milliseconds from the beginning of an animation to its end. */
const endOf = (effect: AnimationEffect | null): number => Number(effect?.getComputedTiming().endTime)
