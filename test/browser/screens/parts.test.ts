import { expect } from '@open-wc/testing'
import { limit } from '../../support/limit.ts'
import { entries, show } from './entries.ts'
import { unmountAll, until } from './mount.tsx'
import { partsOf, promisedParts } from './parts.ts'

const exampleOf = (id: string, name: string) => {
  const entry = entries.find((each) => each.screen.id === id && each.name === name)
  if (!entry) throw new Error(`There is no example "${name}" of ${id}`)
  return entry
}

describe('the parts that the manifest promises', () => {
  afterEach(unmountAll)

  it('are the same for every element, and each of them is drawn by some example', async function () {
    this.timeout(limit(60_000))
    const [promised = [], ...others] = await promisedParts()
    expect(others.length).to.be.greaterThan(4)
    for (const other of others) expect(other).to.deep.equal(promised)
    const missing = new Set(promised)
    const note = (drawn: HTMLElement[]) => {
      for (const name of partsOf(drawn)) missing.delete(name)
    }
    const countries = await show(exampleOf('landing', 'phone field'))
    await until(() => countries.all('button[aria-haspopup]')[0], 'the phone field')
    countries.find('button[aria-haspopup]').click()
    await until(() => countries.all('[popover]')[0], 'the list of countries')
    const drawn = partsOf(countries.all('[part]'))
    expect(drawn.filter((name) => !promised.includes(name))).to.deep.equal([])
    note(countries.all('[part]'))
    unmountAll()
    // The first examples draw most parts of their screens: what they leave is soon found.
    for (const entry of entries.toSorted((one, other) => one.at - other.at)) {
      if (missing.size === 0) break
      note((await show(entry)).all('[part]'))
      unmountAll()
    }
    expect([...missing]).to.deep.equal([])
  })
})
