import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, focusRing, media, quick, radius, text } from '../../../styles/tokens.ts'
import { safeLink } from '../../lib/safe-link.ts'
import { Icon } from '../brand/icon.tsx'
import { Spinner } from '../feedback/spinner.tsx'
import { externalLink } from '../icons/frame.ts'
import { chevronRight } from '../icons/landing.ts'
import { unbroken } from '../text/breakable.tsx'
import { dotted } from '../text/dotted.tsx'
import { useBusy } from './use-busy.ts'

interface RowProps {
  icon?: ReactNode
  /** A text, or the outline of one. */
  label: ReactNode
  /** A second line, or the reason why the row is disabled. */
  detail?: ReactNode
  /** An amount at the end of the words. */
  figure?: ReactNode
  chip?: ReactNode
  /** The chip is below the label, whether or not there is room beside it, so that it is at one place in all rows of a list. */
  stacked?: boolean
  busy?: boolean | undefined
  /** Another row is busy: this one can't be pressed now. */
  inert?: boolean | undefined
  /** It can't be chosen at all; `detail` says why. */
  disabled?: boolean | undefined
  href?: string | undefined
  onClick?: () => void
}

/** One choice of a list. With `href` it opens another page; if that address is not safe there is no row. */
export function Row(props: RowProps) {
  const { icon, label, detail, figure, chip, stacked = false, busy = false } = props
  const { inert, disabled, href, onClick } = props
  const spinning = useBusy(busy)
  const off = busy || inert || disabled
  const safe = safeLink(href)
  const shared = {
    part: 'row',
    css: [rowLook, inert && !busy && faint, disabled && refused],
    children: (
      <>
        <RowWords
          icon={icon}
          label={label}
          detail={detail}
          figure={figure}
          chip={(stacked || !spinning) && chip}
          stacked={stacked}
        />
        {spinning ? (
          <Spinner size={24} />
        ) : (
          (!chip || stacked) &&
          !disabled && <Icon path={href ? externalLink : chevronRight} size={16} mirrored={!href} />
        )}
      </>
    ),
  }
  if (href !== undefined && !safe) return null
  if (safe) return <a {...shared} href={safe} target="_blank" rel="noopener noreferrer" />
  return (
    <button
      {...shared}
      type="button"
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={off ? undefined : onClick}
    />
  )
}

export type RowWordsProps = Pick<RowProps, 'icon' | 'label' | 'detail' | 'figure' | 'chip' | 'stacked'>
/** The words of a row. */
export function RowWords({ icon, label, detail, figure, chip, stacked = false }: RowWordsProps) {
  return (
    <>
      {icon && (
        <span part="row-icon" css={{ flex: 'none', color: color('text-muted') }}>
          {icon}
        </span>
      )}
      <span css={words}>
        <span css={{ flex: figure ? '1 1 40%' : stacked ? '1 0 100%' : '1 1 auto' }}>
          {dotted(unbroken(label))}
          {detail && <span css={second}>{dotted(detail)}</span>}
        </span>
        {figure && <span css={end}>{figure}</span>}
        {stacked && figure && chip ? <span css={ownLine}>{chip}</span> : chip}
      </span>
    </>
  )
}

export const rowLook: CSSObject = {
  ...text('label'),
  boxSizing: 'border-box',
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  width: '100%',
  minHeight: 48,
  padding: '8px 11px',
  border: `1px solid ${color('border')}`,
  borderRadius: radius(12),
  background: color('surface'),
  color: color('text'),
  fontFamily: 'inherit',
  textAlign: 'start',
  textDecoration: 'none',
  cursor: 'pointer',
  transition: quick('background-color', 'opacity'),
  '& > svg': { color: color('text-muted') },
  // The words need the room of the chevron.
  [media.tight]: { gap: 8, hyphens: 'auto', '&:not([aria-busy],[href]) > svg': { display: 'none' } },
  '&[aria-disabled]': { cursor: 'default' },
  [media.hover]: { '&:not([aria-disabled]):hover': { background: color('fill-hover') } },
  '&:not([aria-disabled]):active': { background: color('fill-pressed') },
  ...focusRing(-2),
}
/** The look of a row while another one is busy. */
export const faint: CSSObject = {
  opacity: 0.5,
  transitionDelay: '150ms',
  [media.forced]: { color: 'GrayText' },
}
const refused: CSSObject = {
  color: color('text-faint'),
  '[part=row-icon]': { opacity: 0.5 },
  [media.forced]: { color: 'GrayText' },
}
const words: CSSObject = {
  flex: 1,
  minWidth: 0,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '2px 12px',
  overflowWrap: 'anywhere',
}
// Beside the label, or at the end of a line of its own.
const end: CSSObject = { marginInlineStart: 'auto', maxWidth: '100%', textAlign: 'end' }
const ownLine: CSSObject = { flex: '1 0 100%', display: 'flex' }
const second: CSSObject = {
  ...text('detail'),
  display: 'block',
  color: color('text-muted'),
  hyphens: 'manual',
}
