import type { ReactNode } from 'react'
import { WalletMark } from './wallet-mark.tsx'

/** The icon of a wallet that is a login method of its own. `icon`: its name, as in offers. */
export default function WalletMethodMark({ icon, label }: { icon: string; label: string }): ReactNode {
  const [id = icon] = icon.split(':')
  return <WalletMark id={id} name={label} size={24} />
}
