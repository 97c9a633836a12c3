import type { Examples } from '../../dialog/screen.ts'
import type { ActivityRow, activityList } from './activity-list.tsx'

const pending: ActivityRow = {
  key: 'p1',
  kind: 'transfer',
  status: 'pending',
  amount: '0.25 ETH',
  network: 'Base',
  when: '2 min. ago',
}
const done: readonly ActivityRow[] = [
  {
    key: 'd1',
    kind: 'transfer',
    status: 'confirmed',
    amount: '1,250 USDC',
    network: 'Ethereum',
    when: '1 hr. ago',
  },
  { key: 'd2', kind: 'approve', status: 'confirmed', network: 'Base', when: '3 hr. ago' },
  {
    key: 'd3',
    kind: 'call',
    status: 'failed',
    amount: '0.1 ETH',
    network: 'Arbitrum One',
    when: 'yesterday',
  },
  {
    key: 'd4',
    kind: 'transfer',
    status: 'replaced',
    amount: '2 ETH',
    network: 'Ethereum',
    when: '2 days ago',
  },
  { key: 'd5', kind: 'cancel', status: 'confirmed', network: 'Ethereum', when: '2 days ago' },
  {
    key: 'd6',
    kind: 'transfer',
    status: 'expired',
    amount: '1.5 SOL',
    network: 'Solana',
    when: 'Nov 2, 2026',
  },
]
const long: ActivityRow = {
  ...pending,
  amount: '115,792,089,237,316,195,423,570.985008687907853269984665640564039457 ETH',
  network: 'A network of the app with a very long name',
}

export const examples = {
  full: { props: { pending: [pending], done, canGoBack: false } },
  empty: { props: { pending: [], done: [], canGoBack: false } },
  'from the settings': { props: { pending: [], done: done.slice(0, 2), canGoBack: true } },
  'every kind and state': {
    props: {
      pending: [pending, { ...pending, key: 'p2', status: 'unknown' }],
      done: [
        { key: 'r', kind: 'revoke', status: 'confirmed', network: 'Base', when: '3 hr. ago' },
        { key: 'c', kind: 'deploy', status: 'dropped', network: 'Base', when: '3 hr. ago' },
        ...done,
      ],
      canGoBack: true,
    },
  },
  batches: {
    props: {
      pending: [{ ...pending, key: 'b1', kind: 'batch', count: 3, amount: undefined }],
      done: [
        { key: 'b2', kind: 'batch', count: 2, status: 'confirmed', network: 'Base', when: '3 hr. ago' },
        { key: 'b3', kind: 'batch', count: 4, status: 'partly', network: 'Base', when: '4 hr. ago' },
        ...done,
      ],
      canGoBack: true,
    },
  },
  'with transfers by the bridge': {
    props: {
      pending: [],
      done: done.slice(0, 1),
      transfers: [
        {
          id: 't1',
          amount: '0.02 ETH',
          from: 'Ethereum',
          to: 'Base',
          when: '2 min. ago',
          state: 'On its way',
          tone: 'accent',
        },
        {
          id: 't2',
          amount: '25 USDC',
          from: 'Solana',
          to: 'Ethereum',
          when: 'yesterday',
          state: 'Completed',
          tone: 'success',
        },
      ],
      canGoBack: false,
    },
  },
  'with purchases': {
    props: {
      pending: [],
      done: done.slice(0, 1),
      purchases: [
        {
          id: 'lk1',
          amount: '0.02 ETH',
          provider: 'MoonPay',
          network: 'Base',
          when: '2 min. ago',
          state: 'Processing',
          tone: 'accent',
        },
        {
          id: 'lk2',
          amount: '25 USDC',
          provider: 'Coinbase',
          network: 'Ethereum',
          when: 'yesterday',
          state: 'Completed',
          tone: 'success',
        },
        {
          id: 'lk3',
          amount: '0.05 ETH',
          provider: 'MoonPay',
          network: 'Base',
          when: '3 days ago',
          state: 'Failed',
          tone: 'plain',
        },
      ],
      hasMorePurchases: true,
      canGoBack: false,
    },
  },
  'long figures': {
    props: { pending: [long], done: [{ ...long, key: 'l2', status: 'confirmed' }], canGoBack: false },
  },
  chosen: { props: { pending: [pending], done, canGoBack: false }, busy: { entry: 'd2' } },
} satisfies Examples<typeof activityList>
