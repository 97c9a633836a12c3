import type { Examples } from '../../dialog/screen.ts'
import type { PayInFrameProps, payInFrame } from './pay-in-frame.tsx'

/** An empty page in place of the provider's. */
const url = 'about:blank'
const loading: PayInFrameProps = {
  provider: 'Coinbase',
  url,
  state: 'loading',
  amount: '0.02 ETH',
  total: '$61.80',
  chain: 'eip155:8453',
  network: 'Base',
}

export const examples = {
  loading: { props: loading },
  loaded: { props: { ...loading, state: 'loaded' } },
  declined: {
    props: { ...loading, state: 'loaded', problem: 'Your card was declined. Try another one.' },
  },
  'it does not load': { props: { ...loading, state: 'failed' } },
  'loading it again': { props: { ...loading, state: 'failed' }, busy: 'retry' },
} satisfies Examples<typeof payInFrame>
