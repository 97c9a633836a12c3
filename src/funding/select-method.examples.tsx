import type { Examples } from '../dialog/screen.ts'
import type { SelectMethodProps, selectMethod } from './select-method.tsx'

const all: SelectMethodProps = {
  target: {
    address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    network: 'Base',
    symbol: 'ETH',
    decimals: 18,
  },
  methods: ['wallet', 'manual'],
  balance: 100_000_000_000_000_000n,
}

const bridged = {
  id: '0x1f',
  amount: '25 USDC',
  provider: 'From Ethereum',
  when: '2 min. ago',
  state: 'On its way',
  tone: 'accent',
} as const

export const examples = {
  rest: { props: all },
  'before the balance is read': { props: { ...all, balance: undefined } },
  'from a transaction': { props: { ...all, exit: 'back' } },
  'after a wallet was created': { props: { ...all, balance: 0n, exit: 'skip' } },
  'not now': { props: { ...all, balance: 0n, exit: 'skip' }, busy: 'skip' },
  'after a method that failed': {
    props: {
      ...all,
      error: 'Something went wrong adding funds. Please try again or use another method.',
    },
  },
  'receiving alone': { props: { ...all, methods: ['manual'] } },
  'transfer chosen': { props: all, busy: 'wallet' },
  'receiving chosen': { props: all, busy: 'manual' },
  'every method': {
    props: {
      ...all,
      methods: ['card', 'exchange', 'wallet', 'manual'],
      provider: 'MoonPay',
      hasOtherProvider: true,
      exchange: 'Coinbase',
    },
  },
  'card chosen': {
    props: { ...all, methods: ['card', 'exchange', 'manual'], provider: 'MoonPay', exchange: 'Coinbase' },
    busy: 'card',
  },
  'purchases that are not over': {
    props: {
      ...all,
      methods: ['card', 'exchange', 'manual'],
      provider: 'MoonPay',
      hasOtherProvider: true,
      exchange: 'Coinbase',
      purchases: [
        {
          id: 'lk1',
          amount: '0.02 ETH',
          provider: 'MoonPay',
          when: '2 min. ago',
          state: 'Not paid yet',
          tone: 'plain',
        },
        {
          id: 'lk2',
          amount: '0.05 ETH',
          provider: 'Coinbase',
          when: '1 hr. ago',
          state: 'Processing',
          tone: 'accent',
        },
      ],
    },
  },
  'a bridge that goes on': {
    props: {
      ...all,
      purchases: [bridged],
    },
  },
  'a bridge and a purchase that go on': {
    props: {
      ...all,
      methods: ['card', 'exchange', 'wallet', 'manual'],
      provider: 'MoonPay',
      hasOtherProvider: true,
      exchange: 'Coinbase',
      purchases: [
        {
          id: 'lk1',
          amount: '0.02 ETH',
          provider: 'MoonPay',
          when: '2 min. ago',
          state: 'Processing',
          tone: 'accent',
        },
        {
          id: '0x1f',
          amount: '0.0201 ETH',
          provider: 'From A network of the app with a very long name',
          when: '1 hr. ago',
          state: 'On its way',
          tone: 'accent',
        },
      ],
    },
  },
  'a bridge chosen': {
    props: {
      ...all,
      purchases: [bridged],
    },
    busy: { purchase: '0x1f' },
  },
  'long figures': {
    props: {
      ...all,
      target: { ...all.target, network: 'A network of the app with a very long name', symbol: 'WWWWWWWWWWW' },
      balance: 2n ** 200n,
    },
  },
} satisfies Examples<typeof selectMethod>
