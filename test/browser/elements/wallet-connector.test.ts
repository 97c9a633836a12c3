import { expect } from '@open-wc/testing'
import type { WalletConnector } from '../../../elements/wallet-connector.ts'
import { fakeKit, someWallet } from './support/fake-kit.ts'
import { clear, headingOf, pressOn, record, until } from './support/page.ts'

function place() {
  const kit = fakeKit()
  const element: WalletConnector = document.createElement('wallet-connector')
  element.kit = kit
  document.body.append(element)
  return { element, kit }
}
async function pressThrough(element: WalletConnector) {
  await until(() => element.open)
  await pressOn(element, '#next')
  await until(() => headingOf(element) === 'Second screen')
  await pressOn(element, '#done')
}

describe('<wallet-connector>', () => {
  afterEach(clear)

  it('resolves with the wallet that the person has connected, and tells the page of it', async () => {
    const { element } = place()
    const seen = record(element, 'lk-open', 'lk-connect', 'lk-wallets', 'lk-close')
    const wallet = element.connect()
    await pressThrough(element)
    expect(await wallet).to.equal(someWallet)
    await until(() => seen.some(({ name }) => name === 'lk-close'))
    expect(seen.map(({ name, event }) => [name, event.detail])).to.deep.include.members([
      ['lk-open', { intent: 'connect' }],
      ['lk-connect', { wallet: someWallet }],
      ['lk-wallets', { wallets: [someWallet] }],
      ['lk-close', { completed: true }],
    ])
    expect(element.wallets).to.deep.equal([someWallet])
  })

  it('a second call joins the first', async () => {
    const { element } = place()
    const both = [element.connect(), element.connect()]
    await pressThrough(element)
    expect(await Promise.all(both)).to.deep.equal([someWallet, someWallet])
  })

  it('setting open asks for a wallet', async () => {
    const { element, kit } = place()
    element.open = true
    await until(() => kit.isModalOpen)
    await pressThrough(element)
    await until(() => !element.open)
    expect(element.wallets).to.have.length(1)
  })

  it('closing it rejects with a code of its own', async () => {
    const { element } = place()
    const code = element.connect().catch((error: { code: string }) => error.code)
    await until(() => element.open)
    element.close()
    expect(await code).to.equal('generic_connect_wallet_error')
  })
})
