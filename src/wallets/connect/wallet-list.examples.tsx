import type { Examples } from '../../dialog/screen.ts'
import type { WalletListProps, walletList } from './wallet-list.tsx'
import type { ListedWallet } from './wallet-search.tsx'

const listed = (id: string, name: string, more: Partial<ListedWallet> = {}): ListedWallet => ({
  key: more.solana ? `${id}:solana` : id,
  id,
  name,
  recent: false,
  solana: false,
  here: true,
  ...more,
})

const metamask = listed('metamask', 'MetaMask')

const solana = listed('phantom', 'Phantom', { solana: true })

const coinbase = listed('coinbase_wallet', 'Coinbase Wallet')

const rainbow = listed('rainbow', 'Rainbow')

const walletConnect = listed('wallet_connect', 'WalletConnect')

const others = /* @__PURE__ */ [
  ['zerion', 'Zerion'],
  ['rabby_wallet', 'Rabby Wallet'],
  ['okx_wallet', 'OKX Wallet'],
  ['safe', 'Safe'],
  ['trust', 'Trust'],
  ['uniswap', 'Uniswap Wallet'],
  ['bybit_wallet', 'Bybit Wallet'],
  ['cryptocom', 'Crypto.com Onchain'],
  ['ronin_wallet', 'Ronin Wallet'],
  ['ledger', 'Ledger'],
  ['argent', 'Argent'],
].map(([id = '', name = '']) => listed(id, name))

const backpack = listed('backpack', 'Backpack', { here: false, solana: true })

const solflare = listed('solflare', 'Solflare', { here: false })

const announced = listed('harbor_wallet', 'Harbor Wallet', {
  icon: 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect width=%2232%22 height=%2232%22 fill=%22%230e9f8a%22/%3E%3Cpath d=%22M8 20a8 8 0 0 1 16 0zM8 22h16l-2 3H10z%22 fill=%22white%22/%3E%3C/svg%3E',
})

const four: WalletListProps = {
  purpose: 'log-in',
  wallets: [metamask, solana, coinbase, walletConnect],
  page: 'main',
  legal: { termsUrl: 'https://harbor.example/terms', privacyUrl: 'https://harbor.example/privacy' },
}

const many: WalletListProps = {
  ...four,
  wallets: [{ ...metamask, recent: true }, solana, coinbase, rainbow, walletConnect, ...others],
}

const link: WalletListProps = { ...four, purpose: 'link', legal: undefined }

const connect: WalletListProps = {
  ...link,
  purpose: 'connect',
  wallets: [coinbase, rainbow, walletConnect],
  connected: [
    { ...metamask, address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
    { ...solana, address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwnGb' },
  ],
}

export const examples = {
  'exactly four': { props: four },
  many: { props: many },
  'recent on Solana': {
    props: { ...many, wallets: [{ ...solana, recent: true }, metamask, announced, rainbow, ...others] },
  },
  'not installed': { props: { ...link, wallets: [metamask, backpack, solflare, walletConnect] } },
  'to link': { props: link },
  'to connect another': { props: connect },
  none: { props: { ...four, wallets: [] } },
  refused: {
    props: { ...many, error: 'The request was rejected. Please try again.' },
  },
  'other wallets': { props: { ...many, page: 'more' } },
  'all wallets': { props: { ...many, page: 'all' } },
  'busy with a wallet': { props: many, busy: { wallet: 'metamask' } },
  'busy with the others': { props: many, busy: 'more' },
  'busy with what is missing': { props: many, busy: 'missing' },
  'busy among the others': { props: { ...many, page: 'more' }, busy: { wallet: 'rainbow' } },
  'going back': { props: many, busy: 'back' },
  'longest names': {
    props: {
      ...many,
      wallets: [
        listed('long', 'Genossenschaftliche Energie-Brieftasche', { recent: true }),
        listed('longer', 'Donaudampfschifffahrtsgesellschaftskasse', { solana: true }),
        ...others,
      ],
    },
  },
} satisfies Examples<typeof walletList>
