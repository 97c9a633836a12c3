import type { Examples } from '../../dialog/screen.ts'
import { smartphone, wallet } from '../../ui/icons/landing.ts'
import type { addAccount } from './add-account.tsx'

const methods = [
  { key: 'sms', icon: smartphone, label: 'Phone' },
  { key: 'google', icon: 'google', label: 'Google' },
  { key: 'github', icon: 'github', label: 'GitHub' },
  { key: 'farcaster', icon: 'farcaster', label: 'Farcaster' },
  { key: 'wallet', icon: wallet, label: 'Wallet' },
]

export const examples = {
  some: { props: { app: 'Acme', methods } },
  chosen: { props: { app: 'Acme', methods }, busy: { method: 'google' } },
  'nothing left': { props: { app: 'Acme', methods: [] } },
} satisfies Examples<typeof addAccount>
