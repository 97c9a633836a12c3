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

export const examples = {
  rest: { props: all },
  'before the balance is read': { props: { ...all, balance: undefined } },
  'after a method that failed': {
    props: {
      ...all,
      error: 'Something went wrong adding funds. Please try again or use another method.',
    },
  },
  'receiving alone': { props: { ...all, methods: ['manual'] } },
  'transfer chosen': { props: all, busy: 'wallet' },
  'receiving chosen': { props: all, busy: 'manual' },
  'long figures': {
    props: {
      ...all,
      target: { ...all.target, network: 'A network of the app with a very long name', symbol: 'WWWWWWWWWWW' },
      balance: 2n ** 200n,
    },
  },
} satisfies Examples<typeof selectMethod>
