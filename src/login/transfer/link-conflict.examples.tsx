import type { Examples } from '../../dialog/screen.ts'
import { asking, type linkConflict } from './link-conflict.tsx'

const withWallet = { ...asking, walletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }

export const examples = {
  ask: { props: asking },
  'ask, with a wallet': { props: withWallet },
  check: { props: { ...withWallet, page: 'check' } },
  'check several wallets': {
    props: {
      ...withWallet,
      page: 'check',
      walletAddresses: [withWallet.walletAddress, '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'],
    },
  },
  transferring: { props: { ...withWallet, page: 'check' }, busy: 'transfer' },
  declining: { props: asking, busy: 'decline' },
  done: { props: { ...withWallet, page: 'check', done: true } },
  'longest account': {
    props: { ...asking, account: 'maximiliane.von-der-hohenstein@department.organisation.example' },
  },
} satisfies Examples<typeof linkConflict>
