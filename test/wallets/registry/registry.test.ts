import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { appLink } from '../../../src/lib/app-link.ts'
import { browseLinks } from '../../../src/wallets/registry/browse.ts'
import { appLinks, walletConnectLinks } from '../../../src/wallets/registry/links.ts'
import {
  allWallets,
  defaultWalletList,
  installUrlOf,
  isListEntry,
  listEntries,
  walletByUrl,
  walletLabel,
  walletName,
  walletOf,
} from '../../../src/wallets/registry/registry.ts'
import { otherWallets, registryWallets } from '../../../src/wallets/registry/rows.ts'
import { storeOf } from '../../../src/wallets/registry/stores.ts'
import { isWalletLink } from '../../support/wallet-links.ts'

interface SharedRow {
  readonly id: string
  readonly button_label?: string
  readonly hostname?: string
  readonly mobile?: { readonly native: string | null; readonly universal: string | null }
}
interface Shared {
  readonly wallets: readonly SharedRow[]
  readonly wallets_outside_registry: readonly SharedRow[]
  readonly wallet_list_entries: readonly string[]
  readonly default_wallet_list: readonly string[]
  readonly client_types: Readonly<Record<string, readonly string[]>>
  readonly browse_links: Readonly<
    Record<
      string,
      { universal: string; native?: string; install: { chrome: string; firefox_addon?: string } }
    >
  >
}
const shared = await readFile(new URL('../../../../shared/data/wallets.json', import.meta.url), 'utf8').then(
  (text): Shared => JSON.parse(text),
  () => undefined,
)
if (!shared) console.log('shared/data is not here: the registry is not compared with it')

describe.skipIf(!shared)('the registry, beside the data that it is made from', () => {
  const data = shared as Shared
  const told = ({ id, button_label, mobile, ...row }: SharedRow & { walletconnect_id?: string }) => {
    const { walletconnect_id: _, ...rest } = row
    const links = { native: mobile?.native ?? undefined, universal: mobile?.universal ?? undefined }
    return JSON.parse(JSON.stringify({ id, ...rest, ...links, label: button_label }))
  }
  /** These have registered another address since. */
  const moved = ['blockchain', 'burrito_wallet', 'coin98', 'cryptocom']
  it('holds the same wallets in the same order, each with what is said of it', () => {
    expect(registryWallets).toHaveLength(52)
    expect(registryWallets.map(({ id }) => id)).toEqual(data.wallets.map(({ id }) => id))
    for (const [at, wallet] of registryWallets.entries()) {
      const { universal, ...said } = told(data.wallets[at] as SharedRow)
      expect(wallet).toMatchObject({ ...said, ...(universal && !moved.includes(wallet.id) && { universal }) })
    }
  })
  it('has the same wallets outside the registry', () => {
    expect(otherWallets.map(({ hostname: _, ...wallet }) => JSON.parse(JSON.stringify(wallet)))).toEqual(
      data.wallets_outside_registry.map(told),
    )
  })
  it('takes the same names in a list, and has the same list without one', () => {
    expect([...listEntries].sort()).toEqual([...data.wallet_list_entries].sort())
    expect(defaultWalletList).toEqual(data.default_wallet_list)
  })
  it('knows every client type under which a browser wallet goes', () => {
    const names = ['injected', 'coinbase', 'solana'].flatMap((family) => data.client_types[family] ?? [])
    expect(names.filter((name) => !walletOf(name))).toEqual([])
  })
  it('opens a page in a wallet’s own browser by the same links', () => {
    for (const [id, { universal, native, install }] of Object.entries(data.browse_links)) {
      const links = browseLinks(id, { address: 'https://a.example/', connector: 'injected', client: id })
      const query = `?privy_connector=injected&privy_wallet_client=${id}`
      const ref = encodeURIComponent(`https://a.example${query}`)
      const filled = (template: string) =>
        template
          .replace(/\{percent-encoded (.*)\{ref\}\}/, (_, link) => encodeURIComponent(link + ref))
          .replaceAll('{ref}', ref)
      expect(links).toEqual({ universal: filled(universal), ...(native && { native: filled(native) }) })
      expect(installUrlOf(id, 'chrome')).toContain(install.chrome)
      if (install.firefox_addon) expect(installUrlOf(id, 'firefox')).toContain(install.firefox_addon)
    }
  })
})

describe('a wallet', () => {
  it('has one id, and a name', () => {
    const ids = allWallets().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(walletName('okx_wallet')).toBe('OKX Wallet')
    expect(walletName('some_new_wallet')).toBe('Some New Wallet')
  })
  it('is known by the name that its extension announces', () => {
    expect(walletOf('uniswap_extension')?.id).toBe('uniswap')
    expect(walletOf('crypto.com_onchain')?.id).toBe('cryptocom')
  })
  it('is nobody under the names that every object has', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(walletOf(name)).toBeUndefined()
      expect(isListEntry(name)).toBe(false)
      expect(installUrlOf(name, 'chrome')).toBeUndefined()
    }
  })
  it('is recognised by where it is at home, or below that', () => {
    expect(walletByUrl('https://metamask.io/')?.id).toBe('metamask')
    expect(walletByUrl('https://portfolio.metamask.io/x?y#z')?.id).toBe('metamask')
    expect(walletByUrl('https://app.safe.global')?.id).toBe('safe')
  })
  it('is not any site that has its name in the address', () => {
    for (const url of [
      ...['https://metamask.io.evil.example', 'https://evilmetamask.io', 'https://evil.example/metamask.io'],
      ...['https://metamask.io@evil.example', 'javascript:metamask.io', 'metamask.io', '', 'https://'],
    ])
      expect(walletByUrl(url), url).toBeUndefined()
  })
  it('is installed from the shop of this browser, or else from its own site', () => {
    const agent = (name: string) => storeOf(`Mozilla/5.0 (X11; Linux) ${name}`)
    expect(installUrlOf('phantom', agent('Chrome/140.0 Safari/537.36'))).toMatch(/^https:\/\/chromewebstore/)
    expect(installUrlOf('phantom', agent('Gecko/20100101 Firefox/140.0'))).toMatch(/addons\.mozilla\.org/)
    expect(installUrlOf('phantom', agent('Version/18 Safari/605'))).toBe('https://phantom.com')
    expect(installUrlOf('phantom', agent('Android Chrome/140 Mobile'))).toBe('https://phantom.com')
    expect(installUrlOf('metamask')).toBe('https://metamask.io')
    expect(installUrlOf('nobody')).toBeUndefined()
  })
})

