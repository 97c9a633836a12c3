/** From the press on a wallet to its answer: waiting, the code, the way to its app, and to its shop. */
import { expect } from '@open-wc/testing'
import {
  type AwaitingConnectionProps,
  awaitingConnection,
} from '../../../src/wallets/connect/awaiting-connection.tsx'
import { installWallet } from '../../../src/wallets/connect/install-wallet.tsx'
import { openInWallet } from '../../../src/wallets/connect/open-in-wallet.tsx'
import { walletConnectCode } from '../../../src/wallets/connect/wallet-connect.tsx'
import { walletLoginFailed } from '../../../src/wallets/connect/wallet-login-failed.tsx'
import { holdTimers } from '../timers.ts'
import { type Mounted, mount, painted, unmountAll, until } from './mount.tsx'

const rainbow = { id: 'rainbow', name: 'Rainbow' }
const uri = 'wc:7f6e504bfad60b485450578e05678ed3@2?relay-protocol=irn&symKey=587d5484ce2a2a6ee3ba1962fdd7e858'
const native = `rainbow://wc?uri=${encodeURIComponent(uri)}`
const universal = `https://rnbwapp.com/wc?uri=${encodeURIComponent(uri)}`
const title = ({ find }: Mounted) => find('[data-heading]').textContent
const footer = ({ all }: Mounted) => all('[part=footer] a,[part=footer] button').map((el) => el.textContent)
const link = ({ all }: Mounted) => all('[part=footer] a')[0] as HTMLAnchorElement
const status = ({ root }: Mounted) => root.querySelector('[role=status]')?.textContent
const alert = ({ root }: Mounted) => root.querySelector('[role=alert]')?.textContent
/** Presses a link as a person does, without the browser going anywhere. */
const follow = (el: HTMLElement) => {
  el.addEventListener('click', (event) => event.preventDefault(), { once: true })
  el.click()
}

describe('waiting for a wallet', () => {
  afterEach(unmountAll)
  const props: AwaitingConnectionProps = {
    wallet: rainbow,
    app: { name: 'Harbor' },
    purpose: 'log-in',
    state: 'connecting',
  }
  const asked = async (more: Partial<AwaitingConnectionProps> = {}) => {
    const screen = mount()
    await screen.ask(awaitingConnection, { ...props, ...more })
    return screen
  }

  it('says for whom it waits, and each step politely', async () => {
    const screen = await asked()
    expect(title(screen)).to.equal('Waiting for Rainbow')
    expect(footer(screen)).to.deep.equal([])
    await screen.ask(awaitingConnection, { ...props, state: 'switching' })
    expect(status(screen)).to.equal('Switching networks')
    await screen.ask(awaitingConnection, { ...props, state: 'signing' })
    expect(status(screen)).to.contain('Sign the message')
    await screen.ask(awaitingConnection, { ...props, state: 'done' })
    expect(title(screen)).to.equal('Successfully connected with Rainbow')
    expect(screen.all('[part=header] button').map((each) => each.ariaLabel)).to.deep.equal(['Close'])
  })

  it('says after a while what to do', async () => {
    const timers = holdTimers()
    const screen = await asked()
    timers.end()
    await painted()
    expect(status(screen)).to.contain('Open Rainbow and check for a pending request.')
  })

  it('lets signing begin with a press where it must', async () => {
    const screen = await asked({ state: 'signing', asks: true })
    screen.find('[part=footer] button').click()
    await painted()
    expect(screen.answers).to.deep.equal(['sign'])
  })

  it('begins signing with the same press that opens the app, once', async () => {
    const screen = await asked({ state: 'signing', asks: true, link: { native, universal } })
    follow(link(screen))
    follow(link(screen))
    await painted()
    expect(screen.answers).to.deep.equal(['sign'])
  })

  it('leads to the app by its own scheme on this page, by https on another', async () => {
    const own = link(await asked({ link: { native, universal } }))
    expect([own.getAttribute('href'), own.target, own.rel]).to.deep.equal([native, '', 'noopener noreferrer'])
    unmountAll()
    const web = link(await asked({ link: { universal } }))
    expect([web.getAttribute('href'), web.target, web.rel]).to.deep.equal([
      universal,
      '_blank',
      'noopener noreferrer',
    ])
  })

  it('leads nowhere a browser would run', async () => {
    for (const bad of ['javascript://%0aalert(1)', 'data:text/html,x', 'intent://x', 'http://a.example']) {
      const screen = await asked({ link: { native: bad, universal: bad } })
      expect(screen.all('a')).to.have.length(0)
      unmountAll()
    }
  })

  it('offers what can be done about a failure, and no more than that', async () => {
    for (const [action, label] of [
      ['retry', 'Try again'],
      ['other', 'Use a different wallet'],
      ['close', 'Close'],
    ] as const) {
      const screen = await asked({
        state: 'failed',
        title: 'Request rejected',
        detail: 'It was rejected.',
        action,
      })
      expect(alert(screen)).to.equal('It was rejected.')
      expect(footer(screen)).to.deep.equal([label])
      screen.find('[part=footer] button').click()
      await painted()
      expect(screen.answers).to.deep.equal([action])
      unmountAll()
    }
    const end = await asked({ state: 'failed' })
    expect([title(end), ...footer(end)]).to.deep.equal(['Unable to connect wallet'])
  })

  it('takes away what it has announced once that no longer holds', async () => {
    const screen = await asked({ state: 'failed', detail: 'It was rejected.' })
    expect(alert(screen)).to.equal('It was rejected.')
    await screen.ask(awaitingConnection, props)
    expect(alert(screen)).to.equal('')
  })

  it('shows a wallet’s name as text, whatever it calls itself', async () => {
    const name = '<img src=x onerror=alert(1)>'
    const screen = await asked({ wallet: { id: 'evil', name } })
    expect(title(screen)).to.equal(`Waiting for ${name}`)
    expect(screen.all('img')).to.have.length(0)
  })
})

