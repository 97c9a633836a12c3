import type { Examples } from '../../dialog/screen.ts'
import type { PayInFrameProps, payInFrame } from './pay-in-frame.tsx'

/** An empty page of the gallery's own in place of the provider's. */
const url = `${globalThis.location?.origin ?? 'http://localhost'}/no-provider`
const loading: PayInFrameProps = {
  provider: 'Coinbase',
  url,
  state: 'loading',
  amount: '0.02 ETH',
  total: '$61.80',
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
