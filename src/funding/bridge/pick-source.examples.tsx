import type { Examples } from '../../dialog/screen.ts'
import type { PickSourceProps, pickSource } from './pick-source.tsx'

const wallet = { id: 'metamask', name: 'MetaMask' }
const ether: PickSourceProps['sources'][number] = {
  key: 'eth',
  chain: 'eip155:1',
  network: 'Ethereum',
  symbol: 'ETH',
  decimals: 18,
  balance: 1_250_000_000_000_000_000n,
  pays: 20_100_000_000_000_000n,
}
const usdc: PickSourceProps['sources'][number] = {
  key: 'usdc',
  chain: 'eip155:8453',
  token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  network: 'Base',
  symbol: 'USDC',
  decimals: 6,
  balance: 240_000_000n,
  pays: 50_250_000n,
}
const two: PickSourceProps = {
  wallet,
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  sources: [ether, usdc],
  target: { chain: 'eip155:8453', symbol: 'ETH' },
  receives: '0.02 ETH',
  network: 'Base',
}

export const examples = {
  two: { props: two },
  'one chosen': { props: two, busy: { source: 'usdc' } },
  'going back': { props: two, busy: 'back' },
  'long figures': {
    props: {
      ...two,
      sources: [
        {
          ...ether,
          network: 'A network of the app with a very long name',
          symbol: 'WWWWWWWWWWW',
          balance: 2n ** 200n,
          pays: 2n ** 190n,
        },
        usdc,
      ],
      network: 'Another network with a very long name',
    },
  },
} satisfies Examples<typeof pickSource>
