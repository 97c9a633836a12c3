import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { Icon } from '../brand/icon.tsx'

interface EmptyProps {
  /** Path data. */
  icon: string
  /** One sentence: what would be here. */
  text: string
  /** One action: how to get it. */
  children?: ReactNode
}

/** Shown in place of something that doesn't exist. */
export function Empty({ icon, text, children }: EmptyProps) {
  return (
    <div css={look}>
      <span css={circle}>
        <Icon path={icon} size={24} stroke={1.75} />
      </span>
      <p css={sentence}>{text}</p>
      {children}
    </div>
  )
}

const look: CSSObject = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  gap: 8,
  paddingBlock: 32,
}
const circle: CSSObject = {
  display: 'grid',
  placeItems: 'center',
  boxSizing: 'border-box',
  width: 48,
  height: 48,
  border: '1px solid transparent',
  borderRadius: 99,
  background: color('fill-hover'),
  color: color('text-muted'),
}
const sentence: CSSObject = {
  ...text('body'),
  margin: '4px 0 0',
  maxWidth: '36ch',
  color: color('text-muted'),
  textAlign: 'center',
  textWrap: 'balance',
  overflowWrap: 'anywhere',
}
