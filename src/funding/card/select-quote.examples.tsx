import type { Examples } from '../../dialog/screen.ts'
import type { QuoteRow, SelectQuoteProps, selectQuote } from './select-quote.tsx'

const moonpay: QuoteRow = {
  key: 'moonpay card',
  provider: 'MoonPay',
  method: 'card',
  opens: 'url',
  isSandbox: false,
  receives: '0.02 ETH',
  total: '$61.50',
  fee: '$1.50',
  seconds: 300,
  isBest: false,
  countries: [],
  missing: [],
}
const transfer: QuoteRow = {
  ...moonpay,
  key: 'moonpay bank-transfer',
  method: 'bank-transfer',
  total: '$60.90',
  fee: '$0.90',
  seconds: 172_800,
  isBest: true,
}
const applePay: QuoteRow = {
  ...moonpay,
  key: 'coinbase-onramp apple-pay',
  provider: 'Coinbase',
  method: 'apple-pay',
  opens: 'frame',
  total: '$61.80',
  fee: '$1.80',
  countries: ['United States'],
  termsUrl: 'https://www.coinbase.com/legal/guest-checkout/us',
}
const full: SelectQuoteProps = {
  kind: 'card',
  amount: '0.02 ETH',
  chain: 'eip155:8453',
  network: 'Base',
  state: 'ready',
  quotes: [moonpay, transfer, applePay],
  unavailable: [],
}

export const examples = {
  'side by side': { props: full },
  loading: { props: { ...full, state: 'loading', quotes: [] } },
  'terms of the provider': { props: { ...full, first: applePay.key } },
  'a contact is missing': {
    props: {
      ...full,
      quotes: [moonpay, { ...applePay, missing: ['phone'] }],
      first: applePay.key,
    },
  },
  'in the sandbox': {
    props: { ...full, quotes: full.quotes.map((each) => ({ ...each, isSandbox: true })) },
  },
  'one provider has none': {
    props: {
      ...full,
      quotes: [moonpay],
      unavailable: [{ provider: 'Coinbase', reason: "Isn't available where you are" }],
    },
  },
  'nobody sells it': {
    props: {
      ...full,
      amount: '0.0001 ETH',
      quotes: [],
      unavailable: [
        { provider: 'MoonPay', reason: 'Sells 0.007 ETH or more' },
        { provider: 'Coinbase', reason: 'Unsupported chainId 43114 for Coinbase Onramp' },
      ],
    },
  },
  'an exchange': {
    props: {
      ...full,
      kind: 'exchange',
      quotes: [
        {
          ...moonpay,
          key: 'coinbase-onramp exchange',
          provider: 'Coinbase',
          method: 'exchange',
          opens: 'popup',
          total: undefined,
          fee: undefined,
        },
      ],
    },
  },
  'the price has changed': {
    props: { ...full, notice: 'The price has changed. Please check it again.' },
  },
  'they are old': { props: { ...full, state: 'old' } },
  'the server is not there': {
    props: {
      ...full,
      state: 'failed',
      quotes: [],
      error: "The prices can't be loaded at the moment. Please try again.",
    },
  },
  'the start has failed': {
    props: {
      ...full,
      error:
        'Something went wrong adding funds from Moonpay. Please try again or use another method to fund your wallet.',
    },
  },
  continuing: { props: full, busy: { start: moonpay.key } },
  'long words': {
    props: {
      ...full,
      amount: '16,069,380,442,589,902,755.993782792835301375 WWWWWWWWWWW',
      chain: 'eip155:31337',
      network: 'A network of the app with a very long name',
      quotes: [
        {
          ...moonpay,
          provider: 'A provider that has a very long name',
          method: 'something-new',
          receives: '16,069,380,442,589,902,755.993782792835301375 WWWWWWWWWWW',
          total: 'CHF 123,456,789,012.34',
          fee: 'CHF 123,456,789.01',
          isBest: true,
          isSandbox: true,
        },
      ],
    },
  },
} satisfies Examples<typeof selectQuote>
