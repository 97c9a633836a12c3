import { expect } from '@open-wc/testing'
import { forgetNetwork, setOnline } from '../wallets/network.ts'
import { clear, dialogOf, place, record, until, within } from './support/page.ts'

/** What the element says by itself. */
const lineOf = (element: Element) => within(element, '[role="alert"]')
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code }: { code: string }) => code,
  )

// Nothing of the dialog has been loaded in this file when the first test begins.
describe('an element whose dialog can’t be loaded', () => {
  beforeEach(() => setOnline(false))
  afterEach(async () => {
    forgetNetwork()
    await clear()
  })

  it('says so where everybody sees and hears it, and tells the page in the same words', async () => {
    const { element } = place()
    const seen = record(element, 'lk-error')
    expect(await codeOf(element.login())).to.equal('network_unavailable')
    const line = await until(() => lineOf(element))
    expect(line.matches(':popover-open')).to.equal(true)
    expect(line.getBoundingClientRect().height).to.be.above(10)
    const words = "That didn't load. Check your connection and try again, or reload the page."
    expect(line.textContent).to.equal(words)
    expect(seen).to.have.length(1)
    expect(seen[0]?.event.detail.message).to.contain(words)
  })

  it('says it when the page opens it by its attribute, in the words of the page', async () => {
    const { element } = place()
    element.copy = { 'login.notLoaded': 'Das wurde nicht geladen.' }
    element.open = true
    const line = await until(() => lineOf(element))
    expect(line.textContent).to.equal('Das wurde nicht geladen.')
    expect(element.open).to.equal(false)
  })

  it('takes it away for the dialog, once that can be loaded', async () => {
    const { element } = place()
    await codeOf(element.login())
    const line = await until(() => lineOf(element))
    setOnline(true)
    void codeOf(element.login())
    await until(() => dialogOf(element)?.open)
    expect(line.matches(':popover-open')).to.equal(false)
  })
})
