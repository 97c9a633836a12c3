import type { Examples } from '../../dialog/screen.ts'
import type { PurchaseStatusProps, purchaseStatus } from './purchase-status.tsx'

const hash = '0x4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a'
const inWindow: PurchaseStatusProps = {
  kind: 'card',
  phase: 'window',
  provider: 'MoonPay',
  amount: '0.02 ETH',
  total: '$61.50',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain: 'eip155:8453',
  network: 'Base',
}
const onCoinbase: PurchaseStatusProps = { ...inWindow, provider: 'Coinbase' }

export const examples = {
  'MoonPay, in its window': { props: inWindow },
  'MoonPay, processing': { props: { ...inWindow, phase: 'processing' } },
  'MoonPay, the bank asks': { props: { ...inWindow, phase: 'bank' } },
  'MoonPay, funded': {
    props: { ...inWindow, phase: 'done', hash, explorerUrl: `https://basescan.org/tx/${hash}` },
  },
  'Coinbase, in its window': { props: onCoinbase },
  'Coinbase, the window is closed': { props: { ...onCoinbase, phase: 'closed' } },
  'Coinbase, opening it again': { props: { ...onCoinbase, phase: 'closed' }, busy: 'open' },
  'Coinbase, opening it again has failed': {
    props: {
      ...onCoinbase,
      phase: 'closed',
      error: 'There was an error completing Coinbase Onramp flow.',
    },
  },
  'the browser has blocked the window': {
    props: { ...onCoinbase, phase: 'blocked', link: 'https://pay.coinbase.com/buy/select-asset' },
  },
  'an exchange, processing': {
    props: { ...onCoinbase, kind: 'exchange', phase: 'processing', total: undefined },
  },
  'an amount that only the provider knows': {
    props: { ...inWindow, phase: 'processing', amount: undefined, total: undefined },
  },
  'long words': {
    props: {
      ...inWindow,
      provider: 'A provider that has a very long name',
      amount: '16,069,380,442,589,902,755.993782792835301375 WWWWWWWWWWW',
      total: 'CHF 123,456,789,012.34',
      chain: 'eip155:31337',
      network: 'A network of the app with a very long name',
    },
  },
} satisfies Examples<typeof purchaseStatus>
