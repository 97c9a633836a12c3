import { describe, expect, it } from 'vitest'
import type { ChainType, FoundWallet } from '../../../src/wallets/external/connector.ts'
import { arrangeOffers, type OfferInput } from '../../../src/wallets/external/offers.ts'
import { defaultWalletList, listEntries } from '../../../src/wallets/registry/registry.ts'
import { registryWallets } from '../../../src/wallets/registry/rows.ts'

const found = (id: string, chainType: ChainType = 'ethereum', rdns?: string): FoundWallet => ({
  meta: { id, name: `${id}, as announced`, icon: undefined },
  chainType,
  rdns,
  connector: () => expect.unreachable('no connection is asked for'),
})
const metamask = found('metamask', 'ethereum', 'io.metamask')
const coinbase = found('coinbase_wallet', 'ethereum', 'com.coinbase.wallet')
const phantoms = [found('phantom', 'ethereum', 'app.phantom'), found('phantom', 'solana')]

interface Situation extends Partial<Omit<OfferInput, 'wish'>> {
  list?: readonly string[]
  chains?: readonly ChainType[]
  all?: boolean
}
const arrange = ({ list, chains = ['ethereum'], all, ...input }: Situation) =>
  arrangeOffers({
    found: [],
    mobile: false,
    walletConnect: true,
    coinbase: 'all',
    ...input,
    options: { walletList: list, chains, all },
  })
/** The offers, as `id reach`. */
const shown = (situation: Situation) => arrange(situation).map(({ id, reach }) => `${id} ${reach}`)

const both: readonly ChainType[] = ['ethereum', 'solana']

describe('the list of an app that names none', () => {
  it('begins with what this browser has', () => {
    expect(shown({ found: [metamask, found('rabby_wallet')] })).toEqual([
      ...['rabby_wallet here', 'metamask here', 'coinbase_wallet coinbase', 'rainbow wallet-connect'],
      'wallet_connect wallet-connect',
    ])
  })
  it('offers what is to be installed where WalletConnect is not available', () => {
    expect(shown({ walletConnect: false })).toEqual([
      ...['metamask install', 'coinbase_wallet coinbase', 'rainbow install'],
    ])
  })
  it('offers the wallets of Solana where only those count and there are none', () => {
    const chains: readonly ChainType[] = ['solana']
    expect(shown({ chains })).toEqual([
      'phantom:solana install',
      'solflare:solana install',
      'backpack:solana install',
    ])
    expect(shown({ chains, mobile: true })).toEqual([
      ...['phantom:solana browse', 'solflare:solana browse', 'backpack:solana browse'],
    ])
    expect(shown({ chains, found: phantoms })).toEqual(['phantom:solana here'])
  })
  it('is the default one for an empty list as well', () => {
    expect(shown({ list: [] })).toEqual(shown({ list: defaultWalletList }))
  })
})

