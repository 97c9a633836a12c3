import type { Examples } from '../../dialog/screen.ts'
import type { ConfirmBridgeProps, confirmBridge } from './confirm-bridge.tsx'

const ether: ConfirmBridgeProps = {
  wallet: { id: 'metamask', name: 'MetaMask' },
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  balance: '1.25 ETH',
  recipient: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  pays: '0.0201 ETH',
  receives: '0.02 ETH',
  fee: '0.0001 ETH',
  symbol: 'ETH',
  from: 'Ethereum',
  to: 'Base',
  seconds: 12,
  hasAllowance: false,
}
const solana: ConfirmBridgeProps = {
  ...ether,
  wallet: { id: 'phantom', name: 'Phantom' },
  address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  balance: '3.2 SOL',
  pays: '0.41 SOL',
  fee: '0.002 SOL',
  symbol: 'SOL',
  from: 'Solana',
  seconds: 300,
}

export const examples = {
  ether: { props: ether },
  'with an allowance': {
    props: {
      ...ether,
      pays: '50.25 USDC',
      fee: '0.25 USDC',
      symbol: 'USDC',
      balance: '240 USDC',
      hasAllowance: true,
    },
  },
  'from Solana': { props: solana },
  'for another asset of Solana': {
    props: { ...solana, pays: '0.5025 SOL', fee: '0.0025 SOL', receives: '75 USDC', to: 'Solana' },
  },
  'without fee and time': { props: { ...ether, fee: undefined, seconds: undefined } },
  'after the price changed': { props: { ...ether, notice: 'changed' } },
  'without a new quote': { props: { ...ether, notice: 'unquoted' } },
  confirming: { props: ether, busy: 'confirm' },
  'long figures': {
    props: {
      ...ether,
      pays: '1,606,938,044,258,990,275,541,962.522202993782792835 WWWWWWWWWWW',
      from: 'A network of the app with a very long name',
      to: 'Another network with a very long name',
    },
  },
} satisfies Examples<typeof confirmBridge>