describe('the code for a wallet', () => {
  afterEach(unmountAll)
  const props = { wallet: rainbow, uri, mobile: false, installUrl: 'https://rainbow.me' }
  const code = ({ root }: Mounted) => root.querySelector('[part=qr] svg')
  const frame = ({ root }: Mounted) => root.querySelector('[data-qr] > *') as HTMLElement

  it('has its place before its address is known, and nothing moves when it comes', async () => {
    const screen = mount()
    await screen.ask(walletConnectCode, { ...props, uri: undefined })
    expect(code(screen)).to.equal(null)
    expect(screen.root.textContent).to.contain('Preparing the connection')
    const before = [frame(screen).offsetTop, frame(screen).offsetHeight]
    await screen.ask(walletConnectCode, props)
    await until(() => code(screen), 'the code')
    expect([frame(screen).offsetTop, frame(screen).offsetHeight]).to.deep.equal(before)
    expect(screen.root.textContent).to.contain('Waiting for your approval')
  })

  it('copies exactly what the code says', async () => {
    const screen = mount()
    await screen.ask(walletConnectCode, props)
    await until(() => code(screen), 'the code')
    const real = navigator.clipboard.writeText
    const copied: string[] = []
    navigator.clipboard.writeText = async (text) => void copied.push(text)
    screen.find('button[aria-label="Copy link"]').click()
    await painted()
    navigator.clipboard.writeText = real
    expect(copied).to.deep.equal([uri])
    expect(screen.find('[data-qr]').textContent).to.contain(uri)
  })

  it('that is over says so, and another one is asked for over it', async () => {
    const screen = mount()
    await screen.ask(walletConnectCode, { ...props, expired: true })
    await until(() => code(screen), 'the code')
    expect(alert(screen)).to.equal('This code has expired.')
    const again = screen.all('[data-qr] button').find((each) => each.textContent?.includes('Try again'))
    again?.click()
    await painted()
    expect(screen.answers).to.deep.equal(['retry'])
  })

  it('that can’t be had is a failure that can be tried again', async () => {
    const screen = mount()
    await screen.ask(walletConnectCode, { ...props, uri: undefined, failure: 'No connection.' })
    expect([title(screen), alert(screen)]).to.deep.equal(['Unable to connect to wallet', 'No connection.'])
    screen.find('[part=footer] button').click()
    await painted()
    expect(screen.answers).to.deep.equal(['retry'])
  })

  it('is a link on a phone: the own scheme, then https, then the code and the shop', async () => {
    const screen = mount()
    await screen.ask(walletConnectCode, { ...props, mobile: true, links: { native, universal } })
    expect(code(screen)).to.equal(null)
    expect(link(screen).getAttribute('href')).to.equal(native)
    const first = holdTimers()
    follow(link(screen))
    first.end()
    await until(() => link(screen).getAttribute('href') === universal, 'the https link')
    const second = holdTimers()
    follow(link(screen))
    second.end()
    await until(() => code(screen), 'the code')
    expect(footer(screen)).to.deep.equal(['Open Rainbow', 'Get Rainbow'])
    expect(status(screen)).to.contain("Didn't open?")
  })

  it('stays a link where the app has opened', async () => {
    const screen = mount()
    await screen.ask(walletConnectCode, { ...props, mobile: true, links: { native, universal } })
    const timers = holdTimers()
    follow(link(screen))
    await painted()
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Reflect.deleteProperty(document, 'visibilityState')
    timers.end()
    await painted()
    expect(link(screen).getAttribute('href')).to.equal(native)
    expect(code(screen)).to.equal(null)
  })

  it('opens any wallet of the phone where none was named', async () => {
    const screen = mount()
    const wallet = { id: 'wallet_connect', name: 'WalletConnect' }
    await screen.ask(walletConnectCode, { wallet, uri, mobile: true, links: {} })
    expect(link(screen).getAttribute('href')).to.equal(uri)
  })

  it('is shown on a phone as well if the wallet has no link', async () => {
    const screen = mount()
    await screen.ask(walletConnectCode, { ...props, mobile: true })
    await until(() => code(screen), 'the code')
    expect(title(screen)).to.equal('Scan with Rainbow')
  })
})

