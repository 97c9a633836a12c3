import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Read from the disk beforehand, so that no test waits for that; the kit loads it when it needs it.
import '../../../../src/wallets/connect/connect-one.ts'
import { kitWithPerson } from '../../../support/kit.ts'
import { testPage } from '../../../support/page.ts'
import { announce, ethereumWallet, walletWindow } from '../../../support/wallets.ts'

const goOffline = () => vi.stubGlobal('navigator', { onLine: false })
const goOnline = () => vi.stubGlobal('navigator', { onLine: true })
afterEach(() => vi.unstubAllGlobals())

const offline = (props: Record<string, unknown>) =>
  expect(props).toMatchObject({ title: 'You seem to be offline', action: 'retry', back: true })

// Nothing that talks to a wallet has been asked for in this file when this test begins.
test('a wallet that is chosen without a network leads back to the list, or on when the network has returned', async () => {
  const { kit, person } = await kitWithPerson({
    page: testPage({ window: walletWindow }),
    app: { wallet_auth: true },
  })
  announce(ethereumWallet())
  const connected = kit.connectWallet()
  await person.follow([{ on: 'wallet-list' }])
  goOffline()
  await person.follow([
    ['wallet-list', { wallet: 'metamask' }],
    { on: 'failure', expect: offline, answer: 'back' },
    ['wallet-list', { wallet: 'metamask' }],
    { on: 'failure', expect: offline, answer: 'retry' },
    { on: 'failure', expect: offline },
  ])
  goOnline()
  await person.follow([['failure', 'retry'], { wait: 2_000 }])
  expect((await connected).meta.name).toBe('MetaMask')
})

describe('where nothing that follows a first screen has been loaded', () => {
  beforeEach(() => vi.resetModules())

  test('a list of wallets that does not come says so, and comes when the network has returned', async () => {
    const { kitWithPerson } = await import('../../../support/kit.ts')
    const { kit, person } = await kitWithPerson({
      page: testPage({ window: walletWindow }),
      app: { wallet_auth: true },
    })
    announce(ethereumWallet())
    // What is asked for while another dialog is open loads all that comes before its own.
    kit.login().catch(() => {})
    await person.follow([{ on: 'landing' }])
    await expect(kit.connectWallet()).rejects.toMatchObject({ code: 'flow_in_progress' })
    await person.follow([{ on: 'landing', close: true }])
    goOffline()
    const left = expect(kit.connectWallet()).rejects.toMatchObject({ code: 'generic_connect_wallet_error' })
    await person.follow([{ on: 'failure', expect: offline, answer: 'back' }])
    await left
    kit.connectWallet().catch(() => {})
    await person.follow([
      { on: 'failure', expect: offline, answer: 'retry' },
      { on: 'failure', expect: offline },
    ])
    goOnline()
    await person.follow([['failure', 'retry'], { on: 'wallet-list' }])
  })

  test('the words of that come with what connects a wallet', async () => {
    await import('../../../../src/kit/host/connect.ts')
    const { createTranslate } = await import('../../../../src/copy/copy.ts')
    expect(createTranslate()('error.offline.title')).toBe('You seem to be offline')
  })
})
