import { expect } from '@open-wc/testing'
import axe from 'axe-core'
import { entries, show } from './entries.ts'
import { pause, unmountAll } from './mount.tsx'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** axe on every example of every screen, counted. Each theme has a file of its own: together they take minutes. */
export function checkAll(theme: 'light' | 'dark') {
  describe(`accessibility, ${theme}`, () => {
    let checked = 0
    afterEach(unmountAll)
    after(() =>
      console.log(`axe: ${checked} of ${entries.length} gallery entries (${theme}) without a violation`),
    )

    for (const entry of entries)
      it(`${entry.screen.id}: ${entry.name}`, async () => {
        const { root } = await show(entry, { theme })
        // Colours are measured when all has come to rest.
        await pause(300)
        const { violations } = await axe.run(root.host, { runOnly: rules, resultTypes: ['violations'] })
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
        expect(found).to.deep.equal([])
        checked++
      })
  })
}
