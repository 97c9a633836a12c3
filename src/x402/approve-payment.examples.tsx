import type { Examples } from '../dialog/screen.ts'
import type { ApprovePaymentProps, approvePayment } from './approve-payment.tsx'

const weather: ApprovePaymentProps = {
  origin: 'https://harbor.example',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  seller: 'https://api.tides.example',
  description: 'Tides of the next seven days',
  amount: 10_000n,
  asset: { symbol: 'USDC', decimals: 6 },
  token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  chain: 'eip155:8453',
  network: 'Base',
  recipient: '0xE592427A0AEce92De3Edee1F18E0157C05861564',
  left: ['$4.99'],
}

export const examples = {
  rest: { props: weather },
  paying: { props: weather, busy: 'sign' },
  cancelling: { props: weather, busy: 'cancel' },
  'without words of the seller': { props: { ...weather, description: undefined } },
  'two limits of the day': { props: { ...weather, left: ['$4.99', '0.24 USDC'] } },
  'may go without reviews': {
    props: { ...weather, withoutReview: { isChosen: false, sum: 4_990_000n } },
  },
  'goes without reviews': { props: { ...weather, withoutReview: { isChosen: true, sum: 4_990_000n } } },
  'choosing to go without reviews': {
    props: { ...weather, withoutReview: { isChosen: false, sum: 4_990_000n } },
    busy: { edited: { withoutReview: true } },
  },
  failed: { props: { ...weather, error: 'An error has occurred, please try again.' } },
  'long words and names': {
    props: {
      ...weather,
      seller: 'https://a-very-long-name-of-a-seller-that-goes-on-and-on.data.market.example:8443',
      description:
        'You pay nothing! \u202E This is free. Tides, winds, depths and notes of the next seven days, for all berths of the northern and southern piers, in metres and in feet.',
      chain: 'eip155:31337',
      network: 'A network with a name of many words',
      amount: 123_456_789_012_345_678n,
      asset: { symbol: 'LONGSYMBOL1', decimals: 18 },
    },
  },
} satisfies Examples<typeof approvePayment>
