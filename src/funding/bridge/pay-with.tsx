import type { CSSObject } from '@emotion/react'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { type ShownWallet, WalletMark } from '../../ui/wallet/wallet-mark.tsx'

export interface PayWithProps {
  wallet: ShownWallet
  address: string
  /** Its balance of the asset that pays: `1.25 ETH`. */
  balance?: string | undefined
}

/** The wallet that pays: its address, and what it has. */
export function PayWith({ wallet, address, balance }: PayWithProps) {
  const t = useWords()
  return (
    <Details
      rows={[
        [
          t('funding.bridge.payWith'),
          <span key="wallet" css={line}>
            <span css={mark}>
              <WalletMark id={wallet.id} name={wallet.name} icon={wallet.icon} size={24} />
            </span>
            <bdi>{wallet.name}</bdi>
            <Address short>{address}</Address>
          </span>,
        ],
        ...(balance === undefined ? [] : [[t('funding.balance'), balance] as const]),
      ]}
    />
  )
}

const line: CSSObject = {
  display: 'inline-flex',
  flexWrap: 'wrap',
  justifyContent: 'flex-end',
  // The label stands on the line of the words.
  alignItems: 'baseline',
  gap: '0 8px',
}
// The row stays as high as those without a mark.
const mark: CSSObject = { alignSelf: 'center', marginBlock: -4 }
