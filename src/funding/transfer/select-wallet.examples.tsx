import type { Examples } from '../../dialog/screen.ts'
import type { ConnectedWalletRow, SelectWalletProps, selectWallet } from './select-wallet.tsx'

const target: SelectWalletProps['target'] = {
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  network: 'Base',
  symbol: 'ETH',
  decimals: 18,
}
const metamask: ConnectedWalletRow = {
  key: '0',
  id: 'metamask',
  name: 'MetaMask',
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  holding: { amount: 1_250_000_000_000_000_000n, symbol: 'ETH', decimals: 18, network: 'Ethereum' },
}
const phantom: ConnectedWalletRow = {
  key: '1',
  id: 'phantom',
  name: 'Phantom',
  address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  holding: { amount: 12_500_000n, symbol: 'USDC', decimals: 6, network: 'Solana' },
}
const other = (id: string, name: string, here = true, solana = false) => ({
  key: id,
  id,
  name,
  here,
  solana,
  recent: false,
})
const others = [
  other('rainbow', 'Rainbow'),
  other('coinbase_wallet', 'Coinbase Wallet'),
  other('solflare', 'Solflare', true, true),
  other('rabby_wallet', 'Rabby Wallet', false),
]
const none: SelectWalletProps = { target, connected: [], others, page: 'main' }
const two: SelectWalletProps = { ...none, connected: [{ ...metamask, isHighest: true }, phantom] }

export const examples = {
  'none connected': { props: none },
  'two connected, and more': { props: two },
  'two connected, and no more': { props: { ...two, others: others.slice(0, 2) } },
  'while balances are read': {
    props: {
      ...two,
      connected: [
        { ...metamask, holding: 'loading' },
        { ...phantom, holding: 'loading' },
      ],
    },
  },
  'balances that are empty or unknown': {
    props: {
      ...two,
      connected: [
        { ...metamask, holding: { amount: 0n, symbol: 'ETH', decimals: 18, network: 'Base' } },
        { ...phantom, holding: 'unread' },
      ],
    },
  },
  'after a wallet declined': { props: { ...two, error: 'You declined it in MetaMask.' } },
  'all of them': { props: { ...two, page: 'more' } },
  'one chosen': { props: two, busy: { connected: '0' } },
  'another one chosen': { props: two, busy: { wallet: 'rainbow' } },
  'more chosen': { props: two, busy: 'more' },
  'no wallet at all': { props: { ...none, others: [] } },
  'long names and figures': {
    props: {
      ...two,
      connected: [
        {
          ...metamask,
          name: 'A wallet with a name as long as wallets may have',
          holding: {
            amount: 2n ** 220n,
            symbol: 'WWWWWWWWWWW',
            decimals: 18,
            network: 'A network of the app with a very long name',
          },
          isHighest: true,
        },
      ],
    },
  },
} satisfies Examples<typeof selectWallet>
