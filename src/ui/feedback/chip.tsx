import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, radius, text } from '../../../styles/tokens.ts'

interface ChipProps {
  mark?: ReactNode
  /** `accent` for what is advised, `success` for what is on, `outline` for what can't be had. */
  tone?: keyof typeof tones
  children: string
}

/** A short fact about a row, at most one in each. */
export function Chip({ mark, tone = 'plain', children }: ChipProps) {
  return (
    <span part="chip" css={[look, tones[tone]]}>
      {mark}
      {children}
    </span>
  )
}

const look: CSSObject = {
  ...text('caption'),
  flex: 'none',
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  minHeight: 20,
  padding: '1px 5px',
  border: '1px solid transparent',
  borderRadius: radius(10),
}
const tones = {
  plain: { background: color('fill-pressed'), color: color('text-muted') },
  accent: { background: color('accent-subtle'), color: color('accent-text') },
  success: { background: color('success-subtle'), color: color('success-text') },
  // On a chosen card as well as on the panel.
  outline: {
    borderColor: `color-mix(in srgb,${color('text')} 16%,transparent)`,
    color: color('text-faint'),
  },
} as const satisfies Record<string, CSSObject>
