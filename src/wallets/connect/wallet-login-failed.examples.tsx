import type { Examples } from '../../dialog/screen.ts'
import { wallet, type walletLoginFailed } from './wallet-login-failed.tsx'

export const examples = {
  failed: { props: { wallet } },
  retrying: { props: { wallet }, busy: 'retry' },
  'going back': { props: { wallet }, busy: 'back' },
} satisfies Examples<typeof walletLoginFailed>
