import { expect } from '@open-wc/testing'
import type { WalletSend } from '../../../elements/wallet-send.ts'
import type { Kit, SendFormOptions } from '../../../src/kit/api.ts'
import { fakeKit } from './support/fake-kit.ts'
import { clear, headingOf, pressOn, record, until, within } from './support/page.ts'

function place() {
  const opened: SendFormOptions[] = []
  const kit: Kit = fakeKit()
  const { openSend } = kit
  const element = document.createElement('wallet-send')
  element.kit = Object.assign(kit, {
    openSend(options: SendFormOptions = {}) {
      opened.push(options)
      return openSend(options)
    },
  })
  document.body.append(element)
  return { element, opened }
}
async function pressThrough(element: WalletSend) {
  await until(() => within(element, '#next') !== null)
  await pressOn(element, '#next')
  await until(() => headingOf(element) === 'Second screen')
  await pressOn(element, '#done')
}

describe('<wallet-send>', () => {
  afterEach(clear)

  it('opens the form by its method, and resolves with hash and receipt', async () => {
    const { element } = place()
    const seen = record(element, 'lk-submitted', 'lk-receipt')
    const sending = element.send()
    await pressThrough(element)
    expect(await sending).to.include({ transactionHash: '0xh', chain: 'eip155:1', address: '0xa' })
    expect(seen.map(({ name }) => name)).to.deep.equal(['lk-submitted', 'lk-receipt'])
  })

  it('opens the form by its attribute', async () => {
    const { element, opened } = place()
    element.open = true
    await pressThrough(element)
    expect(opened.length).to.equal(1)
  })

  it('fills in what the page has set, and writes none of it into the markup', async () => {
    const { element, opened } = place()
    element.prefill = { to: '0xb', amount: '0.25' }
    const sending = element.send()
    await pressThrough(element)
    await sending
    const { to, amount } = opened[0] ?? {}
    expect({ to, amount }).to.deep.equal({ to: '0xb', amount: '0.25' })
    expect(element.outerHTML).not.to.contain('0xb')
  })

  it('lets the page refuse the form', async () => {
    const { element, opened } = place()
    element.addEventListener('lk-send-request', (event) => {
      expect(event.detail).to.deep.equal({ form: {} })
      event.preventDefault()
    })
    const code = await element.send().catch((cause) => cause.code)
    expect(code).to.equal('unable_to_sign')
    expect(opened.length).to.equal(0)
  })
})
