import type { Examples } from '../../dialog/screen.ts'
import type { SendAmountProps, sendAmount } from './send-amount.tsx'

/** The moment of all examples. */
const now = Date.UTC(2026, 5, 1)
const empty: SendAmountProps = {
  asset: {
    symbol: 'ETH',
    decimals: 18,
    chain: 'eip155:1',
    network: 'Ethereum',
    balance: 1_250_000_000_000_000_000n,
    price: { units: 3_125_40n, scale: 2, at: now },
  },
  from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  filled: { text: '', isMaximum: false },
  locale: 'en-GB',
  now,
}
const typed = (text: string, isMaximum = false) => ({ text, isMaximum })

export const examples = {
  empty: { props: empty },
  'with what it is worth': { props: { ...empty, filled: typed('0.25') } },
  'without a price': {
    props: { ...empty, asset: { ...empty.asset, price: undefined }, filled: typed('0.25') },
  },
  'asking for the maximum': { props: { ...empty, filled: typed('0.25') }, busy: { maximum: '0.25' } },
  maximum: { props: { ...empty, filled: typed('1.249580000000000000'.replace(/0+$/, ''), true) } },
  'the maximum has changed': {
    props: {
      ...empty,
      filled: typed('1.24937', true),
      notice: 'The network fee has changed, and so has the maximum. Please check the amount again.',
    },
  },
  continuing: { props: { ...empty, filled: typed('0.25') }, busy: { amount: '0.25', isMaximum: false } },
  'going back': { props: { ...empty, filled: typed('0.25') }, busy: { back: '0.25', isMaximum: false } },
  'more than there is, which can be added': {
    props: { ...empty, filled: typed('3'), error: 'Insufficient balance', isFundable: true },
  },
  'on the way to funding': {
    props: { ...empty, filled: typed('3'), error: 'Insufficient balance', isFundable: true },
    busy: { fund: '3' },
  },
  'two separators': {
    props: {
      ...empty,
      filled: typed('1,304.53'),
      error: "Use '.' before the decimals, and no other separator.",
    },
  },
  'more than there is': { props: { ...empty, filled: typed('2'), error: 'Insufficient balance' } },
  'a balance that is unknown': {
    props: { ...empty, asset: { ...empty.asset, balance: undefined, price: undefined } },
  },
  'to a name': { props: { ...empty, toName: 'friend.eth' } },
  'from an external wallet': { props: { ...empty, fromName: 'MetaMask' } },
  'solana, a new token account': {
    props: {
      ...empty,
      asset: {
        symbol: 'USDC',
        decimals: 6,
        chain: 'solana:mainnet',
        network: 'Solana',
        balance: 250_000_000n,
      },
      from: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
      to: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
      rent: '0.00203928 SOL',
    },
  },
  'long names': {
    props: {
      ...empty,
      asset: {
        symbol: 'WWWWWWWWWWW',
        decimals: 18,
        chain: 'eip155:31337',
        network: 'A network of the app with a very long name',
        balance: 2n ** 200n,
      },
      fromName: 'A wallet that has a very long name as well',
      toName: 'a-name-that-is-longer-than-anybody-would-want-to-type.with-many.labels.example.eth',
      filled: typed('1606938044258990275541962092341162602522202.993782792835301375'),
    },
  },
} satisfies Examples<typeof sendAmount>
