import type { Examples } from '../../dialog/screen.ts'
import type { EditAmountProps, editAmount } from './edit-amount.tsx'

/** The moment of all examples. */
const now = Date.UTC(2026, 5, 1)
const empty: EditAmountProps = {
  target: {
    address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    chain: 'eip155:8453',
    network: 'Base',
    symbol: 'ETH',
    decimals: 18,
  },
  filled: { text: '' },
  price: { units: 3_125_40n, scale: 2, at: now },
  now,
  locale: 'en-GB',
}

export const examples = {
  empty: { props: empty },
  'with what it is worth': { props: { ...empty, filled: { text: '0.02' } } },
  'without a price': { props: { ...empty, price: undefined, filled: { text: '0.02' } } },
  'a price that is too old': {
    props: { ...empty, price: { units: 3_125_40n, scale: 2, at: now - 3_600_000 }, filled: { text: '0.02' } },
  },
  zero: { props: { ...empty, filled: { text: '0.' } } },
  'too many decimals': {
    props: {
      ...empty,
      target: { ...empty.target, symbol: 'USDC', decimals: 6 },
      filled: { text: '0.0000001' },
    },
  },
  'too large': { props: { ...empty, filled: { text: '1'.padEnd(41, '0') } } },
  'an amount that no provider sells': {
    props: { ...empty, filled: { text: '0.0001' }, error: 'At least 0.007 ETH can be bought.' },
  },
  continuing: { props: { ...empty, filled: { text: '0.02' } }, busy: { amount: '0.02' } },
  'long figures': {
    props: {
      ...empty,
      target: {
        ...empty.target,
        chain: 'eip155:31337',
        network: 'A network of the app with a very long name',
        symbol: 'WWWWWWWWWWW',
      },
      filled: { text: '16069380442589902755.993782792835301375' },
    },
  },
} satisfies Examples<typeof editAmount>
