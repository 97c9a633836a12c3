import type { Examples } from '../../dialog/screen.ts'
import type { AwaitingTransferProps, awaitingEthereum } from './awaiting-transfer.tsx'

const hash = '0x7a3f3ee1d1f2c90a6a8b6a1df1d8ff3b7f3a9f1f0a53cb7e2a0e6c38a92d71c4'
const base: AwaitingTransferProps = {
  wallet: { id: 'metamask', name: 'MetaMask' },
  app: { name: 'Harbor' },
  state: 'signing',
  pays: '0.02 ETH',
  receives: '0.02 ETH',
  from: 'Base',
  to: 'Base',
  symbol: 'ETH',
}
const usdc = { pays: '25 USDC', receives: '25 USDC', symbol: 'USDC' }
const sol: AwaitingTransferProps = {
  ...base,
  wallet: { id: 'phantom', name: 'Phantom' },
  pays: '0.5 SOL',
  receives: '0.5 SOL',
  from: 'Solana',
  to: 'Solana',
  symbol: 'SOL',
}
const toSolana: AwaitingTransferProps = { ...base, receives: '0.5 SOL', from: 'Ethereum', to: 'Solana' }
const toEthereum: AwaitingTransferProps = { ...sol, receives: '0.02 ETH', to: 'Base' }
type All = Examples<typeof awaitingEthereum>

export const ethereum = {
  preparing: { props: { ...base, state: 'preparing' } },
  'switching networks': { props: { ...base, state: 'switching' } },
  'asking the wallet': { props: base },
  'going back': { props: base, busy: 'back' },
  'on its way': { props: { ...base, state: 'confirming', hash, explorerUrl: 'https://basescan.org/tx/0x' } },
  'on its way for long': { props: { ...base, state: 'confirming', hash, isLate: true } },
  closing: { props: { ...base, state: 'confirming', hash }, busy: 'close' },
  arrived: { props: { ...base, state: 'done' } },
  'long words': {
    props: {
      ...base,
      wallet: { id: 'other', name: 'A wallet with a name as long as wallets may have' },
      from: 'A network of the app with a very long name',
      pays: '1,606,938,044,258,990,275,541,962,092,341,162,602.522202993782792835 WWWWWWWWWWW',
    },
  },
} satisfies All
export const solana = {
  preparing: { props: { ...sol, state: 'preparing' } },
  'asking the wallet': { props: sol },
  'on its way': { props: { ...sol, state: 'confirming', hash: hash.slice(2) } },
  arrived: { props: { ...sol, state: 'done' } },
} satisfies All
export const ethereumBridge = {
  'switching networks': { props: { ...base, from: 'Ethereum', state: 'switching' } },
  'asking for an allowance': { props: { ...base, ...usdc, from: 'Ethereum', state: 'approving' } },
  'the allowance on its way': {
    props: { ...base, ...usdc, from: 'Ethereum', state: 'confirming', isAllowance: true, hash },
  },
  'asking for the transfer': { props: { ...base, ...usdc, from: 'Ethereum' } },
  'at the bridge': { props: { ...base, ...usdc, from: 'Ethereum', state: 'bridging', hash } },
  'at the bridge for long': {
    props: { ...base, ...usdc, from: 'Ethereum', state: 'bridging', hash, isLate: true },
  },
  arrived: { props: { ...base, ...usdc, from: 'Ethereum', state: 'done' } },
} satisfies All
export const solanaBridge = {
  'asking the wallet': { props: { ...sol, receives: '75 USDC' } },
  'at the bridge': { props: { ...sol, receives: '75 USDC', state: 'bridging', hash: hash.slice(2) } },
  arrived: { props: { ...sol, receives: '75 USDC', state: 'done' } },
} satisfies All
export const ethereumToSolana = {
  'asking the wallet': { props: toSolana },
  'at the bridge': { props: { ...toSolana, state: 'bridging', hash } },
  arrived: { props: { ...toSolana, state: 'done' } },
} satisfies All
export const solanaToEthereum = {
  'asking the wallet': { props: toEthereum },
  'at the bridge': { props: { ...toEthereum, state: 'bridging', hash: hash.slice(2) } },
  arrived: { props: { ...toEthereum, state: 'done' } },
} satisfies All
