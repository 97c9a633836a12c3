import type { Examples } from '../../../dialog/screen.ts'
import { address, type walletCreated } from './created.tsx'

export const examples = {
  'new user': { props: { address, isNewUser: true } },
  'known user': { props: { address, isNewUser: false } },
  'two wallets': {
    props: { address, second: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK', isNewUser: true },
  },
  busy: { props: { address, isNewUser: true }, busy: 'continue' },
} satisfies Examples<typeof walletCreated>
