import type { Examples } from '../../dialog/screen.ts'
import { smartphone, wallet } from '../../ui/icons/landing.ts'
import { userRound } from '../../ui/icons/lucide.ts'
import type { addAccount } from './add-account.tsx'

const methods = [
  { key: 'sms', icon: smartphone, label: 'Phone' },
  { key: 'google', icon: 'google', label: 'Google' },
  { key: 'github', icon: 'github', label: 'GitHub' },
  { key: 'farcaster', icon: 'farcaster', label: 'Farcaster' },
  { key: 'wallet', icon: wallet, label: 'Wallet' },
]

const harborIcon =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"%3E%3Crect width="28" height="28" fill="%230E9F8A"/%3E%3C/svg%3E'
const apps = [
  { key: 'other:a', icon: harborIcon, label: 'Harbor' },
  { key: 'other:b', icon: userRound, label: 'Another app' },
]

export const examples = {
  some: { props: { app: 'Acme', methods } },
  'other apps': { props: { app: 'Acme', methods: [...methods.slice(0, 2), ...apps] } },
  chosen: { props: { app: 'Acme', methods }, busy: { method: 'google' } },
  'confirmed in a window': {
    props: { app: 'Acme', methods, note: "You'll confirm changes in a window of your wallet." },
  },
  'nothing left': { props: { app: 'Acme', methods: [] } },
} satisfies Examples<typeof addAccount>
