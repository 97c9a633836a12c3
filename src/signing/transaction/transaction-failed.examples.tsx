import type { Examples } from '../../dialog/screen.ts'
import type { TransactionFailedProps, transactionFailed } from './transaction-failed.tsx'

const refused: TransactionFailedProps = {
  title: 'Transaction failure',
  detail: 'Please try again.',
  reason: { code: -32000, message: 'replacement transaction underpriced' },
  action: 'retry',
}

export const examples = {
  refused: { props: refused },
  retrying: { props: refused, busy: 'retry' },
  'in vain': {
    props: {
      ...refused,
      detail: undefined,
      reason: { code: -32000, message: 'nonce too low: next nonce 8, tx nonce 7' },
      action: 'close',
    },
  },
  'not enough money': {
    props: {
      ...refused,
      title: 'Insufficient balance',
      detail: 'Wallet has insufficient funds for this transaction.',
      reason: { code: -32000, message: 'insufficient funds for gas * price + value' },
    },
  },
  unreachable: {
    props: {
      ...refused,
      title: 'Something went wrong',
      detail: "We can't reach the server. Check your connection.",
      reason: undefined,
    },
  },
  unsettled: {
    props: {
      ...refused,
      title: 'Something went wrong',
      detail:
        "Your transaction is signed, but the network hasn't confirmed that it received it. Retry to send the same transaction again.",
      reason: undefined,
      hash: /* @__PURE__ */ `0x${'5f2c9e81'.repeat(8)}`,
      explorerUrl: 'https://basescan.org/tx/0x5f2c9e81',
    },
  },
  'another transaction was signed': {
    props: {
      title: 'Transaction failure',
      detail: 'Your wallet signed something other than what you approved. Nothing was sent.',
      action: 'close',
    },
  },
  'a long reason': {
    props: {
      ...refused,
      reason: {
        code: 3,
        message: /* @__PURE__ */ `execution reverted: ${'TransferHelper: TRANSFER_FROM_FAILED '.repeat(5)}`,
      },
    },
  },
  'expired, can be sent again': {
    props: {
      title: 'Transaction expired',
      detail: 'The network did not take it in time. Nothing was sent.',
      hash: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
      action: 'renew',
    },
  },
} satisfies Examples<typeof transactionFailed>
