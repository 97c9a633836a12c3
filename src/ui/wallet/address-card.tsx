import type { CSSObject } from '@emotion/react'
import { useRef } from 'react'
import { color, radius } from '../../../styles/tokens.ts'
import { CopyButton } from '../actions/copy-button.tsx'
import { Icon } from '../brand/icon.tsx'
import { wallet } from '../icons/landing.ts'
import { useWords } from '../text/words.tsx'
import { Address } from './address.tsx'

/** A wallet's address with its copy button: whole, to be read before something is approved, or shortened where nothing depends on it. */
export function AddressCard({ address, short = false }: { address: string; short?: boolean }) {
  const t = useWords()
  const shown = useRef<HTMLElement>(null)
  return (
    <div css={short ? [card, { alignSelf: 'center' }] : card} data-card data-essential={!short || undefined}>
      {short && <Icon path={wallet} stroke={1.75} />}
      <Address short={short} ref={shown}>
        {address}
      </Address>
      <CopyButton value={address} name={t('common.copyAddress')} shown={shown} />
    </div>
  )
}

const card: CSSObject = {
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  paddingBlock: 7,
  paddingInline: '15px 7px',
  border: `1px solid ${color('border')}`,
  borderRadius: radius(12),
  color: color('text-muted'),
  '> :last-child': { marginInlineStart: 'auto' },
}