describe('a wallet that is not here', () => {
  afterEach(unmountAll)
  const phantom = { id: 'phantom', name: 'Phantom' }

  it('is to be had at its own page, with help, and the page loaded again', async () => {
    const screen = mount()
    const props = { wallet: phantom, installUrl: 'https://phantom.com/download' }
    await screen.ask(installWallet, { ...props, step: 'install' })
    const shop = link(screen)
    expect([shop.href, shop.target, shop.rel]).to.deep.equal([
      'https://phantom.com/download',
      '_blank',
      'noopener noreferrer',
    ])
    screen
      .all('button')
      .find((each) => each.textContent === 'How do I set it up?')
      ?.click()
    await screen.ask(installWallet, { ...props, step: 'help' })
    expect(screen.all('li').map((item) => item.querySelector('span span')?.textContent)).to.deep.equal([
      'Install the extension',
      'Set up a wallet',
      'Store the recovery phrase',
      'Reload this page',
    ])
    expect(screen.focuses('[data-heading]')).to.equal(true)
    screen.find('[part=footer] button').click()
    await painted()
    expect(screen.answers).to.deep.equal(['help', 'installed'])
  })

  it('opens this page in its own browser, and asks a moment later whether it did', async () => {
    const screen = mount()
    const links = { universal: 'https://phantom.app/ul/browse/x?ref=x', native: 'phantom://browse/x?ref=x' }
    await screen.ask(openInWallet, { wallet: phantom, links })
    expect([footer(screen)[0], link(screen).getAttribute('href')]).to.deep.equal([
      'Open Phantom',
      links.universal,
    ])
    const timers = holdTimers()
    follow(link(screen))
    expect(footer(screen)).to.deep.equal(['Open Phantom'])
    timers.end()
    await until(() => footer(screen)[0] !== 'Open Phantom', 'the question')
    expect([footer(screen)[0], link(screen).getAttribute('href')]).to.deep.equal([
      'Still here?',
      links.native,
    ])
  })

  it('that did not answer as it must is tried again', async () => {
    const screen = mount()
    await screen.ask(walletLoginFailed, { wallet: phantom })
    expect(title(screen)).to.equal('Could not connect with wallet')
    expect(screen.root.textContent).to.contain(
      'Please check that Phantom multichain is enabled and try again.',
    )
    screen.find('[part=footer] button').click()
    await painted()
    expect(screen.answers).to.deep.equal(['retry'])
  })
})
