import type { Examples } from '../../dialog/screen.ts'
import type { FundingTarget } from '../target.ts'
import { paymentLink } from './payment-link.ts'
import type { ReceiveFundsProps, receiveFunds } from './receive-funds.tsx'

const base: FundingTarget = {
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain: 'eip155:8453',
  network: 'Base',
  chainType: 'ethereum',
  asset: 'native-currency',
  symbol: 'ETH',
  decimals: 18,
  amount: 20_000_000_000_000_000n,
}
const solana: FundingTarget = {
  address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  chain: 'solana:mainnet',
  network: 'Solana',
  chainType: 'solana',
  asset: 'USDC',
  token: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  symbol: 'USDC',
  decimals: 6,
}
const of = (target: FundingTarget, more: Partial<ReceiveFundsProps> = {}): ReceiveFundsProps => ({
  target,
  link: paymentLink(target),
  balance: 100_000n,
  ...more,
})

export const examples = {
  waiting: { props: of(base) },
  'before the balance is read': { props: of(base, { balance: undefined }) },
  'without an amount, on Solana': { props: of(solana) },
  arrived: { props: of(base, { balance: 120_000_000_000_000_000n, received: 20_000_000_000_000_000n }) },
  'a part has arrived': {
    props: of(base, { balance: 5_000_000_000_100_000n, received: 5_000_000_000_000_000n }),
  },
  continuing: {
    props: of(base, { balance: 120_000_000_000_000_000n, received: 20_000_000_000_000_000n }),
    busy: 'continue',
  },
  'going back': { props: of(base), busy: 'back' },
  'a network that does not answer': { props: of(base, { isUnreachable: true }) },
  'long figures': {
    props: of(
      {
        ...base,
        network: 'A network of the app with a very long name',
        symbol: 'WWWWWWWWWWW',
        amount: 2n ** 200n,
      },
      { balance: 2n ** 220n },
    ),
  },
} satisfies Examples<typeof receiveFunds>
