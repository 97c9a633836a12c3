import type { Examples } from '../dialog/screen.ts'
import type { WatchTokenProps, watchToken } from './watch-token.tsx'

const props: WatchTokenProps = {
  token: {
    address: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    symbol: 'DAI',
    name: 'Dai Stablecoin',
    decimals: 18,
  },
  network: { chain: 'eip155:1', name: 'Ethereum' },
  balance: 12_500_000_000_000_000_000n,
  isNamesake: false,
  origin: 'https://harbor.example',
}

export const examples = {
  'a token that the wallet holds': { props },
  'a token without a name or a balance': {
    props: { ...props, token: { ...props.token, name: undefined }, balance: undefined },
  },
  'the symbol of another token': {
    props: {
      ...props,
      token: {
        address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
        symbol: 'USDC',
        name: 'USD Coin',
        decimals: 6,
      },
      balance: 1_000_000_000_000n,
      isNamesake: true,
    },
  },
  'long words': {
    props: {
      ...props,
      token: {
        ...props.token,
        symbol: 'WWWWWWWWWWW',
        name: 'A token whose issuer likes to say a lot at once',
      },
      network: { chain: 'eip155:424242', name: 'A network of the app with a very long name' },
      balance: 2n ** 256n - 1n,
      origin: 'https://a-page-with-a-very-long-name.of-a-harbor-far-away.example',
    },
  },
  adding: { props, busy: 'add' },
} satisfies Examples<typeof watchToken>
