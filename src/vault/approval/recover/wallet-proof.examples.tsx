import type { Examples } from '../../../dialog/screen.ts'
import type { WalletProofProps, walletProof } from './wallet-proof.tsx'

const wallets = [
  { id: 'metamask', name: 'MetaMask', icon: undefined },
  { id: 'rabby_wallet', name: 'Rabby Wallet', icon: undefined },
]
const rest: WalletProofProps = {
  chainType: 'ethereum',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  message: '',
  wallets,
}

export const examples = {
  found: { props: rest },
  signing: { props: rest, busy: { wallet: 'metamask' } },
  'another address': { props: { ...rest, error: 'another' } },
  declined: { props: { ...rest, error: 'declined' } },
  'no answer': { props: { ...rest, error: 'timeout' } },
  'wrong signature': { props: { ...rest, error: 'wrong' } },
  'none here': { props: { ...rest, wallets: [] } },
  solana: {
    props: {
      ...rest,
      chainType: 'solana',
      address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMnGbH',
      wallets: [{ id: 'phantom', name: 'Phantom', icon: undefined }],
    },
  },
} satisfies Examples<typeof walletProof>
