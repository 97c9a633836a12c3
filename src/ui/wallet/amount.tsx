import type { CSSObject } from '@emotion/react'
import type { CSSProperties, ReactNode } from 'react'
import { color, isolated, tabular, text } from '../../../styles/tokens.ts'
import { breakableFigure, Figure } from '../text/figure.tsx'

/** The width of the panel's content, and of a digit in parts of its size. */
const [room, digit] = [308, 0.66]
const sizes = { most: 32, least: 13 } as const

interface AmountProps {
  children: string
  /** Its counter-value, displayed below it. */
  worth?: string | undefined
}

/** An amount that leaves, with its symbol; `-` becomes a true minus sign. It shrinks to stay on one line, as far as it can be read. */
export function Amount({ children, worth }: AmountProps): ReactNode {
  const [, figure = children, symbol = ''] = /^(\S+)\s+(.+)$/.exec(children) ?? []
  const leaves = /[1-9]/.test(figure) && !/^[-−<]/.test(figure)
  const shown = `${leaves ? '−' : ''}${figure.replace(/^-/, '−')}`
  const fitting = Math.floor(room / (shown.length * digit))
  const size = Math.max(sizes.least, Math.min(sizes.most, fitting))
  const amount = (
    <p data-essential css={look} style={{ '--_amount': `${size}px` } as CSSProperties}>
      <span>{breakableFigure(shown)}</span>
      {symbol && <span css={unit}>{symbol}</span>}
    </p>
  )
  if (worth === undefined) return amount
  return (
    <div>
      {amount}
      <p css={worthLook}>
        <Figure>{worth}</Figure>
      </p>
    </div>
  )
}

const look: CSSObject = {
  ...text('amount'),
  ...tabular,
  ...isolated,
  fontSize: 'calc(var(--_amount)*var(--lk-text-scale,1))',
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'center',
  gap: '0 8px',
  margin: 0,
  overflowWrap: 'break-word',
  '& > span': { minWidth: 0 },
  textAlign: 'center',
}
const worthLook: CSSObject = { ...text('detail'), margin: 0, color: color('text-muted'), textAlign: 'center' }
const unit: CSSObject = { ...text('title'), fontWeight: 400, color: color('text-muted') }