describe('a list', () => {
  it('keeps the app’s order, and shows detected wallets at their place in it', () => {
    const list = ['rainbow', 'detected_wallets', 'metamask']
    expect(shown({ list, found: [metamask, found('brave_wallet')] })).toEqual([
      ...['rainbow wallet-connect', 'brave_wallet here', 'metamask here'],
    ])
  })
  it('leaves out what was found where the app asks for nothing found', () => {
    expect(shown({ list: ['rainbow'], found: [metamask] })).toEqual(['rainbow wallet-connect'])
  })
  it('tells the found wallets of one kind of chain from those of the other', () => {
    const all = [metamask, found('solflare', 'solana')]
    expect(shown({ list: ['detected_solana_wallets'], chains: both, found: all })).toEqual([
      'solflare:solana here',
    ])
    expect(shown({ list: ['detected_ethereum_wallets'], chains: both, found: all })).toEqual([
      'metamask here',
    ])
  })
  it('has a wallet once for each kind of chain that it was found on', () => {
    expect(shown({ list: ['phantom'], chains: both, found: phantoms })).toEqual([
      'phantom here',
      'phantom:solana here',
    ])
    expect(shown({ list: ['phantom'], chains: ['solana'], found: phantoms })).toEqual(['phantom:solana here'])
    expect(shown({ list: ['detected_wallets'], chains: ['ethereum'], found: phantoms })).toEqual([
      'phantom here',
    ])
  })
  it('recognises a wallet by its reverse-domain name and by the names of its extensions', () => {
    expect(shown({ list: ['uniswap'], found: [found('uniswap_extension')] })).toEqual([
      'uniswap_extension here',
    ])
    expect(shown({ list: ['okx_wallet'], found: [found('okx', 'ethereum', 'com.okex.wallet')] })).toEqual([
      'okx here',
    ])
  })
  it('lets Coinbase’s own SDK find its extension, unless the app does not name it', () => {
    expect(shown({ list: ['detected_wallets', 'coinbase_wallet'], found: [coinbase] })).toEqual([
      'coinbase_wallet coinbase',
    ])
    expect(shown({ list: ['detected_wallets'], found: [coinbase] })).toEqual(['coinbase_wallet here'])
  })
  it('calls Coinbase’s wallet by the accounts that it may open', () => {
    expect(shown({ list: ['coinbase_wallet'], coinbase: 'smartWalletOnly' })).toEqual([
      'coinbase_smart_wallet coinbase',
    ])
    expect(shown({ list: ['coinbase_wallet'], coinbase: 'eoaOnly' })).toEqual(['coinbase_wallet coinbase'])
  })
  it('sends a phone into the browsers of wallets that have one', () => {
    const list = ['phantom', 'okx_wallet', 'metamask', 'rabby_wallet']
    expect(shown({ list, mobile: true, chains: both })).toEqual([
      ...['phantom browse', 'phantom:solana browse', 'okx_wallet wallet-connect', 'okx_wallet:solana browse'],
      ...['metamask wallet-connect', 'rabby_wallet wallet-connect'],
    ])
    expect(shown({ list: ['phantom'], mobile: true, found: phantoms })).toEqual(['phantom here'])
  })
  it('asks once to install a wallet of both chains', () => {
    expect(shown({ list: ['phantom'], chains: both })).toEqual(['phantom install'])
    const [offer] = arrange({ list: ['phantom'], store: 'chrome' })
    expect(offer?.installUrl).toMatch(/^https:\/\/chromewebstore\.google\.com\/detail\/\w+$/)
  })
  it('begins with what somebody last used', () => {
    const recent = { clientType: 'phantom', chainType: 'solana' } as const
    const list = ['metamask', 'phantom']
    expect(shown({ list, chains: both, found: phantoms, recent })).toEqual([
      ...['phantom:solana here', 'metamask wallet-connect', 'phantom here'],
    ])
  })
  it('shows two wallets of one name, each with an id of its own', () => {
    const twins = [found('metamask', 'ethereum', 'a.example'), found('metamask', 'ethereum', 'b.example')]
    expect(shown({ list: ['metamask'], found: twins })).toEqual(['metamask here', 'metamask:b.example here'])
  })
  it('shows duplicate entries only once', () => {
    expect(
      shown({ list: ['rainbow', 'rainbow', 'detected_wallets', 'detected_wallets'], found: [metamask] }),
    ).toEqual(['rainbow wallet-connect', 'metamask here'])
  })
  it('passes over names that nobody knows, and says so once', () => {
    const said: string[] = []
    const list = ['metamsk', '__proto__', 'rainbow']
    const look = () => shown({ list, warn: (text) => said.push(text) })
    expect([look(), look()]).toEqual([['rainbow wallet-connect'], ['rainbow wallet-connect']])
    expect(said).toEqual([
      '[latchkey] Unsupported wallet metamsk, in walletList or among the login methods',
      '[latchkey] Unsupported wallet __proto__, in walletList or among the login methods',
    ])
  })
})

describe('all wallets', () => {
  it('are the app’s first, then all of the registry, each once', () => {
    const ids = arrange({ all: true, found: [metamask] }).map(({ id }) => id)
    expect(ids.slice(0, 4)).toEqual(['metamask', 'coinbase_wallet', 'rainbow', 'wallet_connect'])
    expect(new Set(ids).size).toBe(ids.length)
    expect(registryWallets.filter(({ id }) => !ids.includes(id))).toEqual([])
  })
  it('hold what was found even where the list does not ask for it', () => {
    expect(shown({ list: ['rainbow'], all: true, found: [found('new_wallet')] })).toContain('new_wallet here')
  })
  it('hold nothing that could only be installed on a phone', () => {
    const reaches = arrange({ all: true, walletConnect: false })
    expect(reaches.map(({ id }) => id)).not.toContain('trust')
    expect(reaches.map(({ id }) => id)).toContain('zerion')
    for (const { installUrl } of reaches) expect(installUrl).toMatch(/^https:\/\//)
  })
})

it('every name that an app may give leads somewhere, in every situation', () => {
  for (const list of listEntries.map((name) => [name]))
    for (const chains of [['ethereum'], ['solana'], both] as const)
      for (const mobile of [true, false])
        for (const walletConnect of [true, false])
          for (const offer of arrange({
            list,
            chains,
            mobile,
            walletConnect,
            found: [metamask, ...phantoms],
          })) {
            expect(chains).toContain(offer.chainType)
            expect(offer.reach === 'here').toBe(offer.found !== undefined)
            if (offer.reach === 'install') expect(offer.installUrl).toMatch(/^https:\/\//)
            if (offer.reach === 'wallet-connect') expect(walletConnect).toBe(true)
          }
})
