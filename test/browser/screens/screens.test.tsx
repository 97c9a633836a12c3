/** What holds for every screen in every example, and is counted. */
import { expect } from '@open-wc/testing'
import { failure } from '../../../src/app/failure/failure.tsx'
import { entries, show } from './entries.ts'
import { mount, unmountAll, until } from './mount.tsx'

const exampleOf = (id: string, name: string) => {
  const entry = entries.find((each) => each.screen.id === id && each.name === name)
  if (!entry) throw new Error(`There is no example "${name}" of ${id}`)
  return entry
}

describe('every screen, in every example', () => {
  const errors: string[] = []
  const real = console.error
  before(() => {
    console.error = (...words: unknown[]) => {
      errors.push(words.map(String).join(' ').slice(0, 300))
    }
  })
  afterEach(unmountAll)
  after(() => {
    console.error = real
  })

  /** The parts of everything that was drawn. */
  const parts = new Set<string>()
  const note = (drawn: HTMLElement[]) => {
    for (const { part } of drawn) for (const name of part) parts.add(name)
  }

  for (const entry of entries) {
    const title = `${entry.screen.id}: ${entry.name}`

    it(`${title}: is drawn without an error, under one heading that names the dialog`, async () => {
      const { all: find, root } = await show(entry)
      expect(errors.splice(0)).to.deep.equal([])
      expect(find('h1,h2').length).to.equal(1)
      expect(find('h2')[0]?.textContent).to.not.equal('')
      expect(root.querySelector('dialog')?.getAttribute('aria-labelledby')).to.equal(find('h2')[0]?.id)
      expect(root.querySelectorAll('style').length).to.equal(0)
      note(find('[part]'))
    })

    it(`${title}: takes the focus to its first field or heading, and later to its heading`, async () => {
      const { all: find, focuses } = await show(entry)
      expect(focuses(find('[data-first]')[0] ? '[data-first]' : '[data-heading]')).to.equal(true)
      const later = mount()
      await later.ask(failure, { title: 'Before', action: 'close' })
      later.find('[part=footer] button').click()
      await later.ask(entry.screen, entry.example.props)
      if (entry.screen.id !== failure.id) expect(later.focuses('[data-heading]')).to.equal(true)
    })
  }

  it('has the parts that the manifest promises to every element, and no others', async () => {
    const countries = await show(exampleOf('landing', 'phone field'))
    await until(() => countries.all('button[aria-haspopup]')[0], 'the phone field')
    countries.find('button[aria-haspopup]').click()
    await until(() => countries.all('[popover]')[0], 'the list of countries')
    note(countries.all('[part]'))
    const { modules } = await (await fetch('/dist/custom-elements.json')).json()
    const elements: { cssParts: { name: string }[] }[] = modules
      .flatMap(({ declarations = [] }) => declarations)
      .filter(({ customElement }: { customElement?: true }) => customElement)
    expect(elements.length).to.be.greaterThan(5)
    for (const { cssParts } of elements)
      expect(cssParts.map(({ name }) => name).sort()).to.deep.equal([...parts].sort())
  })
})
