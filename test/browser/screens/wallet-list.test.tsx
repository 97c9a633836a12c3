/** Choosing a wallet: what the list shows, how it is searched, and whose pictures it has. */
import { expect } from '@open-wc/testing'
import { type WalletListProps, walletList } from '../../../src/wallets/connect/wallet-list.tsx'
import type { ListedWallet } from '../../../src/wallets/connect/wallet-search.tsx'
import { type Mounted, mount, painted, type, unmountAll, until } from './mount.tsx'

const listed = (id: string, name: string, more: Partial<ListedWallet> = {}): ListedWallet => ({
  key: id,
  id,
  name,
  recent: false,
  solana: false,
  here: true,
  ...more,
})
const names = ['MetaMask', 'Phantom', 'Coinbase Wallet', 'Rainbow', 'WalletConnect', 'Bóveda']
const wallets = names.map((name) => listed(name.toLowerCase().replace(' ', '_'), name))
const props: WalletListProps = { purpose: 'log-in', wallets, page: 'main' }

const asked = async (more: Partial<WalletListProps> = {}) => {
  const screen = mount()
  await screen.ask(walletList, { ...props, ...more })
  return screen
}
/** The rows as they are read out: hints for the eye alone are left out. */
const rows = ({ all }: Mounted) =>
  all('button[part=row]').map((row) => {
    const read = row.cloneNode(true) as HTMLElement
    for (const silent of read.querySelectorAll('[aria-hidden]')) silent.remove()
    const pictures = [...read.querySelectorAll('[aria-label]')].map((picture) => picture.ariaLabel)
    return [read.textContent, ...pictures].join(' ').trim()
  })
const press = ({ all }: Mounted, words: string) => {
  const found = all('button').find((each) => each.textContent?.includes(words) || each.ariaLabel === words)
  if (!found) throw new Error(`There is no button '${words}'`)
  found.click()
}
const field = ({ find }: Mounted) => find<HTMLInputElement>('input[role=searchbox]')
const images = ({ all }: Mounted) => all('img') as HTMLImageElement[]

describe('the wallet list', () => {
  afterEach(unmountAll)

  it('shows up to four wallets as they are', async () => {
    const screen = await asked({ wallets: wallets.slice(0, 4) })
    expect(rows(screen)).to.deep.equal(names.slice(0, 4))
  })

  it('shows three of more than four, and a row for the others', async () => {
    const screen = await asked({ wallets: wallets.slice(0, 5) })
    expect(rows(screen)).to.deep.equal([...names.slice(0, 3), 'Other wallets'])
    press(screen, 'Other wallets')
    await painted()
    expect(screen.answers).to.deep.equal(['more'])
  })

  it('answers with the key of what was chosen, not with its type', async () => {
    const screen = await asked({
      wallets: [
        listed('phantom', 'Phantom'),
        listed('phantom', 'Phantom', { key: 'phantom:solana', solana: true }),
      ],
    })
    screen.all('button[part=row]')[1]?.click()
    await painted()
    expect(screen.answers).to.deep.equal([{ wallet: 'phantom:solana' }])
  })

  it('says which wallet was used last, which is for Solana, and which must be installed', async () => {
    const screen = await asked({
      wallets: [
        listed('metamask', 'MetaMask', { recent: true }),
        listed('phantom', 'Phantom', { solana: true }),
        listed('solflare', 'Solflare', { recent: true, solana: true }),
        listed('backpack', 'Backpack', { here: false }),
      ],
    })
    expect(rows(screen)).to.deep.equal([
      'MetaMaskRecent',
      'PhantomSolana',
      'SolflareRecent Solana',
      'BackpackInstall',
    ])
  })

  it("gives the chip's place to what a press does, under the focus", async () => {
    const screen = await asked({ wallets: [listed('phantom', 'Phantom', { solana: true })] })
    const row = screen.find('button[part=row]')
    const faces = () =>
      ['[data-rest]', '[data-hint]'].map(
        (face) => getComputedStyle(row.querySelector(face) as Element).opacity,
      )
    const width = row.querySelector('[data-rest]')?.parentElement?.offsetWidth
    expect(faces()).to.deep.equal(['1', '0'])
    row.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }))
    row.focus({ focusVisible: true } as FocusOptions)
    await until(() => faces()[1] === '1', 'the hint')
    await until(() => faces()[0] === '0', 'the chip to go')
    expect(row.querySelector('[data-hint]')?.textContent).to.equal('Connect')
    expect(row.querySelector('[data-rest]')?.parentElement?.offsetWidth).to.equal(width)
  })

  it('leads to all wallets from the link below', async () => {
    const screen = await asked()
    press(screen, "Don't see your wallet?")
    await painted()
    expect(screen.answers).to.deep.equal(['missing'])
  })

  it('says so where there is none, and leads on', async () => {
    const screen = await asked({ wallets: [] })
    expect(screen.root.textContent).to.contain('No wallets found in this browser.')
    press(screen, "Don't see your wallet?")
    await painted()
    expect(screen.answers).to.deep.equal(['missing'])
  })

  it('announces what went wrong with the choice before', async () => {
    const screen = await asked({ error: 'The request was rejected. Please try again.' })
    expect(screen.root.querySelector('[role=alert]')?.textContent).to.equal(
      'The request was rejected. Please try again.',
    )
  })

  it('names its terms only where somebody logs in', async () => {
    const legal = { termsUrl: 'https://a.example/terms' }
    expect((await asked({ legal })).root.textContent).to.contain('By logging in')
    expect((await asked({ legal, purpose: 'link' })).root.textContent).to.not.contain('By logging in')
  })

  it('shows what is connected already, without making it a choice', async () => {
    const screen = await asked({
      purpose: 'connect',
      wallets: wallets.slice(0, 1),
      connected: [{ id: 'rainbow', name: 'Rainbow', address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }],
    })
    expect(screen.all('li').map((item) => item.textContent)).to.deep.equal(['Rainbow0x71C7…976F'])
    expect(rows(screen)).to.deep.equal(['MetaMask'])
  })

  it('grows when a wallet announces itself late, and keeps the focus', async () => {
    const screen = await asked({ wallets: wallets.slice(0, 2) })
    screen.find('button[part=row]').focus()
    await screen.ask(walletList, { ...props, wallets: wallets.slice(0, 3) })
    expect(rows(screen)).to.deep.equal(names.slice(0, 3))
    expect(screen.focuses('button[part=row]')).to.equal(true)
  })
})

