import type { Examples } from '../../dialog/screen.ts'
import type { SendAssetProps, sendAsset } from './send-asset.tsx'

/** The moment of all examples. */
const now = Date.UTC(2026, 5, 1)
const embedded: SendAssetProps['wallets'][number] = {
  chainType: 'ethereum',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  assets: [
    {
      key: 'ether',
      chain: 'eip155:1',
      symbol: 'ETH',
      decimals: 18,
      network: 'Ethereum',
      balance: 1_250_000_000_000_000_000n,
      price: { units: 3_125_40n, scale: 2, at: now },
    },
    {
      key: 'usdc',
      chain: 'eip155:1',
      token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      symbol: 'USDC',
      decimals: 6,
      network: 'Ethereum',
      balance: 1_304_530_000n,
      price: { units: 1n, scale: 0, at: now },
    },
    { key: 'base', chain: 'eip155:8453', symbol: 'ETH', decimals: 18, network: 'Base', balance: 0n },
  ],
}
const external: SendAssetProps['wallets'][number] = {
  chainType: 'solana',
  address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  name: 'Phantom',
  assets: [
    {
      key: 'sol',
      chain: 'solana:mainnet',
      symbol: 'SOL',
      decimals: 9,
      network: 'Solana',
      balance: 12_000_005_000n,
    },
  ],
}

export const examples = {
  full: { props: { wallets: [embedded, external], now } },
  chosen: { props: { wallets: [embedded, external], now }, busy: { asset: 'usdc' } },
  'balances that are unknown': {
    props: {
      wallets: [{ ...embedded, assets: embedded.assets.map((each) => ({ ...each, balance: undefined })) }],
      now,
    },
  },
  'a price that is too old': { props: { wallets: [embedded], now: now + 3_600_000 } },
  'long names': {
    props: {
      wallets: [
        {
          ...external,
          name: 'A wallet that has a very long name indeed',
          assets: [
            {
              key: 'long',
              chain: 'eip155:7',
              token: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
              symbol: 'WWWWWWWWWWW',
              decimals: 18,
              network: 'A network of the app with a very long name',
              balance: 10n ** 40n,
            },
          ],
        },
      ],
      now,
    },
  },
} satisfies Examples<typeof sendAsset>
