import type { Examples } from '../../dialog/screen.ts'
import type { PurchaseDetailProps, purchaseDetail } from './purchase-detail.tsx'

const hash = '0x4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a'
const started: PurchaseDetailProps = {
  status: 'started',
  provider: 'MoonPay',
  method: 'card',
  isSandbox: false,
  amount: '0.02 ETH',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain: 'eip155:8453',
  network: 'Base',
  when: 'Nov 20, 2026, 4:05 PM',
  actions: ['continue', 'abandon'],
  inWindow: true,
}
const paid: PurchaseDetailProps = { ...started, total: '$61.50', fee: '$1.50', actions: [] }

export const examples = {
  'not paid yet': { props: started },
  'in the sandbox': { props: { ...started, isSandbox: true } },
  'waiting for a transfer': { props: { ...paid, status: 'waiting-payment', method: 'bank-transfer' } },
  'waiting for the bank': { props: { ...paid, status: 'waiting-authorization' } },
  processing: { props: { ...paid, status: 'pending' } },
  completed: {
    props: { ...paid, status: 'completed', hash, explorerUrl: `https://basescan.org/tx/${hash}` },
  },
  failed: {
    props: { ...paid, status: 'failed', failure: 'The card was declined.', actions: ['continue'] },
  },
  discarded: { props: { ...started, status: 'abandoned', actions: ['continue'] } },
  continuing: { props: started, busy: 'continue' },
  discarding: { props: started, busy: 'abandon' },
  'continuing has failed': {
    props: {
      ...started,
      error:
        'Something went wrong adding funds from Moonpay. Please try again or use another method to fund your wallet.',
    },
  },
  'long words': {
    props: {
      ...paid,
      provider: 'A provider that has a very long name',
      method: 'something-new',
      amount: '16,069,380,442,589,902,755.993782792835301375 WWWWWWWWWWW',
      total: 'CHF 123,456,789,012.34',
      chain: 'eip155:31337',
      network: 'A network of the app with a very long name',
    },
  },
} satisfies Examples<typeof purchaseDetail>
