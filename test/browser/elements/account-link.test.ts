import { expect } from '@open-wc/testing'
import type { AccountLink } from '../../../elements/account-link.ts'
import { fakeKit, somebody } from './support/fake-kit.ts'
import { clear, headingOf, pressOn, record, until } from './support/page.ts'

const email = { type: 'email', address: 'ada@example.com' } as const

function place(attributes: Record<string, string> = {}) {
  const kit = fakeKit()
  const element = document.createElement('account-link') as AccountLink
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.kit = kit
  document.body.append(element)
  return { element, kit }
}
async function pressThrough(element: AccountLink) {
  await until(() => element.open)
  await pressOn(element, '#next')
  await until(() => headingOf(element) === 'Second screen')
  await pressOn(element, '#done')
}
const codeOf = (work: Promise<unknown>) => work.catch((error: { code: string }) => error.code)

describe('<account-link>', () => {
  afterEach(clear)

  const cases = [
    ['link', (element: AccountLink) => element.link('google'), 'lk-link', 'google'],
    ['unlink', (element: AccountLink) => element.unlink(email), 'lk-unlink', 'email'],
    ['update', (element: AccountLink) => element.update('phone'), 'lk-update', 'sms'],
  ] as const
  for (const [intent, ask, event, method] of cases)
    it(`${intent} does what it says in the element’s own dialog, and tells the page`, async () => {
      const { element } = place()
      const seen = record(element, 'lk-open', event, 'lk-close')
      const asked = ask(element)
      await pressThrough(element)
      expect(await asked).to.equal(somebody)
      await until(() => seen.some(({ name }) => name === 'lk-close'))
      expect(seen.map(({ name, event }) => [name, event.detail])).to.deep.equal([
        ['lk-open', { intent }],
        [event, { user: somebody, method, account: null }],
        ['lk-close', { completed: true }],
      ])
    })

  it('opens by its attribute, for the method that its markup names', async () => {
    const { element, kit } = place({ method: 'discord' })
    const linked: string[] = []
    kit.on('linked', ({ method }) => linked.push(method))
    element.open = true
    await until(() => kit.isModalOpen)
    await pressThrough(element)
    await until(() => !element.open)
    expect(linked).to.deep.equal(['discord'])
    expect(element.method).to.equal('discord')
  })

  it('is busy while it is open: a second call is refused, and the first continues', async () => {
    const { element } = place()
    const asked = element.link('email')
    await until(() => element.open)
    expect(await codeOf(element.update('email'))).to.equal('flow_in_progress')
    await pressThrough(element)
    expect(await asked).to.equal(somebody)
  })

  it('closing it rejects with a code of its own', async () => {
    const { element } = place()
    const code = codeOf(element.link('email'))
    await until(() => element.open)
    element.close()
    expect(await code).to.equal('exited_link_flow')
  })

  it('lets the page keep an account of somebody else from being offered', async () => {
    const { element, kit } = place()
    await until(() => kit.counts().listeners > 0)
    let refused = 0
    const request = { method: 'email', account: 'ada@example.com', refuse: () => refused++ }
    kit.emit('transfer-request', request)
    expect(refused).to.equal(0)
    element.addEventListener('lk-transfer-request', (event) => event.preventDefault())
    const seen = record(element, 'lk-transfer-request')
    kit.emit('transfer-request', request)
    expect(refused).to.equal(1)
    expect(seen.map(({ event }) => event.detail)).to.deep.equal([
      { method: 'email', account: 'ada@example.com' },
    ])
  })
})
