import type { Examples } from '../../dialog/screen.ts'
import type { TransferFailedProps, transferFailed } from './transfer-failed.tsx'

const hash = '0x7a3f3ee1d1f2c90a6a8b6a1df1d8ff3b7f3a9f1f0a53cb7e2a0e6c38a92d71c4'
const refunded: TransferFailedProps = {
  title: 'Transfer from Ethereum came back: 0.0201 ETH',
  detail: "The bridge couldn't complete it, and has sent it back to MetaMask. Network fees may be missing.",
  hash,
  explorerUrl: 'https://etherscan.io/tx/0x',
}

export const examples = {
  refunded: { props: refunded },
  'failed on the network': {
    props: {
      title: 'Transaction failed',
      detail: "The transfer failed on Base. It didn't reach your wallet.",
      hash,
    },
  },
  'failed at the bridge': {
    props: {
      title: "The bridge couldn't complete it",
      detail:
        'Your 0.0201 ETH may still be with the bridge. Ask its support, and give them the number of the request.',
      requestId: hash,
    },
  },
  continuing: { props: refunded, busy: 'continue' },
  'long names': {
    props: {
      ...refunded,
      title:
        'Transfer from A network of the app with a very long name came back: 1,606,938,044,258,990,275,541,962 WWWWWWWWWWW',
    },
  },
} satisfies Examples<typeof transferFailed>
