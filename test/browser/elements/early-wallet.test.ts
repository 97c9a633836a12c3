import { expect } from '@open-wc/testing'
import { createStore as createMipd } from 'mipd'
import { announceWallet, earlyWalletsOf } from '../../../elements/early-wallet.ts'
import { sessionKey } from '../../../src/session/keys.ts'
import type { OwnProvider } from '../../../src/wallets/embedded/provider/ethereum.ts'
import { drawn } from './support/page.ts'

let apps = 0
/** An app of which this browser remembers a session, and the wallet that an earlier page announced. */
function remembered({ session = true, wallet = true, smart = false } = {}): string {
  const appId = `app-of-the-early-wallet-${++apps}`
  const info = { name: 'Some App', icon: 'data:image/png;base64,', rdns: 'localhost.latchkey.some' }
  if (session) localStorage.setItem(sessionKey(appId, 'token'), 'a.b.c')
  if (wallet) localStorage.setItem(sessionKey(appId, 'announced'), JSON.stringify(info))
  const ofSmart = { ...info, name: 'Some App smart wallet', rdns: `${info.rdns}.smart` }
  if (smart) localStorage.setItem(sessionKey(appId, 'announced-smart'), JSON.stringify(ofSmart))
  return appId
}
/** What a library finds that is set up now. */
function found() {
  const store = createMipd()
  const providers = store.getProviders().filter(({ info }) => info.rdns.startsWith('localhost.latchkey.some'))
  store.destroy()
  return providers
}
const own = (): OwnProvider & { heard: unknown[][] } => {
  const heard: unknown[][] = []
  return {
    isLatchkey: true,
    isConnected: () => true,
    request: async ({ method }) => `${method} answered`,
    heard,
    on: (...input: unknown[]) => void heard.push(['on', ...input]),
    removeListener: (...input: unknown[]) => void heard.push(['off', ...input]),
  }
}

describe('a wallet that is announced before its kit is there', () => {
  afterEach(() => localStorage.clear())

  it('is found at once by a library, whose requests wait for the session', async () => {
    const appId = remembered()
    announceWallet(appId)
    announceWallet(appId)
    const [wallet, ...more] = found()
    expect(more).to.deep.equal([])
    expect(wallet?.info.name).to.equal('Some App')
    const listener = () => {}
    const dropped = () => {}
    wallet?.provider.on('connect', listener)
    wallet?.provider.on('connect', dropped)
    wallet?.provider.removeListener('connect', dropped)
    let answer: unknown
    wallet?.provider.request({ method: 'eth_accounts' }).then((accounts) => {
      answer = accounts
    })
    await drawn()
    expect(answer).to.equal(undefined)

    const provider = own()
    earlyWalletsOf(appId)?.embedded?.adopt(provider)
    await drawn()
    expect(answer).to.equal('eth_accounts answered')
    expect(provider.heard).to.deep.equal([['on', 'connect', listener]])
    // From now on the kit announces it.
    expect(found()).to.deep.equal([])
  })

  it('refuses with 4900 when nobody with a wallet is logged in, and serves whoever comes later', async () => {
    const appId = remembered()
    announceWallet(appId)
    const [wallet] = found()
    const asked = wallet?.provider.request({ method: 'eth_accounts' }).catch(({ code }) => code)
    earlyWalletsOf(appId)?.embedded?.release()
    expect(await asked).to.equal(4900)
    expect(found()).to.deep.equal([])
    earlyWalletsOf(appId)?.embedded?.adopt(own())
    expect(await wallet?.provider.request({ method: 'eth_accounts' })).to.equal('eth_accounts answered')
  })

  it('is found beside the smart wallet, and each waits for its own provider', async () => {
    const appId = remembered({ smart: true })
    announceWallet(appId)
    const [embedded, smart] = found()
    expect([embedded?.info.name, smart?.info.name]).to.deep.equal(['Some App', 'Some App smart wallet'])
    const asked = [embedded, smart].map((wallet) =>
      wallet?.provider.request({ method: 'eth_accounts' }).catch(({ code }) => code),
    )
    earlyWalletsOf(appId)?.smart?.adopt(own())
    expect(await asked[1]).to.equal('eth_accounts answered')
    expect(found().map(({ info }) => info.name)).to.deep.equal(['Some App'])
    earlyWalletsOf(appId)?.embedded?.release()
    expect(await asked[0]).to.equal(4900)
  })

  it('is not announced without a session, without an earlier wallet, or with one that can not be read', () => {
    announceWallet(remembered({ session: false }))
    announceWallet(remembered({ wallet: false }))
    const appId = remembered()
    localStorage.setItem(sessionKey(appId, 'announced'), '{')
    announceWallet(appId)
    expect(found()).to.deep.equal([])
  })
})
