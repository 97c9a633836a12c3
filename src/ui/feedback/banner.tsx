import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { edge } from '../../../styles/edge.ts'
import { color, radius, text } from '../../../styles/tokens.ts'
import { Icon } from '../brand/icon.tsx'
import { circleAlert } from '../icons/frame.ts'
import { check, info, triangleAlert } from '../icons/notices.ts'
import { unbroken } from '../text/breakable.tsx'

type Tone = 'info' | 'success' | 'warning' | 'danger'

interface BannerProps {
  tone?: Tone
  id?: string
  /** Whether it has to be read before something is approved; warnings do. */
  essential?: boolean
  children: ReactNode
}

/** A fact that bears on the button right below it. The screen that shows it also announces it. */
export function Banner({ tone = 'info', id, essential = weighty.has(tone), children }: BannerProps) {
  return (
    <div
      id={id}
      part="banner"
      data-essential={essential || undefined}
      css={[look, { background: tone === 'info' ? color('fill-hover') : color(`${tone}-subtle`) }]}
    >
      <span css={[mark, { color: tone === 'info' ? color('text-muted') : color(tone) }]}>
        <Icon path={icons[tone]} size={18} />
      </span>
      <div css={{ minWidth: 0, overflowWrap: 'anywhere' }}>{unbroken(children)}</div>
    </div>
  )
}

const weighty: ReadonlySet<Tone> = new Set(['warning', 'danger'])
const icons: Record<Tone, string> = { info, success: check, warning: triangleAlert, danger: circleAlert }
const look: CSSObject = {
  ...text('detail'),
  display: 'flex',
  gap: 8,
  padding: 12,
  border: edge,
  borderRadius: radius(12),
  color: color('text'),
  textAlign: 'start',
}
// In the middle of the first line, whatever its height.
const mark: CSSObject = { '& > svg': { height: '1lh' } }
