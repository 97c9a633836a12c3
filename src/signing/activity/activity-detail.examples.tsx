import type { Examples } from '../../dialog/screen.ts'
import type { ActivityDetailProps, activityDetail } from './activity-detail.tsx'

const hash = '0x4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a'
const pending: ActivityDetailProps = {
  kind: 'transfer',
  status: 'pending',
  amount: '0.25 ETH',
  to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain: 'eip155:8453',
  network: 'Base',
  when: 'Nov 20, 2026, 4:05 PM',
  hash,
  explorerUrl: `https://basescan.org/tx/${hash}`,
  isSuperseded: false,
  actions: ['speed-up', 'cancel'],
}
const confirmed: ActivityDetailProps = {
  ...pending,
  status: 'confirmed',
  fee: '0.000009 ETH',
  actions: [],
}

export const examples = {
  pending: { props: pending },
  confirmed: { props: confirmed },
  failed: {
    props: {
      ...confirmed,
      kind: 'call',
      status: 'failed',
      reason: 'ERC20: transfer amount exceeds balance',
    },
  },
  replaced: {
    props: {
      ...confirmed,
      status: 'replaced',
      fee: undefined,
      replacedBy: '0xdbc1b4c900ffe48d575b5da5c638040125f65db0fe3e24494b76ea986457d986',
    },
  },
  'another one was sent in its place': { props: { ...pending, isSuperseded: true, actions: [] } },
  dropped: { props: { ...pending, status: 'dropped', actions: ['send-again'] } },
  'sending again has failed': {
    props: {
      ...pending,
      status: 'dropped',
      actions: ['send-again'],
      error: "You're not connected to the internet. Check your connection and try again.",
    },
  },
  unknown: { props: { ...pending, status: 'unknown' } },
  'a cancellation': { props: { ...pending, kind: 'cancel', amount: undefined } },
  'approval of spending': { props: { ...confirmed, kind: 'approve', amount: undefined } },
  'code for the wallet': {
    props: {
      ...confirmed,
      kind: 'add-code',
      amount: undefined,
      to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      actions: ['remove-code'],
    },
  },
  'code taken back': { props: { ...confirmed, kind: 'remove-code', amount: undefined } },
  'long figures': {
    props: {
      ...confirmed,
      amount: '115,792,089,237,316,195,423,570.985008687907853269984665640564039457 ETH',
      chain: 'eip155:31337',
      network: 'A network of the app with a very long name',
      fee: '0.001234567890123456 ETH',
    },
  },
  'without an explorer': { props: { ...confirmed, explorerUrl: undefined } },
  'Solana, expired': {
    props: {
      ...pending,
      status: 'expired',
      amount: '1.5 SOL',
      to: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
      chain: 'solana:mainnet',
      network: 'Solana',
      hash: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
      explorerUrl: undefined,
      actions: [],
    },
  },
  'speeding up': { props: pending, busy: 'speed-up' },
} satisfies Examples<typeof activityDetail>
