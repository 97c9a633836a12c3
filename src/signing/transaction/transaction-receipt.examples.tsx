import type { Examples } from '../../dialog/screen.ts'
import type { TransactionReceiptProps, transactionReceipt } from './transaction-receipt.tsx'

const receipt: TransactionReceiptProps = {
  chain: 'eip155:8453',
  network: 'Base',
  hash: '0x4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a',
  explorerUrl: 'https://basescan.org/tx/0x4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a',
  amount: '0.25 ETH',
  fee: '0.000009 ETH',
}

export const examples = {
  transfer: { props: receipt },
  'contract call': { props: { ...receipt, amount: undefined } },
  'without an explorer': { props: { ...receipt, explorerUrl: undefined } },
  'host words': {
    props: {
      ...receipt,
      successHeader: 'Your berth is booked',
      successDescription: 'Two nights at the north pier.',
    },
  },
  Solana: {
    props: {
      ...receipt,
      chain: 'solana:mainnet',
      network: 'Solana',
      hash: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
      amount: '1.5 SOL',
      fee: '0.000005 SOL',
    },
  },
  'other amounts than displayed': { props: { ...receipt, isDifferent: true } },
} satisfies Examples<typeof transactionReceipt>
