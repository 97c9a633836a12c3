import type { Examples } from '../../dialog/screen.ts'
import type { CheckPaymentProps, checkPayment } from './check-payment.tsx'

const none: CheckPaymentProps = { wallet: 'MetaMask', amount: '0.02 ETH', network: 'Base', isPending: false }

export const examples = {
  'nothing found': { props: none },
  'something that is not confirmed': { props: { ...none, isPending: true } },
  'checking again': { props: none, busy: 'again' },
  'starting another one': { props: none, busy: 'another' },
  'long names': {
    props: {
      ...none,
      wallet: 'A wallet with a name as long as wallets may have',
      amount: '1,606,938,044,258,990,275,541,962 WWWWWWWWWWW',
      network: 'A network of the app with a very long name',
    },
  },
} satisfies Examples<typeof checkPayment>
