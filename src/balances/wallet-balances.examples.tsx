import type { Examples } from '../dialog/screen.ts'
import type { Balance } from './balances.ts'
import type { WalletBalancesProps, walletBalances } from './wallet-balances.tsx'

/** The moment of all examples. */
const now = Date.UTC(2026, 5, 1)
const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const ether: Balance = {
  chain: 'eip155:1',
  network: 'Ethereum',
  wallet: address,
  kind: 'coin',
  symbol: 'ETH',
  decimals: 18,
  amount: 1_250_000_000_000_000_000n,
  status: 'loaded',
}
const token: Balance = {
  ...ether,
  kind: 'token',
  token: usdc,
  symbol: 'USDC',
  decimals: 6,
  amount: 1_304_530_000n,
}
const sol: Balance = {
  chain: 'solana:mainnet',
  network: 'Solana',
  wallet: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  kind: 'coin',
  symbol: 'SOL',
  decimals: 9,
  amount: 12_000_005_000n,
  status: 'loaded',
}
const of = (...balances: readonly Balance[]): WalletBalancesProps => ({
  wallets: [{ chainType: 'ethereum', address, balances }],
  isRefreshing: false,
  now,
})

export const examples = {
  full: {
    props: {
      wallets: [
        {
          chainType: 'ethereum',
          address,
          balances: [ether, token, { ...ether, chain: 'eip155:8453', network: 'Base', amount: 0n }],
        },
        { chainType: 'solana', address: sol.wallet, balances: [sol] },
      ],
      isRefreshing: false,
      now,
    },
  },
  'with what they are worth': {
    props: {
      wallets: [
        {
          chainType: 'ethereum',
          address,
          balances: [
            { ...ether, price: { units: 3_125_40n, scale: 2, at: now } },
            { ...token, price: { units: 1n, scale: 0, at: now } },
          ],
        },
        {
          chainType: 'solana',
          address: sol.wallet,
          balances: [
            { ...sol, price: { units: 14_512n, scale: 2, at: now } },
            {
              ...sol,
              kind: 'token',
              token: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
              symbol: 'USDC',
              decimals: 6,
              amount: 250_000_000n,
              price: { units: 9_998n, scale: 4, at: now },
            },
          ],
        },
      ],
      isRefreshing: false,
      now,
    },
  },
  'a price that is too old': {
    props: of({ ...ether, price: { units: 3_125n, scale: 0, at: now - 3_600_000 } }),
  },
  'without a wallet': { props: { wallets: [], isRefreshing: false, now } },
  loading: {
    props: {
      ...of(
        { ...ether, amount: undefined, status: 'loading' },
        { ...token, symbol: undefined, decimals: undefined, amount: undefined, status: 'loading' },
      ),
      isRefreshing: true,
    },
  },
  'a network that does not answer': {
    props: of(
      { ...ether, status: 'unreachable' },
      { ...ether, chain: 'eip155:8453', network: 'Base', amount: undefined, status: 'unreachable' },
    ),
  },
  'very little': { props: of({ ...ether, amount: 12n }) },
  'long figures': {
    props: of(
      { ...ether, amount: 2n ** 256n - 1n },
      {
        ...token,
        symbol: 'WWWWWWWWWWW',
        network: 'A network of the app with a very long name',
        amount: 10n ** 40n,
      },
    ),
  },
} satisfies Examples<typeof walletBalances>
