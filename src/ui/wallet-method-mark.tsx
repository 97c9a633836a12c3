import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { wallet } from './icons/lucide.ts'
import { WalletMark } from './wallet-mark.tsx'

/** The ways to log in that lead to a list of wallets. */
const lists = /^(solana-)?wallet$/

/** The mark of a wallet that is a way to log in by itself, or of all of them. `icon`: its name, as offers have it. */
export default function WalletMethodMark({ icon, label }: { icon: string; label: string }): ReactNode {
  if (lists.test(icon)) return <Icon path={wallet} size={24} stroke={1.75} />
  const [id = icon] = icon.split(':')
  return <WalletMark id={id} name={label} size={24} />
}