describe('links to a wallet’s app', () => {
  const uri = `wc:${'a'.repeat(64)}@2?relay-protocol=irn&symKey=${'b'.repeat(64)}`
  const escaped = encodeURIComponent(uri)

  it.each([
    ['metamask', `metamask://wc?uri=${escaped}`, `https://metamask.app.link/wc?uri=${escaped}`],
    ['okx_wallet', `okex://main/wc?uri=${escaped}`, `https://web3.okx.com/download/wc?uri=${escaped}`],
    ['safe', `safe://wc?uri=${escaped}`, `https://app.safe.global/wc?uri=${escaped}`],
    ['1inch', `oneinch://wc?uri=${escaped}`, `https://wallet.1inch.io/wc/wc?uri=${escaped}`],
    [
      'binance',
      `bnc://app.binance.com/cedefi/wc?uri=${escaped}`,
      `https://app.binance.com/cedefi/wc?uri=${escaped}`,
    ],
    [
      'abc_wallet',
      `abc-wallet://abcwc/wc?uri=${escaped}`,
      `https://abcwalletconnect.page.link/wc?uri=${escaped}`,
    ],
    ['ambire', undefined, `https://mobile.ambire.com/wc?uri=${escaped}`],
    ['rabby_wallet', `rabby://wc?uri=${escaped}`, undefined],
    ['bybit_wallet', `bybitapp://open/route?targetUrl=by://web3/walletconnect/wc?uri=${escaped}`, undefined],
    ['nobody', undefined, undefined],
  ])('of %s follow the rules', (id, native, universal) => {
    expect(walletConnectLinks(id, uri)).toEqual({
      ...(native && { native }),
      ...(universal && { universal }),
    })
  })
  it('are made of nothing but a `wc:` address', () => {
    for (const bad of ['', 'https://evil.example', 'wc:1@2', `${uri}&x=y`, `javascript:${uri}`])
      expect(walletConnectLinks('metamask', bad)).toEqual({})
  })
  it('lead to every wallet of the registry, and are links that the screens show', () => {
    for (const { id } of registryWallets) {
      const { native, universal } = walletConnectLinks(id, uri)
      expect(native ?? universal, id).toBeDefined()
      for (const link of [native, universal]) if (link) expect(appLink(link), id).toBe(link)
      expect(Object.values(appLinks(id)).map(appLink), id).not.toContain(undefined)
    }
  })
  it('are https or of the scheme that the registry knows, for every wallet', () => {
    for (const { id } of registryWallets)
      for (const link of Object.values(walletConnectLinks(id, uri))) expect(isWalletLink(id, link)).toBe(true)
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'http://metamask.io', 'rainbow://x', 'x'])
      expect(isWalletLink('metamask', bad), bad).toBe(false)
  })
})

describe('a link into a wallet’s own browser', () => {
  const refOf = (address: string, more = {}) => {
    const { universal = '' } = browseLinks('phantom', {
      address,
      connector: 'solana_adapter',
      client: 'phantom',
      ...more,
    })
    return new URL(universal).searchParams.get('ref')
  }
  const query = 'privy_connector=solana_adapter&privy_wallet_client=phantom'

  it('keeps the page’s own query and fragment', () => {
    expect(refOf('https://a.example/shop/?item=1&x=%20y#top')).toBe(
      `https://a.example/shop/?item=1&x=%20y&${query}#top`.replace('/?', '?'),
    )
  })
  it('carries a forked session, or says that it is to connect only', () => {
    expect(refOf('https://a.example', { token: 'a+b' })).toBe(`https://a.example?${query}&privy_token=a%2Bb`)
    expect(refOf('https://a.example', { connectOnly: true })).toBe(
      `https://a.example?${query}&privy_connect_only=true`,
    )
  })
  it('takes nothing along of a link that led here', () => {
    expect(refOf('https://a.example/?privy_token=old&privy_connector=injected&q=1')).toBe(
      `https://a.example?q=1&${query}`,
    )
  })
  it('is there only for wallets that have such a browser, and for pages of the web', () => {
    const wish = { connector: 'injected', client: 'x' } as const
    expect(browseLinks('metamask', { address: 'https://a.example', ...wish })).toEqual({})
    expect(browseLinks('phantom', { address: 'javascript:alert(1)', ...wish })).toEqual({})
    expect(browseLinks('phantom', { address: 'about:blank', ...wish })).toEqual({})
  })
})

it('a row has the text that the registry gives its button, and a wallet of this browser its own name', () => {
  expect(walletLabel('uniswap', 'Uniswap')).toBe('Uniswap Wallet')
  expect(walletLabel('uniswap', 'Uniswap Extension')).toBe('Uniswap Extension')
  expect(walletLabel('metamask', 'MetaMask')).toBe('MetaMask')
})
