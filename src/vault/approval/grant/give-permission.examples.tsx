import type { Examples } from '../../../dialog/screen.ts'
import type { GivePermissionProps, givePermission } from './give-permission.tsx'

const transfers: GivePermissionProps = {
  app: 'Harbor',
  signer: 'Harbor',
  purpose: 'Pays for your mooring each day',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  networks: ['Base'],
  allowed: [{ label: 'Send USDC to', places: ['0x2222222222222222222222222222222222222222'] }],
  limits: [
    ['ETH at once', '0.001 ETH'],
    ['ETH in 1 day', '0.005 ETH'],
    ['USDC at once', '10 USDC'],
    ['USDC in 1 day', '10 USDC'],
  ],
  worst: ['0.01 ETH', '100 USDC'],
  hasCalls: false,
  days: 30,
}

export const examples = {
  transfers: { props: transfers },
  anybody: {
    props: {
      ...transfers,
      networks: ['Solana'],
      allowed: [{ label: 'Send SOL', value: 'To anyone', places: [] }],
      limits: [
        ['SOL at once', '0.1 SOL'],
        ['SOL in 12 hours', '0.3 SOL'],
        ['Times in all', '10'],
      ],
      worst: ['1 SOL'],
      days: 1,
    },
  },
  'calls on two networks': {
    props: {
      ...transfers,
      signer: 'Lighthouse keeper, the night watch of it',
      purpose: 'Claims what your boats have earned, every night, and puts it into the harbour chest again',
      networks: ['Base', 'Ethereum'],
      allowed: [
        {
          label: 'Use contract (Base)',
          value: 'claim, restake',
          places: ['0x3333333333333333333333333333333333333333'],
        },
        {
          label: 'Send ETH to (Ethereum)',
          places: [
            '0x2222222222222222222222222222222222222222',
            '0x4444444444444444444444444444444444444444',
          ],
        },
      ],
      limits: [
        ['ETH (Base) at once', '0.001 ETH'],
        ['ETH (Base) in 1 day', '0.005 ETH'],
        ['ETH (Ethereum) at once', '0.01 ETH'],
        ['ETH (Ethereum) in 7 days', '0.05 ETH'],
      ],
      worst: ['0.01 ETH (Base)', '0.5 ETH (Ethereum)'],
      hasCalls: true,
      days: 90,
    },
  },
  accepting: { props: transfers, busy: 'accept' },
  failed: { props: { ...transfers, error: "That didn't work. Try again." } },
} satisfies Examples<typeof givePermission>
