import type { CSSObject } from '@emotion/react'
import { useRef } from 'react'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { Link } from '../../ui/actions/link.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'

/** A transaction's hash, to copy, with a link to the explorer where the chain has one. */
export function TransactionHash({ hash, explorerUrl }: { hash: string; explorerUrl?: string | undefined }) {
  const t = useWords()
  const shown = useRef<HTMLElement>(null)
  return (
    <Details
      rows={[
        [
          t('transaction.hash'),
          <span key="hash" css={copied}>
            <Link href={explorerUrl}>
              <Address short ref={shown}>
                {hash}
              </Address>
            </Link>
            <CopyButton value={hash} name={t('transaction.copyHash')} shown={shown} />
          </span>,
        ],
      ]}
    />
  )
}

const copied: CSSObject = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  // The row is as high as the others, and the icon ends where their values end.
  '& > :last-child': { marginBlock: -7, marginInlineEnd: -7 },
}
