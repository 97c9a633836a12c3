import type { ReactNode } from 'react'
import { WalletMark } from './wallet-mark.tsx'

/** The mark of a wallet that is a way to log in by itself. `icon`: its name, as offers have it. */
export default function WalletMethodMark({ icon, label }: { icon: string; label: string }): ReactNode {
  const [id = icon] = icon.split(':')
  return <WalletMark id={id} name={label} size={24} />
}
