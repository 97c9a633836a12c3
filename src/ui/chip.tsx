import type { CSSObject } from '@emotion/react'
import { color, radius, text } from '../../styles/tokens.ts'
import { Icon } from './icon.tsx'

interface ChipProps {
  tone?: 'neutral' | 'accent' | 'success' | 'outline'
  icon?: string
  children: string
}

/** Look §7.6: a short fact about a row, at most one in each. */
export function Chip({ tone = 'neutral', icon, children }: ChipProps) {
  return (
    <span part="chip" css={[base, tones[tone]]}>
      {icon && <Icon path={icon} size={12} stroke={3} />}
      {children}
    </span>
  )
}

const base: CSSObject = {
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
const tones: Record<NonNullable<ChipProps['tone']>, CSSObject> = {
  neutral: { background: color('fill-pressed'), color: color('text-muted') },
  accent: { background: color('accent-subtle'), color: color('accent-text') },
  success: { background: color('success-subtle'), color: color('success-text') },
  outline: { borderColor: color('border'), color: color('text-faint') },
}