describe('the search among wallets', () => {
  afterEach(unmountAll)

  it('finds by any word, without case and accents, names that begin with it first', async () => {
    const screen = await asked({ page: 'all' })
    for (const [query, found] of [
      ['WALLET', ['WalletConnect', 'Coinbase Wallet']],
      ['wal base', ['Coinbase Wallet']],
      ['boveda', ['Bóveda']],
      [' ', names],
    ] as const) {
      type(field(screen), query)
      await painted()
      expect(rows(screen)).to.deep.equal(found)
    }
  })

  it('takes the first one found with Enter, and nothing where nothing was typed', async () => {
    const screen = await asked({ page: 'more' })
    field(screen).form?.requestSubmit()
    await painted()
    expect(screen.answers).to.deep.equal([])
    type(field(screen), 'rain')
    await painted()
    field(screen).form?.requestSubmit()
    await painted()
    expect(screen.answers).to.deep.equal([{ wallet: 'rainbow' }])
  })

  it('says that nothing was found, and leads from the list to all wallets', async () => {
    const screen = await asked({ page: 'more' })
    type(field(screen), 'xyz')
    await painted()
    const words = 'No wallets found for “xyz”.'
    expect(screen.root.textContent).to.contain(words)
    expect(screen.root.querySelector('[role=status]')?.textContent).to.equal(words)
    press(screen, 'Show all wallets')
    await painted()
    expect(screen.answers).to.deep.equal(['missing'])
  })

  it('can be cleared where there are no more', async () => {
    const screen = await asked({ page: 'all' })
    type(field(screen), 'xyz')
    await painted()
    const ways = () =>
      screen.all('button').filter((each) => `${each.textContent}${each.ariaLabel}`.includes('Clear search'))
    expect(ways()).to.have.length(2)
    for (const i of [0, 1]) {
      type(field(screen), 'xyz')
      await painted()
      ways()[i]?.click()
      await painted()
      expect(rows(screen)).to.deep.equal(names)
      expect(screen.focuses('input[role=searchbox]')).to.equal(true)
    }
    expect(screen.answers).to.deep.equal([])
  })
})

describe("a wallet's picture", () => {
  afterEach(unmountAll)
  const pixel =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const shown = async (wallet: Partial<ListedWallet>) => {
    const screen = await asked({ wallets: [listed('metamask', 'MetaMask', wallet)] })
    await until(
      () => images(screen).length > 0 || screen.find('button[part=row] [aria-hidden]').textContent,
      'a picture',
    )
    return screen
  }

  it('is what it announced of itself', async () => {
    const [image] = images(await shown({ icon: pixel }))
    expect(image?.getAttribute('src')).to.equal(pixel)
    expect(image?.alt).to.equal('')
  })

  it('is our drawing where it announced none, or one that can’t be drawn', async () => {
    for (const icon of [undefined, 'data:image/png;base64,AAAA']) {
      const screen = await shown({ icon })
      await until(() => images(screen)[0]?.src.startsWith('data:image/svg+xml,'), 'the drawing')
      await images(screen)[0]?.decode()
      unmountAll()
    }
  })

  it('is its initial where there is no drawing either', async () => {
    for (const id of ['haha', 'constructor', '__proto__']) {
      const screen = await shown({ id, name: 'haha' })
      expect(images(screen)).to.have.length(0)
      expect(screen.find('button[part=row] [aria-hidden]').textContent).to.equal('H')
      unmountAll()
    }
  })

  it('is never fetched from anywhere, and never more than a picture', async () => {
    for (const icon of [
      'https://tracker.example/icon.png',
      '//tracker.example/icon.png',
      '/icon.png',
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'blob:https://a.example/1',
    ]) {
      const screen = await shown({ icon })
      await until(() => images(screen)[0]?.src.startsWith('data:image/svg+xml,'), `the drawing, not ${icon}`)
      expect(screen.root.querySelectorAll('script,iframe,object').length).to.equal(0)
      unmountAll()
    }
  })
})
