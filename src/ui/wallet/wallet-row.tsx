import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { networkColour } from '../../../styles/networks.ts'
import { color, media, quick, text } from '../../../styles/tokens.ts'
import { Row } from '../actions/row.tsx'
import { Icon } from '../brand/icon.tsx'
import { Chip } from '../feedback/chip.tsx'
import { chevronRight } from '../icons/landing.ts'
import { useWords } from '../text/words.tsx'
import { type ShownWallet, WalletMark } from './wallet-mark.tsx'

interface WalletRowProps {
  wallet: ShownWallet & {
    readonly recent: boolean
    readonly solana: boolean
    /** Without it, it must be installed first. */
    readonly here: boolean
  }
  busy: boolean
  inert: boolean
  onClick(): void
}

/** One wallet to choose. Under the pointer or the focus its end shows what a press does. */
export function WalletRow({ wallet, busy, inert, onClick }: WalletRowProps): ReactNode {
  const t = useWords()
  const { id, name, icon, recent, solana, here } = wallet
  const chip = recent ? (
    <Chip>{t('login.recent')}</Chip>
  ) : (
    solana && <Chip mark={<Dot />}>{t('connect.list.solana')}</Chip>
  )
  return (
    <Row
      icon={
        <span css={{ position: 'relative', display: 'block' }}>
          <WalletMark id={id} name={name} icon={icon} />
          {solana && (recent || !here) && <Corner name={t('connect.list.solana')} />}
        </span>
      }
      label={name}
      busy={busy}
      inert={inert}
      onClick={onClick}
      chip={
        here ? (
          // With large text a chip stands under the name, and a chevron gives its room to it.
          <span css={[end, !chip && alone]}>
            <span data-rest css={face}>
              {chip || <Icon path={chevronRight} size={16} mirrored />}
            </span>
            <span data-hint css={[face, hint]} aria-hidden>
              {t('connect.list.connect')}
            </span>
          </span>
        ) : (
          <span css={hint}>{t('connect.list.install')}</span>
        )
      }
    />
  )
}

const Dot = () => <span css={dot} style={{ background: networkColour.solana }} />

/** If the end of the row says something else, the network is shown at the icon, and is still read out. */
const Corner = ({ name }: { name: string }) => (
  <span css={corner} role="img" aria-label={name}>
    <Dot />
  </span>
)

const dot: CSSObject = { width: 6, height: 6, borderRadius: 6, forcedColorAdjust: 'none' }
const corner: CSSObject = {
  position: 'absolute',
  insetBlockEnd: -3,
  insetInlineEnd: -3,
  display: 'grid',
  padding: 2,
  borderRadius: 10,
  background: color('surface'),
}
const shown: CSSObject = { '[data-rest]': { opacity: 0 }, '[data-hint]': { opacity: 1 } }
const end: CSSObject = {
  flex: 'none',
  display: 'grid',
  alignItems: 'center',
  justifyItems: 'end',
  // It is under the name then.
  [media.tight]: { justifyItems: 'start' },
  '[data-hint]': { opacity: 0 },
  '[part=row]:focus-visible &': shown,
  [media.hover]: { '[part=row]:not([aria-disabled]):hover &': shown },
}
const alone: CSSObject = { marginInlineStart: 'auto', [media.tight]: { display: 'none' } }
const face: CSSObject = {
  gridArea: '1/1',
  display: 'flex',
  color: color('text-muted'),
  transition: quick('opacity'),
}
const hint: CSSObject = { ...text('detail'), flex: 'none', color: color('text-muted') }
