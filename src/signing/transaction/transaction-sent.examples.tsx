import type { Examples } from '../../dialog/screen.ts'
import type { TransactionSentProps, transactionSent } from './transaction-sent.tsx'

const sent: TransactionSentProps = {
  hash: '0x4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a',
  explorerUrl: 'https://basescan.org/tx/0x4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a',
}

export const examples = {
  waiting: { props: sent },
  'without an explorer': { props: { hash: sent.hash } },
  'takes long': { props: { ...sent, isLate: true } },
  Solana: {
    props: {
      hash: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
      explorerUrl: 'https://explorer.solana.com/tx/5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb',
    },
  },
} satisfies Examples<typeof transactionSent>
